import { expect, test } from 'vitest';
import { toDays, toRanges } from './pause-days.ts';

test('console §4 (pause date): days on a calendar become ranges and come back as days', () => {
  const ranges = [{ from: '2026-12-24', to: '2026-12-26', note: 'Christmas' }];
  expect(toDays(ranges)).toEqual(['2026-12-24', '2026-12-25', '2026-12-26']);
  expect(toRanges([...toDays(ranges), '2027-01-01', '2026-12-31'], ranges)).toEqual([
    { from: '2026-12-24', to: '2026-12-26', note: 'Christmas' },
    { from: '2026-12-31', to: '2027-01-01' },
  ]);
  expect(toRanges(['2026-12-24', '2026-12-26'], ranges)).toEqual([
    { from: '2026-12-24', to: '2026-12-24', note: 'Christmas' },
    { from: '2026-12-26', to: '2026-12-26' },
  ]);
});
