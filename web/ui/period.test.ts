import { describe, expect, test } from 'vitest';
import { beforeInstants, customInstants, rangeProblem, spanDays, spanInstants } from './period.ts';

// A Friday.
const today = '2026-11-27';

describe('console §3: the time spans', () => {
  test.each([
    ['today', '2026-11-27', '2026-11-27'],
    ['yesterday', '2026-11-26', '2026-11-26'],
    ['thisWeek', '2026-11-23', '2026-11-27'],
    ['lastWeek', '2026-11-16', '2026-11-22'],
    ['thisMonth', '2026-11-01', '2026-11-27'],
    ['lastMonth', '2026-10-01', '2026-10-31'],
    ['last3Months', '2026-09-01', '2026-11-27'],
  ] as const)('%s is %s to %s', (span, first, last) => {
    expect(spanDays(span, today)).toEqual({ first, last });
  });
  test('a week that began last month stays whole', () => {
    expect(spanDays('thisWeek', '2026-12-01')).toEqual({ first: '2026-11-30', last: '2026-12-01' });
  });
  test('today in New York begins at five in the morning UTC and ends where tomorrow begins', () => {
    expect(spanInstants('today', Date.parse('2026-11-27T04:59:00Z'), 'America/New_York')).toEqual({
      from: '2026-11-26T05:00:00.000Z',
      to: '2026-11-27T05:00:00.000Z',
    });
  });
});

describe('account §5: a typed range', () => {
  test('takes in its last minute whole', () => {
    expect(customInstants('2026-11-27T00:00', '2026-11-27T23:59', 'UTC')).toEqual({
      from: '2026-11-27T00:00:00.000Z',
      to: '2026-11-28T00:00:00.000Z',
    });
  });
  test('may reach to the end of tomorrow, and no further', () => {
    expect(rangeProblem('2026-11-27T00:00', '2026-11-28T23:59', today)).toBeNull();
    expect(rangeProblem('2026-11-27T00:00', '2026-11-29T00:00', today)).toEqual({ field: 'to', message: 'Future date is not allowed.' });
    expect(rangeProblem('2026-11-29T00:00', '2026-11-29T00:00', today)).toEqual({ field: 'from', message: 'Future date is not allowed.' });
  });
  test('is as long as a report is made over, and no longer', () => {
    expect(rangeProblem('2016-11-27T00:00', '2026-11-27T23:59', today)).toBeNull();
    expect(rangeProblem('2010-01-01T00:00', '2026-11-27T23:59', today)).toEqual({
      field: 'from',
      message: 'Choose a span of at most 10 years.',
    });
  });
  test('must be complete and in order', () => {
    expect(rangeProblem('', '2026-11-27T00:00', today)?.field).toBe('from');
    expect(rangeProblem('2026-11-27T00:00', '2026-02-31', today)?.field).toBe('to');
    expect(rangeProblem('2026-11-27T10:00', '2026-11-27T09:00', today)?.message).toBe('The end must not be before the start.');
  });
});

test.each([
  ['today', '2026-11-28T15:30:00Z', '2026-11-27T05:00:00.000Z', '2026-11-27T15:30:00.000Z'],
  ['yesterday', '2026-11-28T15:30:00Z', '2026-11-26T05:00:00.000Z', '2026-11-27T05:00:00.000Z'],
  ['thisWeek', '2026-11-28T15:30:00Z', '2026-11-16T05:00:00.000Z', '2026-11-21T15:30:00.000Z'],
  // October had a Sunday of 25 hours in London, and New York's came a day after it.
  ['lastMonth', '2026-12-10T12:00:00Z', '2026-10-01T04:00:00.000Z', '2026-11-01T04:00:00.000Z'],
  // February is over before the 31st of March.
  ['thisMonth', '2026-03-31T16:00:00Z', '2026-02-01T05:00:00.000Z', '2026-03-01T05:00:00.000Z'],
  ['last3Months', '2026-11-28T15:30:00Z', '2026-06-01T04:00:00.000Z', '2026-08-28T15:30:00.000Z'],
] as const)('console §3: %s is compared with the span before it', (span, now, from, to) => {
  const zone = 'America/New_York';
  const nowMs = Date.parse(now);
  expect(beforeInstants(span, spanInstants(span, nowMs, zone), nowMs, zone)).toEqual({ from, to });
});
test('a typed range is compared with one as long that ends where it begins', () => {
  const range = { from: '2026-11-10T00:00:00.000Z', to: '2026-11-12T00:00:00.000Z' };
  expect(beforeInstants('customRange', range, Date.now(), 'UTC')).toEqual({ from: '2026-11-08T00:00:00.000Z', to: range.from });
});
