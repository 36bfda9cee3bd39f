import { expect, test } from 'vitest';
import type { SessionView } from '#contract/session.ts';
import { type GuardedPlaces, guardRoute, isBeforeSignIn, isUnknownAddress, pageValues, standIn } from './guard.ts';

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
  ['nowhere', true, '/setup/us/payday/overview'],
  ['nowhere', false, '/home'],
  ['tier/of/nothing', true, '/home'],
] as const)('account §2: at %s, the overview open: %s, %s opens instead', (page, mayOverview, opened) =>
  expect(standIn(page, { region: 'us', vertical: 'payday' }, mayOverview)).toBe(opened),
);

const places: GuardedPlaces = {
  regions: [{ _id: 'r', slug: 'us', name: 'United States', country: 'us' }],
  verticals: [{ _id: 'v', slug: 'payday', name: 'Payday', uid: 'payday-us', regionId: 'r' }],
};
function sessionOf(pages: string[], isOwner = false): SessionView {
  const ticked = pages.map((value) => ({ value, pageChecked: true }));
  const verticals = [{ verticalId: 'v', verticalChecked: true, pages: ticked }];
  const permissionObj = {
    ...{ isSuperAdmin: false, isOwner, isRestricted: false },
    pageStatePermission: Object.fromEntries(pages.map((value) => [value, true])),
    globalPermission: pages.map((value) => ({ value, route: value })),
    permissions: [{ regionId: 'r', regionChecked: true, verticals }],
  };
  return { status: true, permissionObj } as unknown as SessionView;
}
const LOGS = '/setup/us/payday/server-logs/buyer-tier-logs';
test.each([
  ['/setup/us/payday/overview', false, { open: false, to: LOGS, missed: 'barredFrom' }],
  ['/setup/mars/payday/overview', false, { open: false, to: LOGS, missed: 'barredFrom' }],
  ['/setup/us/auto/leads', false, { open: false, to: '/setup/us/no-vertical', missed: 'barredFrom' }],
  ['/team', false, { open: false, to: LOGS, missed: 'barredFrom' }],
  ['/setup/us/payday/leads', false, { open: true }],
  // Nobody asked for a page of these.
  ['/setup/us/payday', false, { open: false, to: LOGS }],
  ['/login', false, { open: false, to: LOGS }],
  ['/setup/us/9999/overview', false, { open: false, to: '/setup/us/no-vertical' }],
  // To who may everything, what is not there is no matter of permissions.
  ['/setup/us/auto/leads', true, { open: false, to: '/setup/us/no-vertical', missed: 'lostAt' }],
])('console §4: at %s, for the owner: %s, the guard says where to go and what to tell', (path, isOwner, verdict) =>
  expect(guardRoute(path, sessionOf(['serverLogs'], isOwner), places)).toEqual(verdict),
);

test.each(['/help-content', '/installation-health'])('what belongs to the installation is a super admin’s, and no owner’s: %s', (path) => {
  const owner = sessionOf([], true);
  expect(guardRoute(path, owner, places)).toMatchObject({ open: false, missed: 'barredFrom' });
  const superAdmin = { ...owner, permissionObj: { ...owner.permissionObj!, isOwner: false, isSuperAdmin: true } };
  expect(guardRoute(path, superAdmin, places)).toEqual({ open: true });
  expect(guardRoute(path, { status: false, permissionObj: null } as unknown as SessionView, places)).toEqual({ open: false, to: '/' });
});
