import { expect, test } from 'vitest';
import { readNext } from './next-page.ts';

test('a page of this site is kept', () => {
  expect(readNext('/setup/us/payday/leads?status=sold')).toBe('/setup/us/payday/leads?status=sold');
});
// What is left after a slash stays with this host, whatever it looks like.
test.each(['/%5Cevil.example', '/@evil.example', '/./ /evil.example', '/..//evil.example', '/setup/../..//evil.example'])(
  'B5: %s is a path of this site',
  (value) => {
    expect(readNext(value)).toBe(value);
    expect(new URL(`/#!${value}`, 'https://acme.example').host).toBe('acme.example');
  },
);
test.each([
  '//evil.example',
  '/\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '///evil.example/x',
  'https://evil.example',
  'https:evil.example',
  'javascript:alert(1)',
  'data:text/html,<script>1</script>',
  '@evil.example',
  '.evil.example',
  '',
  '/login',
  '/login?next=/login',
  undefined,
  7,
])('B5: %s is no page to go to', (value) => {
  expect(readNext(value)).toBeUndefined();
});
