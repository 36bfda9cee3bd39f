import { expect, test } from 'vitest';
import type { VerdictView } from '#contract/lead.ts';
import { groupVerdicts, isBeforeTree, isUnanswered, sumVerdicts, withoutRule } from './verdict-sum.ts';

const verdict = (
  groupName: string,
  outcome: VerdictView['outcome'],
  filterReasonKey: number | null = null,
  capPeriod: VerdictView['capPeriod'] = null,
) =>
  ({
    groupName,
    groupMode: 'priority',
    outcome,
    filterReasonKey,
    capPeriod,
    isAnswered: true,
    buyerTierId: `${groupName}${outcome}`,
  }) as VerdictView;

test('a group that comes again further down the tree stays a group of its own', () => {
  const groups = groupVerdicts([verdict('A', 'filtered'), verdict('A', 'rejected'), verdict('B', 'sold'), verdict('A', 'notReached')]);
  expect(groups.map(({ name, lines }) => `${name}${lines.length}`)).toEqual(['A2', 'B1', 'A1']);
});
test('what kept the buyers away is counted by rule, most frequent first', () => {
  const sums = sumVerdicts([
    verdict('A', 'rejected'),
    verdict('A', 'filtered', 7),
    verdict('A', 'filtered', 7),
    verdict('A', 'filtered', 1),
  ]);
  expect(sums.map(({ count, label }) => `${count} ${label}`)).toEqual(['2 Filter', '1 Declines', '1 Daily cap']);
});
test('an hourly cap is not called a daily one, though both have one key', () => {
  const sums = sumVerdicts([verdict('A', 'filtered', 1, 'hour'), verdict('A', 'filtered', 1, 'day'), verdict('A', 'filtered', 1, 'day')]);
  expect(sums.map(({ count, label }) => `${count} ${label}`)).toEqual(['2 Daily cap', '1 Hourly cap']);
});
test('a buyer that gave no answer is not counted among those that failed or declined', () => {
  const gone = { ...verdict('A', 'terrors'), isAnswered: false };
  const failed = { ...verdict('B', 'terrors'), isAnswered: true };
  expect(sumVerdicts([gone, failed]).map(({ count, label }) => `${count} ${label}`)).toEqual(['1 Error, no answer', '1 Error']);
  expect(isUnanswered([gone, { ...verdict('C', 'timeouts'), isAnswered: false }, verdict('D', 'filtered', 7)])).toBe(true);
  expect(isUnanswered([gone, failed])).toBe(false);
  expect(isUnanswered([verdict('D', 'filtered', 7)])).toBe(false);
});
test('a lead that never reached the tree is told from one that did', () => {
  expect(isBeforeTree([verdict('A', 'notReached')])).toBe(true);
  expect(isBeforeTree([verdict('A', 'notReached'), verdict('A', 'sold')])).toBe(false);
});
test('the pill and the sentence do not say the same word', () => {
  expect(withoutRule('Filter: Monthly income is less than 800.', 'Filter')).toBe('Monthly income is less than 800.');
  expect(withoutRule('Daily sold cap reached.', 'Daily cap')).toBe('Daily sold cap reached.');
});
