/** What one lead tells the breakers of the tiers it calls: every call, and as a probe one answer for the lead as a whole. */
import { type CountedCall, probeOf } from './breaker.ts';
import type { Reservation } from './effect.ts';
import type { Instant } from './plan.ts';

export interface BreakerWatch {
  /** A reservation was granted: it may hold the place of a probe. */
  granted(reservation: Reservation): void;
  callEnded(buyerTierId: string, startedAt: Instant, failed: boolean, elapsedMs: number): void;
  /** A probe that failed was told at once; that nothing failed is known only now. */
  leadEnded(): void;
}

interface Probe {
  probe: Instant;
  /** Undefined until something was sent. */
  startedAt: Instant | undefined;
  failed: boolean;
  elapsedMs: number;
}

export function watchLead(count: (buyerTierId: string, call: CountedCall) => void): BreakerWatch {
  const probes = new Map<string, Probe>();
  return {
    granted({ subject, claims }) {
      const probe = probeOf(claims);
      if (probe !== undefined) probes.set(subject.id, { probe, startedAt: undefined, failed: false, elapsedMs: 0 });
    },
    callEnded(buyerTierId, startedAt, failed, elapsedMs) {
      const own = probes.get(buyerTierId);
      if (own) {
        own.startedAt ??= startedAt;
        own.failed ||= failed;
        own.elapsedMs = Math.max(own.elapsedMs, elapsedMs);
      }
      if (!own) count(buyerTierId, { startedAt, failed, elapsedMs });
      else if (failed) count(buyerTierId, { startedAt, failed, elapsedMs, probe: own.probe });
    },
    leadEnded() {
      for (const [buyerTierId, { probe, startedAt, failed, elapsedMs }] of probes)
        if (startedAt !== undefined && !failed) count(buyerTierId, { startedAt, failed, elapsedMs, probe });
      probes.clear();
    },
  };
}
