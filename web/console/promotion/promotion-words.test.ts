import { expect, test } from 'vitest';
import { sayDays, sayRaise, saySeats } from './promotion-words.ts';

test('console §3 promotions: days are told as a span, a single day, or a beginning', () => {
  expect(sayDays('2026-11-26', '2026-11-28')).toBe('2026-11-26 to 2026-11-28');
  expect(sayDays('2026-11-26', '2026-11-26')).toBe('2026-11-26');
  expect(sayDays('2026-11-26', null)).toBe('from 2026-11-26');
});
test('console §3 promotions: a rise is told as an amount of the organization’s currency, or as a percent', () => {
  expect(sayRaise({ kind: 'fixed', amount: '2.00' }, 'USD')).toBe('+ $2.00');
  expect(sayRaise({ kind: 'percent', percent: 12.5 }, 'USD')).toBe('+ 12.5%');
});
test('console §3 promotions: of many seats a few are named, the others counted', () => {
  expect(saySeats(['Alpha, Web'], 1)).toBe('Alpha, Web');
  expect(saySeats(['Alpha, Web', 'Beta, App'], 6)).toBe('Alpha, Web; Beta, App and 4 more');
});
