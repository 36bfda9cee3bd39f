import { expect, test } from 'vitest';
import type { CompareMeasures } from '#contract/report.ts';
import { compareFigures } from './compare-figures.ts';

const measures = (part: Partial<CompareMeasures>): CompareMeasures => ({
  ...{ attempts: 0, sold: 0, rejected: 0, terrors: 0, timeouts: 0, filtered: 0, open: null, pings: 0, bids: 0 },
  ...{ revenue: '0.00', payout: '0.00', margin: '0.00', epl: '0.00' },
  ...{ returned: 0, returnedRevenue: '0.00', returnedPayout: '0.00', returnedMargin: '0.00' },
  ...{ leads: null, wins: null, links: null, followed: null, p50Ms: null, p75Ms: null, p90Ms: null, followP50Ms: null, followP90Ms: null },
  ...part,
});
const rowOf = (rows: ReturnType<typeof compareFigures>, label: string) => {
  const row = rows.find((one) => one.label === label);
  return row && [row.a, row.b, row.more, row.percent];
};

test('console §2: compare-stats says what the second has more, and what that is of the first', () => {
  const rows = compareFigures(
    measures({ attempts: 200, sold: 50, margin: '-10.00', revenue: '100.00' }),
    measures({ attempts: 300, sold: 60, margin: '5.00', revenue: '0.00' }),
  );
  expect(rowOf(rows, 'Attempts')).toEqual([200, 300, 100, 50]);
  expect(rowOf(rows, 'Revenue')).toEqual([100, 0, -100, -100]);
  // From a loss to a gain is more, not less.
  expect(rowOf(rows, 'Margin')).toEqual([-10, 5, 15, 150]);
  expect(rowOf(rows, 'Accept rate')).toEqual([25, 20, -5, null]);
});

test('of nothing there is no per cent, and what neither side has is left out', () => {
  const rows = compareFigures(measures({ sold: 0 }), measures({ sold: 4, attempts: 8, p50Ms: 120 }));
  expect(rowOf(rows, 'Accepts')).toEqual([0, 4, 4, null]);
  expect(rowOf(rows, 'Accept rate')).toEqual([null, 50, null, null]);
  expect(rowOf(rows, 'Median answer')).toEqual([null, 120, null, null]);
  expect([rowOf(rows, 'Open'), rowOf(rows, 'Bids won')]).toEqual([undefined, undefined]);
});

test('console §2: links and bids won are compared as shares of what there was', () => {
  const rows = compareFigures(
    measures({ bids: 10, wins: 4, links: 8, followed: 2, p75Ms: 90 }),
    measures({ bids: 20, wins: 4, links: 8, followed: 6, p75Ms: 60 }),
  );
  expect(rowOf(rows, 'Bids won')).toEqual([40, 20, -20, null]);
  expect(rowOf(rows, 'Of the links')).toEqual([25, 75, 50, null]);
  expect(rowOf(rows, 'p75 answer')).toEqual([90, 60, -30, (-30 / 90) * 100]);
});
