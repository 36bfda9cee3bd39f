import { expect, test } from 'vitest';
import { readBinDigits, readBinRange, sayBinRange } from './bin-digits.ts';

test.each([
  ['457173', undefined, 45717300, 45717399, '457173'],
  ['4571736', undefined, 45717360, 45717369, '4571736'],
  ['457173', '457179', 45717300, 45717999, '457173–457179'],
  ['45717360', '45717399', 45717360, 45717399, '45717360–45717399'],
  ['4571736000000000', '4571736999999999', 45717360, 45717369, '45717360–45717369'],
  ['000000', '0000 01', 0, 199, '000000–000001'],
])('a range of BINs: %s to %s', (from, to, first, last, said) => {
  const span = readBinRange(from, to);
  expect(span).toMatchObject({ first, last });
  expect(sayBinRange(span!)).toBe(said);
});

test.each([['45717'], [''], ['45717a'], ['457179', '457173']])('what is no range: %s %s', (from, to?: string) => {
  expect(readBinRange(from, to)).toBeUndefined();
});

test('a look-up takes six to eight digits only', () => {
  expect(['457173', '45 71-73', '457173601'].map((text) => readBinDigits(text)?.digits)).toEqual([6, 6, undefined]);
});
