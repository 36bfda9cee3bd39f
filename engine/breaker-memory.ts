/** Breakers in memory: what PostgreSQL and the nodes do for the live shell, for simulation and stories. */
import { type BreakerState, type Breakers, type CountedCall, lookBackFrom, nextState, tallyOf } from './breaker.ts';
import type { Plan } from './compiled.ts';
import type { BreakerConfig, Instant } from './plan.ts';

export interface BreakersInMemory extends Breakers {
  count(buyerTierId: string, call: CountedCall, now: Instant): void;
}

interface Kept {
  config: BreakerConfig;
  state: BreakerState;
  calls: { at: Instant; failed: boolean }[];
}

export function keepBreakers(plan?: Plan): BreakersInMemory {
  const tiers = new Map<string, Kept>();
  const members = [...(plan?.campaigns.values() ?? [])].flatMap(({ groups }) => groups.flatMap((group) => group.members));
  for (const { config } of members.map((member) => member.tier))
    if (config.breaker) tiers.set(config.id, { config: config.breaker, state: { open: undefined, countedFrom: 0 }, calls: [] });
  return {
    find: (buyerTierId) => tiers.get(buyerTierId)?.state.open,
    count(buyerTierId, call, now) {
      const kept = tiers.get(buyerTierId);
      if (kept) take(kept, call, now);
    },
  };
}

function take(kept: Kept, call: CountedCall, now: Instant): void {
  if (tallyOf(kept.state, [call]).calls > 0) kept.calls.push({ at: now, failed: call.failed });
  const since = lookBackFrom(kept.config, now);
  kept.calls = kept.calls.filter((one) => one.at >= since);
  const tally = { calls: kept.calls.length, failures: kept.calls.filter((one) => one.failed).length };
  const next = nextState(kept.config, kept.state, [call], tally, now);
  if (next !== kept.state) kept.calls = [];
  kept.state = next;
}
