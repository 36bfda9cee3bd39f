import { expect, test } from 'vitest';
import { slugOf } from './slug-of.ts';

test.each([
  ['Auto insurance', 'auto-insurance'],
  ['  Prêt & crédit!  ', 'pret-credit'],
  ['---', ''],
  ['x'.repeat(60), 'x'.repeat(40)],
])('the address of the vertical "%s" is %s', (name, slug) => {
  expect(slugOf(name)).toBe(slug);
});
