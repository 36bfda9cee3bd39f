/**
 * The world of a lead in the testing lab: caps and duplicates are asked as they stand and nothing is taken, no turn and no breaker counts. Buyers and
 * services are whoever is handed in, real ones or simulated.
 */
import type { BuyerCall, Effect, EffectResult, OutsideCheck, Refusal, Reservation } from '#engine/effect.ts';
import type { Instant } from '#engine/plan.ts';
import type { Delivery } from '#server/delivery/deliver.ts';
import type { CheckEntry, LeadWorld, WireEntry } from '#server/lead/live-world.ts';
import type { Asked } from '#server/lead/service-check.ts';

export interface LabWorld extends Pick<LeadWorld, 'wires' | 'checks' | 'spent'> {
  perform(effect: Effect): Promise<EffectResult>;
}

export interface LabWorldParts {
  clock: LabClock;
  askRoom(reservations: readonly Reservation[]): Promise<(Refusal | undefined)[]>;
  deliver(call: BuyerCall, attemptIndex: number): Promise<Delivery>;
  askService(check: OutsideCheck): Promise<Asked>;
}

/** `passed`: moves a simulated clock by what the slowest took; a real one has moved by itself. */
export interface LabClock {
  now(): Instant;
  passed(ms: number): void;
}

export const realClock = (now: () => Instant): LabClock => ({ now, passed: () => {} });

export function simulatedClock(startedAt: Instant): LabClock {
  let at = startedAt;
  return {
    now: () => at,
    passed: (ms) => {
      at += ms;
    },
  };
}

export function openLabWorld({ clock, askRoom, deliver, askService }: LabWorldParts): LabWorld {
  const wires: WireEntry[] = [];
  const checks: CheckEntry[] = [];
  const spent = { buyersMs: 0, servicesMs: 0, storeMs: 0 };

  async function reserve({ mode, reservations }: Extract<Effect, { kind: 'reserve' }>): Promise<EffectResult> {
    const began = clock.now();
    const refusals = await askRoom(reservations);
    spent.storeMs += clock.now() - began;
    const fits = refusals.flatMap((refusal, index) => (refusal ? [] : [index]));
    const granted = mode === 'first' ? fits.slice(0, 1) : fits;
    const last = mode === 'first' && granted.length > 0 ? granted[0]! : reservations.length;
    const refused = refusals.flatMap((refusal, index) => (refusal && index < last ? [{ index, refusal }] : []));
    return { kind: 'reserve', now: clock.now(), granted, refused };
  }

  async function call({ calls }: Extract<Effect, { kind: 'call' }>): Promise<EffectResult> {
    const began = clock.now();
    const answers = await Promise.all(
      calls.map(async (one) => {
        const entry: WireEntry = { call: one, startedAt: clock.now(), record: undefined, answer: undefined };
        wires.push(entry);
        const { answer, wire } = await deliver(one, wires.indexOf(entry));
        entry.record = wire;
        entry.answer = answer;
        return answer;
      }),
    );
    clock.passed(Math.max(0, ...answers.map(({ elapsedMs }) => elapsedMs)));
    spent.buyersMs += clock.now() - began;
    return { kind: 'call', now: clock.now(), answers };
  }

  async function check(effect: Extract<Effect, { kind: 'check' }>): Promise<EffectResult> {
    const began = clock.now();
    const asked = await Promise.all(effect.checks.map(async (one) => ({ one, startedAt: clock.now(), ...(await askService(one)) })));
    for (const { one, startedAt, verdict, delivery } of asked) if (delivery) checks.push({ check: one, startedAt, verdict, delivery });
    clock.passed(Math.max(0, ...asked.map(({ delivery }) => delivery?.answer.elapsedMs ?? 0)));
    const waitedMs = clock.now() - began;
    spent.buyersMs += waitedMs;
    spent.servicesMs += waitedMs;
    return { kind: 'check', now: clock.now(), verdicts: asked.map(({ verdict }) => verdict) };
  }

  return {
    wires,
    checks,
    spent,
    async perform(effect) {
      switch (effect.kind) {
        case 'reserve':
          return reserve(effect);
        case 'release':
          return { kind: 'release', now: clock.now() };
        case 'call':
          return call(effect);
        case 'check':
          return check(effect);
      }
    },
  };
}
