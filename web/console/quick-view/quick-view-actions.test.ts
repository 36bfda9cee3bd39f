import { expect, test } from 'vitest';
import { defaultActions, matchActions, type QuickAction, screenPath, stepActive } from './quick-view-actions.ts';

const names = (actions: readonly QuickAction[]) => actions.map((one) => one.name);
const screen = (URLName: string, params = {}) => ({ type: 1, id: URLName, icon: 'page', name: URLName, URLName, params }) as const;

test('console §2: the default actions; team and organization only for who may', () => {
  expect(names(defaultActions(true))).toEqual(['Change Profile', 'Team', 'Account Settings', 'Logout']);
  expect(names(defaultActions(false))).toEqual(['Change Profile', 'Logout']);
});
test.each([
  ['', ['Change Profile', 'Team', 'Account Settings', 'Logout']],
  ['  TEAM ', ['Team']],
  ['organization', ['Account Settings']],
  ['edit account', ['Account Settings']],
  ['t', ['Team', 'Account Settings', 'Logout']],
  ['nothing like it', []],
])('console §2: the search box with "%s"', (term, found) => {
  expect(names(matchActions(defaultActions(true), term))).toEqual(found);
});
test('console §2: arrows go round the list', () => {
  const actions = defaultActions(false);
  expect(stepActive(actions, 'change-profile', 1)).toBe('logout');
  expect(stepActive(actions, 'logout', 1)).toBe('change-profile');
  expect(stepActive(actions, 'change-profile', -1)).toBe('logout');
  expect(stepActive([], undefined, 1)).toBeUndefined();
});
test('console §2: a screen of a vertical has both slugs in its address', () => {
  expect(screenPath(screen('lead-flow/inbound', { slugR: 'us', slugV: 'payday' }))).toBe('/setup/us/payday/lead-flow/inbound');
  expect(screenPath(screen('preferences'))).toBe('/preferences');
});
