import { expect, test } from 'vitest';
import {
  formatAgo,
  formatCents,
  formatElapsed,
  formatInstant,
  formatLongDay,
  formatLongMinute,
  formatMoney,
  formatRate,
  localAmounts,
  localTimes,
} from './format.ts';

test('money is exact beyond what a float can hold', () => {
  expect(formatMoney('999999999.9999', 'USD')).toBe('$999,999,999.9999');
  expect(formatMoney('12.5000', 'USD')).toBe('$12.50');
  expect(formatMoney('-5.0000', 'USD')).toBe('−$5.00');
  expect(formatMoney('-5.0000', 'USD', 'code')).toBe('−USD\u00a05.00');
  expect(formatMoney('-0.05', 'GBP')).toBe('−£0.05');
});
test('times are told in the reporting zone', () => {
  const at = '2026-11-27T18:05:09Z';
  expect(formatInstant(at, 'America/New_York').replaceAll('\u202F', ' ')).toBe('Nov 27, 2026, 1:05:09 PM EST');
  expect(formatLongDay(Date.parse(at), 'UTC')).toBe('Friday, November 27 2026');
});
test.each([
  [0, '0 ms'],
  [0.4, '<1 ms'],
  [87.4, '87 ms'],
  [999.6, '1.00 s'],
  [59_996, '1 min 0 s'],
  [119_700, '2 min 0 s'],
  [1240, '1.24 s'],
  [63_000, '1 min 3 s'],
])('%d ms reads %s', (ms, text) => {
  expect(formatElapsed(ms)).toBe(text);
});
test('no leads have no acceptance rate', () => {
  expect(formatRate(0, 0)).toBe('–');
  expect(formatRate(1, 3)).toBe('33.3%');
});
test.each([
  [3, 'just now'],
  [42, '42 s ago'],
  [130, '2 min ago'],
  [7300, '2 h ago'],
  [90_000, '1 day ago'],
])('%d seconds ago reads %s', (seconds, text) => {
  expect(formatAgo('2026-11-27T00:00:00Z', Date.parse('2026-11-27T00:00:00Z') + seconds * 1000)).toBe(text);
});

test('amounts in a sentence of the server are written like those beside it', () => {
  expect(localAmounts('Owes USD 1250.00 of USD 2000.5000, USD -3.25 left; 12.50 of what.', 'USD')).toBe(
    'Owes $1,250.00 of $2,000.50, −$3.25 left; 12.50 of what.',
  );
  expect(localAmounts('GBP 3.00 and USD 4.00.', 'GBP')).toBe('£3.00 and USD 4.00.');
});
test('sums read at a glance are to the cent', () => {
  expect(formatCents('400.485', 'USD')).toBe('$400.49');
  expect(formatCents('-12.5', 'USD')).toBe('−$12.50');
  // Something is never told as nothing.
  expect(formatCents('-0.005', 'USD')).toBe('−$0.005');
  expect(formatCents('0.0000', 'USD')).toBe('$0.00');
});

test.each([
  ['2026-11-27T00:00', 'Friday, November 27 2026 12:00AM'],
  ['2026-11-07T23:59', 'Saturday, November 07 2026 11:59PM'],
  ['2026-11-28T08:05', 'Saturday, November 28 2026 8:05AM'],
])('console §9: %s as EEEE, MMMM dd yyyy h:mma', (wall, text) => expect(formatLongMinute(wall)).toBe(text));

test.each([
  ['America/New_York', 'Full; starts again 2026-11-28 00:00 EST, or 2026-07-01 01:30 EST.'],
  ['UTC', 'Full; starts again 2026-11-28 05:00 UTC, or 2026-07-01 05:30 UTC.'],
] as const)('console §4: a sentence tells its moments in the reporting zone, %s', (zone, told) =>
  expect(localTimes('Full; starts again 2026-11-28 05:00 UTC, or 2026-07-01 05:30 UTC.', zone)).toBe(told),
);
