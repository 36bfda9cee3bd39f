import { expect, test } from 'vitest';
import { showsSpinner } from './spinner-rule.ts';

test.each([
  ['/setup/us/payday/overview', true],
  ['/setup/us/payday/leads?status=sold', true],
  ['/home', true],
  ['/', true],
  ['/change-profile', false],
  ['/team', false],
  ['/login?next=%2F', false],
  ['/setup/us/payday/tier/add', false],
  ['/setup/us/payday/tier/edit/7', false],
  ['/setup/us/payday/contact/edit/7', false],
  ['/contact/add', false],
])('account §2: the global spinner on the way to %s: %s', (path, shown) => {
  expect(showsSpinner(path)).toBe(shown);
});
