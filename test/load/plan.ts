/** `npm run bench -- plan`: what compiling a configuration costs, which happens once per change on every node. */
import { compile } from '#engine/compile.ts';
import { configurationOf, type Scenario } from '#engine/scenario.ts';

const TIERS = 500;
const ROUNDS = 20;

export function benchPlan(): void {
  const ids = Array.from({ length: TIERS }, (_, index) => `tier-${index}`);
  const tier = {
    hours: 'Mon-Fri 09:00-17:00',
    caps: ['5 sold per day', '50.00 money per week'],
    filter: {
      all: [
        { field: 'state', is: 'in' as const, value: ['CA', 'TX'] },
        { field: 'email', is: 'matches' as const, value: '@(a|b)\\.com$' },
      ],
    },
  };
  const scenario: Scenario = {
    title: '',
    story: '',
    groups: [{ name: 'main', mode: 'priority', members: ids }],
    buyerTiers: Object.fromEntries(ids.map((id) => [id, tier])),
    leads: [],
  };
  const configuration = configurationOf(scenario);
  const times = Array.from({ length: ROUNDS }, () => {
    const began = performance.now();
    compile(configuration);
    return performance.now() - began;
  });
  const sorted = times.toSorted((a, b) => a - b);
  console.table([
    { tiers: TIERS, 'first ms': round(times[0]!), 'median ms': round(sorted[ROUNDS / 2]!), 'worst ms': round(sorted.at(-1)!) },
  ]);
}

const round = (ms: number): number => Math.round(ms * 10) / 10;
