import { expect, it } from 'vitest';
import { setUpArea } from './set-up-area.ts';

it.each([
  ['/setup/us/payday/tier/add', { of: 'publisher' }, 'Publishers'],
  ['/setup/us/payday/tier/edit/1', { of: 'buyer' }, 'Buyers'],
  ['/setup/us/payday/tier/edit/1', {}, 'Buyers'],
  ['/setup/us/tier/publishers', { of: 'publisher' }, undefined],
  ['/setup/us/payday/buyers/1', {}, undefined],
])('%s with %o stands under %s', (pathname, search, area) => {
  expect(setUpArea(pathname, search)).toBe(area);
});
