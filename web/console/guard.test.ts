import { expect, test } from 'vitest';
import { isBeforeSignIn, isUnknownAddress, pageValues, standIn } from './guard.ts';

test('console §6: subId-specific-report is opened by key 3, as the report it drills down from', () => {
  expect(pageValues(['subId-specific-report'])).toEqual(['leadFlow-Inbound']);
  expect(pageValues(['subId-specific-report', '7'])).toEqual(['leadFlow-Inbound']);
});
test.each(['/somewhere', '/team-of-mine', '/setup/us/payday/nowhere', '/setup/us/payday/nowhere/else?q=1'])(
  'account §2: %s is an unknown address',
  (path) => expect(isUnknownAddress(path)).toBe(true),
);
test.each([
  ...['/', '/login', '/drawcard/card/1', '/eligibility-checker-tool/T', '/team', '/home', '/7/trackProcess', '/setup', '/setup/us/payday'],
  ...['/setup/us/no-vertical', '/setup/us/payday/overview', '/setup/us/payday/tier/edit/7', '/setup/us/payday/subId-specific-report'],
])('account §2: %s is a known address', (path) => expect(isUnknownAddress(path)).toBe(false));
test('console §4: at pages of the login type nobody is sent away for being signed out', () => {
  expect(['/', '/login', '/register', '/reset/T'].filter((path) => !isBeforeSignIn(path))).toEqual([]);
  expect(['/home', '/setup/us/payday/leads', '/somewhere'].filter((path) => isBeforeSignIn(path))).toEqual([]);
});

test.each([
  ['overview/more', true, '/setup/us/payday/overview'],
  ['flow-control/a/b', false, '/setup/us/payday/flow-control'],
  ['payment-processor-stats', true, '/setup/us/payday/overview'],
  ['payment-processor-stats', false, '/home'],
  ['tier/of/nothing', true, '/home'],
] as const)('account §2: at %s, the overview open: %s, %s opens instead', (page, mayOverview, opened) =>
  expect(standIn(page, { region: 'us', vertical: 'payday' }, mayOverview)).toBe(opened),
);
