import { expect, it } from 'vitest';
import { keptReason, readBin, shownTransaction } from './payment-text.ts';

it.each([
  ['457173', '457173'],
  ['4571 7312', '45717312'],
  ['4571731234567890', '45717312'],
  ['4571-7312-3456-7890', '45717312'],
  ['457173******1234', '457173'],
  ['45717', undefined],
  ['457173123', undefined],
  ['card', undefined],
  ['45717312345678901234', undefined],
])('of %j the BIN is %j', (text, bin) => expect(readBin(text)).toBe(bin));

it('a reason is one line without a card number', () => {
  expect(keptReason('  Do not\n honor ')).toBe('Do not honor');
  expect(keptReason('Card 4571 7312 3456 7890 expired')).toBe('Card 45717312… expired');
  expect(keptReason('x'.repeat(500))).toHaveLength(120);
});

it('a transaction id that is a card number by its check digit is cut where it is shown', () => {
  expect(shownTransaction('4111111111111111')).toBe('41111111…');
  expect(shownTransaction('4111111111111112')).toBe('4111111111111112');
  expect(shownTransaction('pi_3Nabc')).toBe('pi_3Nabc');
});
