import { expect, test } from 'vitest';
import { readNext } from './next-page.ts';

test('a page of this site is kept', () => {
  expect(readNext('/setup/us/payday/leads?status=sold')).toBe('/setup/us/payday/leads?status=sold');
});
test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  '',
  '/login',
  '/login?next=/login',
  undefined,
  7,
])('B5: %s is no page to go to', (value) => {
  expect(readNext(value)).toBeUndefined();
});
