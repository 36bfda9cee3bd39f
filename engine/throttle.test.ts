/** engine §4: a tier that is unwell gets its share, by the same draw everywhere, and all of its leads again when it is well. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { DRAWS, drawOf } from './draw.ts';
import { explain } from './explain.ts';
import type { ThrottleConfig } from './plan.ts';
import { configurationOf, type Scenario } from './scenario.ts';
import { leadOf } from './scenario-lead.ts';
import { createWorld, runLead } from './simulate.ts';
import { isDrawn, isUnwell, nextThrottled, type Throttled } from './throttle.ts';

const NOON = Date.parse('2026-11-27T12:00:00Z');
const CONFIG: ThrottleConfig = { sharePercent: 20, failurePercent: 30, minimumCalls: 10, lookBackMinutes: 5 };
const tally = (calls: number, failures: number, slow = 0) => ({ calls, failures, slow });

describe('engine §4: when a throttle begins and ends', () => {
  it('begins with enough calls of which too many failed, and tells what began it', () => {
    expect(nextThrottled(CONFIG, undefined, tally(9, 9), NOON)).toBeUndefined();
    expect(nextThrottled(CONFIG, undefined, tally(10, 2), NOON)).toBeUndefined();
    expect(nextThrottled(CONFIG, undefined, tally(10, 3), NOON)).toEqual({ since: NOON, ...tally(10, 3), lookBackMinutes: 5 });
  });

  it('looks at slow answers where it is told to, whatever they said', () => {
    const slow: ThrottleConfig = { sharePercent: 20, slow: { afterMs: 2000, percent: 50 }, minimumCalls: 4, lookBackMinutes: 5 };
    expect(isUnwell(slow, tally(4, 4, 1))).toBe(false);
    expect(isUnwell(slow, tally(4, 0, 2))).toBe(true);
    expect(isUnwell({ ...slow, failurePercent: 100 }, tally(4, 4, 0))).toBe(true);
  });

  it('ends by what the share shows: as large a share of the calls is enough for that, and none of them is none', () => {
    const before: Throttled = { since: NOON, ...tally(10, 5), lookBackMinutes: 5 };
    expect(nextThrottled(CONFIG, before, tally(1, 0), NOON + 1)).toBe(before);
    expect(nextThrottled(CONFIG, before, tally(2, 1), NOON + 1)).toBe(before);
    expect(nextThrottled(CONFIG, before, tally(2, 0), NOON + 1)).toBeUndefined();
    expect(nextThrottled({ ...CONFIG, minimumCalls: 1, sharePercent: 1 }, before, tally(0, 0), NOON)).toBe(before);
  });
});

describe('engine §4: the draw', () => {
  it('is the same for the same lead and tier, and within bounds', () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), (leadId, tierId) => {
        const draw = drawOf(leadId, tierId);
        expect(draw).toBe(drawOf(leadId, tierId));
        expect(Number.isInteger(draw) && draw >= 0 && draw < DRAWS).toBe(true);
      }),
    );
  });

  it('leaves the share that is set, for any tier and share, even of leads whose ids follow each other', () => {
    const LEADS = 4_000;
    fc.assert(
      fc.property(fc.uuid(), fc.integer({ min: 1, max: 99 }), fc.nat(2 ** 40), (tierId, sharePercent, start) => {
        const ids = Array.from({ length: LEADS }, (_, at) => `01936f5e-${(start + at).toString(16).padStart(12, '0')}`);
        const drawn = ids.filter((id) => isDrawn({ ...CONFIG, sharePercent }, id, tierId)).length;
        const share = sharePercent / 100;
        // Six standard deviations: chance alone fails one in 500 million.
        expect(Math.abs(drawn - LEADS * share)).toBeLessThan(6 * Math.sqrt(LEADS * share * (1 - share)));
      }),
      { numRuns: 60 },
    );
  });

  it('of one tier says nothing of another: the same leads are not left out of both', () => {
    const both = Array.from({ length: 10_000 }, (_, at) => `lead ${at}`).filter(
      (id) => isDrawn({ ...CONFIG, sharePercent: 50 }, id, 'ann') && isDrawn({ ...CONFIG, sharePercent: 50 }, id, 'bob'),
    );
    expect(Math.abs(both.length - 2_500)).toBeLessThan(250);
  });
});

const STORY: Scenario = {
  ...{ title: '', story: '', leads: [] },
  groups: [{ name: 'main', mode: 'priority', members: ['ann', 'bob'] }],
  buyerTiers: { ann: {}, bob: {} },
};

function planOf(throttle: ThrottleConfig, more: Partial<Scenario> = {}) {
  const configuration = configurationOf({ ...STORY, ...more });
  const [ann] = configuration.buyerTiers;
  return compile({ ...configuration, buyerTiers: [{ ...ann!, throttle }, ...configuration.buyerTiers.slice(1)] }).plan;
}
const unwell: Throttled = { since: NOON, ...tally(10, 3, 6), lookBackMinutes: 5 };

describe('engine §4: a throttled tier in the tree', () => {
  it('is asked about the leads that are drawn; the others go on, with the reason', () => {
    const throttle: ThrottleConfig = { ...CONFIG, slow: { afterMs: 2000, percent: 50 } };
    const plan = planOf(throttle);
    fc.assert(
      fc.property(fc.uuid(), (id) => {
        const world = createWorld(NOON, { throttles: new Map([['ann', unwell]]) });
        const { decision } = runLead(plan, leadOf({ at: '', expect: { status: 'unsold' } }, id, NOON), world);
        const asked = decision.attempts.map((attempt) => attempt.buyerTierId);
        expect(asked).toEqual(isDrawn(throttle, id, 'ann') ? ['ann', 'bob'] : ['bob']);
        const verdict = decision.verdicts.find((one) => one.buyerTierId === 'ann')!;
        if (asked.includes('ann')) return;
        expect(verdict).toMatchObject({ outcome: 'filtered', filterReasonKey: 12 });
        expect(explain(verdict.why)).toBe(
          'Throttled since 2026-11-27 12:00 UTC: 3 of 10 calls failed and 6 took longer than 2000 ms in the last 5 minutes. Only 20% of its leads are sent meanwhile. This lead is not among them.',
        );
      }),
    );
  });

  it('a tier that is well, or has no throttle any more, is asked about all', () => {
    const lead = (id: string) => leadOf({ at: '', expect: { status: 'unsold' } }, id, NOON);
    for (let at = 0; at < 50; at++) {
      const well = runLead(planOf({ ...CONFIG, sharePercent: 1 }), lead(`lead ${at}`), createWorld(NOON));
      expect(well.decision.attempts.map((one) => one.buyerTierId)).toEqual(['ann', 'bob']);
      const { plan } = compile(configurationOf(STORY));
      const without = runLead(plan, lead(`lead ${at}`), createWorld(NOON, { throttles: new Map([['ann', unwell]]) }));
      expect(without.decision.attempts.map((one) => one.buyerTierId)).toEqual(['ann', 'bob']);
    }
  });

  it('a bid that was promised at the ping is taken, whatever the post would draw', () => {
    const plan = planOf({ ...CONFIG, sharePercent: 1 }, { buyerTiers: { ann: { delivery: 'pingPost', price: 'bid' }, bob: {} } });
    const offers = [{ buyerTierId: 'ann', bid: 300_000, payout: 300_000, captures: {}, expiresAt: NOON + 60_000 }];
    for (let at = 0; at < 50; at++) {
      const world = createWorld(NOON, { throttles: new Map([['ann', unwell]]), answer: () => ({ outcome: 'accepted' }) });
      const lead = { ...leadOf({ at: '', mode: 'post', expect: { status: 'sold' } }, `lead ${at}`, NOON), offers };
      expect(runLead(plan, lead, world).decision.sales.map((sale) => sale.buyerTierId)).toEqual(['ann']);
    }
  });

  it('a throttle that says nothing leaves its tier out, in words', () => {
    const configuration = configurationOf(STORY);
    const [ann, bob] = configuration.buyerTiers;
    const broken = { ...ann!, throttle: { sharePercent: 100, minimumCalls: 1, lookBackMinutes: 1 } };
    const { problems } = compile({ ...configuration, buyerTiers: [broken, bob!] });
    expect(problems.map(({ text }) => text).join(' ')).toMatch(/less than 100 percent.*failures, at slow answers, or at both/);
  });
});
