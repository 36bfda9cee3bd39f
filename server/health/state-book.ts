/**
 * The state of the installation as this node last read it: asked for by /metrics and by the page of super admins as often as they like, read from the
 * database at most every 15 seconds, by one query at a time.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { type InstallationState, readSize, readState } from './read-state.sql.ts';

export interface Seen {
  state: InstallationState;
  /** Size of the database; read less often. */
  bytes: number;
  /** How far the replica is behind; undefined without one, and while it is away. */
  replicaBehindS: number | undefined;
  readAt: Date;
  /** What reading it took. */
  tookMs: number;
}

export interface StateBook {
  /** What is known, read anew where it is too old. Undefined while the database does not answer, and soon again then. */
  look(): Promise<Seen | undefined>;
}

export interface StateBookOptions {
  pool: pg.Pool;
  hasMail: boolean;
  replicaBehindS: () => Promise<number | undefined>;
  onError: (error: unknown) => void;
  now?: () => number;
}

export const STATE_EVERY_MS = 15_000;
/** A database that came back is seen soon. */
const AWAY_EVERY_MS = 2_000;
const SIZE_EVERY_MS = 5 * 60_000;
/** Whoever asks waits no longer: a database that is slow must not make /metrics slow. */
const WAIT_MS = 2_000;

export function openStateBook({ pool, hasMail, replicaBehindS, onError, now = Date.now }: StateBookOptions): StateBook {
  let seen: Seen | undefined;
  let askedAt = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  let size = { bytes: 0, at: Number.NEGATIVE_INFINITY };

  async function read(): Promise<void> {
    try {
      const began = performance.now();
      const behind = replicaBehindS();
      const state = await readState(pool, hasMail);
      const tookMs = performance.now() - began;
      if (now() - size.at >= SIZE_EVERY_MS) size = { bytes: await readSize(pool), at: now() };
      seen = { state, bytes: size.bytes, replicaBehindS: await behind, readAt: new Date(now()), tookMs };
    } catch (error) {
      seen = undefined;
      askedAt = now() - STATE_EVERY_MS + AWAY_EVERY_MS;
      onError(error);
    } finally {
      reading = undefined;
    }
  }

  return {
    async look() {
      if (!reading && now() - askedAt >= STATE_EVERY_MS) {
        askedAt = now();
        reading = read();
      }
      if (!reading) return seen;
      const isRead = await Promise.race([reading.then(() => true), sleep(WAIT_MS, false, { ref: false })]);
      return isRead ? seen : undefined;
    },
  };
}
