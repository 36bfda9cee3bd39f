import { expect, test } from 'vitest';
import { type FilterRule, filter, ipRanges } from './tier.ts';

const nested = (levels: number): FilterRule => {
  let rule: FilterRule = { field: 'state', is: 'present' };
  for (let level = 0; level < levels; level += 1) rule = [{ not: rule }, { all: [rule] }, { any: [rule] }][level % 3]!;
  return rule;
};

test('console §4: a filter is nested at most eight deep, and whatever is deeper is refused before the rest of it is read', () => {
  expect(filter.safeParse(nested(8)).success).toBe(true);
  for (const levels of [9, 200_000])
    expect(filter.safeParse(nested(levels)).error?.issues[0]?.message).toBe('must be nested at most 8 deep');
  for (const none of [null, 'x', [], {}, { not: {} }, { all: [null] }, { all: [], any: [] }])
    expect([none, filter.safeParse(none).success]).toEqual([none, false]);
});

test('a wrong address is refused with its text and what to write', () => {
  expect(ipRanges.safeParse(['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '2001:db8::/32']).success).toBe(true);
  const refusal = (text: string) => ipRanges.safeParse(['203.0.113.7', text]).error?.issues[0];
  for (const text of ['1.2.3', '203.0.113.0/33', 'example.com', '10.0.0.1-10.0.0.9'])
    expect(refusal(text)).toMatchObject({
      path: [1],
      message: `"${text}" is no IP address or range; write 203.0.113.7 or 203.0.113.0/24.`,
    });
});
