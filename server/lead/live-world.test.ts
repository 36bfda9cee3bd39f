/** What a lead's bookings end as. */
import { expect, test } from 'vitest';
import type { Decision, Sale } from '#engine/decision.ts';
import type { CapClaim, Reservation } from '#engine/effect.ts';
import { openLeadWorld, type WorldParts } from './live-world.ts';
import { rotationOver } from './rotation.ts';

const DAY_MS = 86_400_000;

function openWorld() {
  const unused = () => {
    throw new Error('nothing is sent or stored here');
  };
  return openLeadWorld({
    organization: { organizationId: 'organization' },
    store: {},
    rotation: rotationOver(),
    breakers: { granted: () => {}, leadEnded: () => {} },
    ...{ leadId: 'lead', deadlineAt: DAY_MS, clock: () => 0, publisherGone: () => false, groupOf: () => undefined },
    ...{ rest: unused, deliver: unused, askService: unused },
  } as unknown as WorldParts);
}

/** Of the day that begins at midnight `day`. */
function moneyClaim(day: number, amount: number, period: CapClaim['period'] = 'day'): CapClaim {
  return {
    ...{ counter: `ann:money:${period}:${day}`, scopeId: 'ann', measure: 'money', limit: 1_000_000, amount },
    ...{ period, windowStartAt: day * DAY_MS, resetsAt: (day + 1) * DAY_MS },
  };
}

function book(world: ReturnType<typeof openWorld>, purpose: Reservation['purpose'], claims: CapClaim[]) {
  const effect = {
    kind: 'reserve' as const,
    mode: 'first' as const,
    reservations: [{ subject: { kind: 'buyerTier' as const, id: 'ann' }, purpose, claims }],
  };
  const ops = world.bookingOf(effect);
  world.resultOf(effect, ops, [{ granted: true }]);
  return ops[0]!;
}

function settled(world: ReturnType<typeof openWorld>, sales: Partial<Sale>[]) {
  return world.settlement({ sales } as Decision).map((op) => {
    return op.kind === 'reserve' ? [] : [op.kind, op.purpose, ...op.changes.map(({ ref, amount }) => `${ref.counter} ${amount}`)];
  });
}

test('engine Caps: a sale that was posted before midnight and raised after it counts its parts, in neither day more', () => {
  const world = openWorld();
  book(world, 'post', [moneyClaim(1, 100_000)]);
  book(world, 'raise', [moneyClaim(2, 400_000)]);
  expect(settled(world, [{ buyerTierId: 'ann', buyerId: 'buyer', revenue: 500_000, payout: 300_000 }])).toEqual([
    ['settle', 'post'],
    ['settle', 'raise'],
  ]);
});

test('engine Caps: a sale below what was reserved gives the rest back', () => {
  const world = openWorld();
  book(world, 'post', [moneyClaim(1, 100_000)]);
  expect(settled(world, [{ buyerTierId: 'ann', buyerId: 'buyer', revenue: 80_000, payout: 50_000 }])).toEqual([
    ['settle', 'post', 'ann:money:day:1 -20000'],
  ]);
});

test('engine Crash: a post, its raise and its promotion are kept where a node dies, and end together', () => {
  const world = openWorld();
  const kept = (['post', 'raise', 'promotion'] as const).map((purpose) => book(world, purpose, [moneyClaim(1, 10_000)]).hold);
  expect(kept).toEqual([1, 2, 3].map(() => [{ counter: 'ann:money:day:1', amount: 10_000 }]));
  // Nobody knows yet whether it is sold.
  expect(settled(world, [])).toEqual([]);
});
