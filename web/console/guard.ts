/**
 * Who is sent where (account §4 "Route guard", §6): one pure decision for every address of the console. The server decides again
 * at every call.
 */
import { isStanding, pageCatalogue } from '#contract/page.ts';
import type { BoundTo, RegionView, SessionView, VerticalView } from '#contract/session.ts';

export interface GuardedPlaces {
  regions: readonly RegionView[];
  verticals: readonly VerticalView[];
  archived?: readonly { region: RegionView; vertical: VerticalView }[];
}

/** `open`, or where to go instead, and what is told there of the address that was asked for: that it is none, or not for this person. */
export type Verdict = { open: true } | { open: false; to: string; missed?: 'lostAt' | 'barredFrom' };

const OPEN: Verdict = { open: true };
const go = (to: string): Verdict => ({ open: false, to });
const barred = (to: string): Verdict => ({ open: false, to, missed: 'barredFrom' });
const lost = (to: string): Verdict => ({ open: false, to, missed: 'lostAt' });

/** For who is signed out: a signed-in person has nothing to do there. */
const LOGIN_TYPE = ['login', 'forgot-password', 'reset-mfa', 'register', 'member-register'];
/** Links that carry their own authority, and pages for everybody. The eligibility checker is opened by the token in its address alone. */
const PUBLIC = ['reset', 'invitation', 'invitation-confirm-email', 'drawcard', 'eligibility-checker-tool'];
const OWNER_ONLY = ['organization-edit', 'team', 'preferences', 'regions', 'change-logs-mgmt', 'security-log'];
/** What belongs to the installation, and to no organization. */
const SUPER_ADMIN_ONLY = ['help-content', 'installation-health'];
const ALWAYS_OPEN = ['change-profile', 'change-password', 'home', 'bins-lookup', 'no-permission', 'monitor'];
const ALWAYS_OPEN_IN_SETUP = ['home-buyer', 'home-publisher', 'third-party-service'];
/** The screens that the page permission 'setup' opens. */
const SETUP_AREA = [
  'flow-control',
  'publishers',
  'buyers',
  'campaigns',
  'tier',
  'contact',
  'third-party-service',
  'cards',
  'configuration',
  'change-requests',
];
/** Console §2: names of pages that stand under another address. What follows the name, an id, stays. */
const NAMED: Record<string, string> = {
  setup: 'flow-control',
  verticalConfiguration: 'configuration',
  campaignEdit: 'campaigns',
  publisherEdit: 'publishers',
  buyerEdit: 'buyers',
};
/** Pages without a key of their own: any of these permissions opens them. */
const DRILL_DOWN: Record<string, readonly string[]> = {
  leads: ['leadFlow-Inbound', 'leadFlow-Outbound', 'serverLogs'],
  'subId-specific-report': ['leadFlow-Inbound'],
};
/** What account §4 calls a missing region or vertical. */
const MISSING = ['', 'none', '9999'];

/** Account §4: the landing, and pages whose only use is to sign in or to become able to. */
export const isBeforeSignIn = (path: string): boolean => {
  const [first = ''] = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  return first === '' || LOGIN_TYPE.includes(first) || PUBLIC.includes(first);
};

/** The address below region and vertical of a page that goes by another name; undefined for every other. */
export function pageNamed(page: string): string | undefined {
  const [first = '', ...rest] = page.split('/');
  return NAMED[first] && [NAMED[first], ...rest].join('/');
}

/** Whether nothing of the console stands, or will stand, at this address. */
export function isUnknownAddress(path: string): boolean {
  const [first = '', second = '', third = '', ...page] = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  if (first === 'setup') return third !== 'no-vertical' && page.length > 0 && pageValues(page).length === 0;
  return !isBeforeSignIn(path) && ![...OWNER_ONLY, ...SUPER_ADMIN_ONLY, ...ALWAYS_OPEN].includes(first) && second !== 'trackProcess';
}

export function guardRoute(path: string, session: SessionView, places: GuardedPlaces): Verdict {
  const words = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  const [first = '', second = '', third = ''] = words;
  if (PUBLIC.includes(first)) return OPEN;
  const isLoginType = LOGIN_TYPE.includes(first);
  const isKnown = [...OWNER_ONLY, ...SUPER_ADMIN_ONLY, ...ALWAYS_OPEN, 'setup'].includes(first) || second === 'trackProcess';
  // Account §2: an unknown address leads anyone else to the sign-in; account §4: a protected one to '/'.
  if (!session.status || !session.permissionObj) return isLoginType || first === '' ? OPEN : go(isKnown ? '/' : '/login');
  if (isLoginType || first === '') return go(startPath(session, places));
  if (session.permissionObj.bound) return guardPortal(words, portalPath(session.permissionObj.bound));
  if (OWNER_ONLY.includes(first)) return mayEverything(session) ? OPEN : barred(startPath(session, places));
  if (SUPER_ADMIN_ONLY.includes(first)) return session.permissionObj.isSuperAdmin ? OPEN : barred(startPath(session, places));
  if (ALWAYS_OPEN.includes(first) || words[1] === 'trackProcess') return OPEN;
  if (first === 'setup' && ALWAYS_OPEN_IN_SETUP.includes(second)) return OPEN;
  // A region that is none has nothing to be set up where there are others.
  if (first === 'setup' && third === 'no-vertical')
    return places.regions.length === 0 || places.regions.some((one) => one.slug === second) ? OPEN : go(startPath(session, places));
  if (first === 'setup' && words.length >= 3) return guardPage(session, places, second, third, words.slice(3));
  return go(startPath(session, places));
}

/** A member of a portal has the own profile and sign-in beside it, and nothing else. */
const OPEN_TO_PORTALS = ['change-profile', 'change-password'];
const portalPath = ({ kind }: BoundTo): string => `/setup/home-${kind}`;

function guardPortal(words: string[], portal: string): Verdict {
  return `/${words.join('/')}` === portal || OPEN_TO_PORTALS.includes(words.join('/')) ? OPEN : barred(portal);
}

function guardPage(session: SessionView, places: GuardedPlaces, regionSlug: string, verticalSlug: string, page: string[]): Verdict {
  if (!hasAnyPage(session)) return go('/no-permission');
  const isLiving = places.verticals.some(
    (one) => one.slug === verticalSlug && places.regions.some(({ _id, slug }) => _id === one.regionId && slug === regionSlug),
  );
  const archived = isLiving
    ? undefined
    : places.archived?.find((one) => one.region.slug === regionSlug && one.vertical.slug === verticalSlug);
  if (archived) return guardArchived(session, places, archived.vertical, `/setup/${regionSlug}/${verticalSlug}/leads`, page);
  // A place that somebody may not work in is to them as one that is none; who may everything knows better.
  const elsewhere = mayEverything(session) ? lost : barred;
  const region = places.regions.find((one) => one.slug === regionSlug);
  if (!region) return MISSING.includes(regionSlug) ? go(noVertical(places.regions[0]?.slug)) : elsewhere(startPath(session, places));
  const vertical = places.verticals.find((one) => one.regionId === region._id && one.slug === verticalSlug);
  if (!vertical) return MISSING.includes(verticalSlug) ? go(noVertical(region.slug)) : elsewhere(noVertical(region.slug));
  if (mayOpen(session, vertical, page)) return OPEN;
  const instead = firstPermitted(session, region, vertical) ?? startPath(session, places);
  // Who names no page has asked for none.
  return page.length === 0 ? go(instead) : barred(instead);
}

/** Of an archived vertical only its leads are still there. */
function guardArchived(session: SessionView, places: GuardedPlaces, vertical: VerticalView, leads: string, page: string[]): Verdict {
  if (!mayOpen(session, vertical, ['leads'])) return barred(startPath(session, places));
  return page[0] === 'leads' ? OPEN : go(leads);
}

/** Whether these words after region and vertical are a page that is ticked there. */
function mayOpen(session: SessionView, vertical: VerticalView, page: string[]): boolean {
  const value = pageValues(page);
  const { isRestricted } = session.permissionObj!;
  const open = value.filter((one) => !(isRestricted && one === 'serverLogs'));
  if (mayEverything(session)) return page.length === 0 || open.length > 0;
  const ticked = tickedIn(session, vertical);
  return open.some((one) => ticked.includes(one));
}

/** The page values that open an address; none when no page of the catalogue stands there. */
export function pageValues(page: string[]): readonly string[] {
  const first = page[0] ?? '';
  if (SETUP_AREA.includes(first) || NAMED[first]) return ['setup'];
  if (DRILL_DOWN[first]) return DRILL_DOWN[first];
  const logs = first === 'server-logs' ? ['serverLogs'] : undefined;
  const text = page.join('/');
  const found = pageCatalogue.filter((one) => text === one.route || text.startsWith(`${one.route}/`));
  // The longest route wins: bin-mgmt/bin-lookup is not bin-mgmt.
  const longest = found.sort((a, b) => b.route.length - a.route.length)[0];
  return logs ?? (longest ? [longest.value] : []);
}

function tickedIn(session: SessionView, vertical: VerticalView): string[] {
  const region = session.permissionObj!.permissions.find((one) => one.regionId === vertical.regionId && one.regionChecked);
  const place = region?.verticals.find((one) => one.verticalId === vertical._id && one.verticalChecked);
  return place?.pages.filter((one) => one.pageChecked).map((one) => one.value) ?? [];
}

/** Page value -> allowed in this one vertical (console §6); the same answer as the server's when the vertical is changed. */
export function pageStatesIn(session: SessionView, vertical: VerticalView): Record<string, boolean> {
  return Object.fromEntries(pageCatalogue.map(({ value, route }) => [value, mayOpen(session, vertical, route.split('/'))]));
}

/** What may be opened in a vertical; without one, what may be opened anywhere. */
export function permissionIn(session: SessionView, vertical: VerticalView | undefined): SessionView['permissionObj'] {
  const permission = session.permissionObj;
  return permission && vertical ? { ...permission, pageStatePermission: pageStatesIn(session, vertical) } : permission;
}

export const mayEverything = (session: SessionView): boolean =>
  session.permissionObj !== null && (session.permissionObj.isSuperAdmin || session.permissionObj.isOwner);

/** Console §6: who was given no page anywhere. */
function hasAnyPage(session: SessionView): boolean {
  if (mayEverything(session)) return true;
  return session.permissionObj!.globalPermission.some((one) => !(session.permissionObj!.isRestricted && one.value === 'serverLogs'));
}

const noVertical = (region: string | undefined): string => `/setup/${region ?? 'none'}/no-vertical`;

/** Account §6: the set-up area for super admins, owners and 'setup'; otherwise the first page that is ticked there. */
function firstPermitted(session: SessionView, region: RegionView, vertical: VerticalView): string | undefined {
  const base = `/setup/${region.slug}/${vertical.slug}`;
  if (mayOpen(session, vertical, ['flow-control'])) return `${base}/flow-control`;
  const first = pageCatalogue.find(({ route }) => mayOpen(session, vertical, route.split('/')));
  return first && `${base}/${first.route}`;
}

/** Where somebody begins: in the first place where they may open anything. */
export function startPath(session: SessionView, places: GuardedPlaces): string {
  if (session.permissionObj?.bound) return portalPath(session.permissionObj.bound);
  if (!hasAnyPage(session)) return '/no-permission';
  const landing = landingPath(session, places);
  if (landing) return landing;
  for (const vertical of places.verticals) {
    const region = places.regions.find((one) => one._id === vertical.regionId);
    const path = region && firstPermitted(session, region, vertical);
    if (path) return path;
  }
  return places.verticals.length > 0 ? '/no-permission' : noVertical(places.regions[0]?.slug);
}

/** Account §6 opens /setup/third-party-service to everybody; the services lie in a vertical: the first that the person may set up. */
export function servicesPath(session: SessionView, places: GuardedPlaces): string {
  const vertical = places.verticals.find((one) => mayOpen(session, one, ['third-party-service']));
  const region = places.regions.find((one) => one._id === vertical?.regionId);
  return vertical && region ? `/setup/${region.slug}/${vertical.slug}/third-party-service` : '/home';
}

/** The page that the organization prefers its members to begin with, where they may open it; set-up comes before it (account §6). */
function landingPath(session: SessionView, places: GuardedPlaces): string | undefined {
  const page = pageCatalogue.find((one) => one.value === session.organization?.landingPage);
  if (!page || mayEverything(session) || session.permissionObj?.pageStatePermission.setup) return undefined;
  const vertical = places.verticals.find((one) => mayOpen(session, one, page.route.split('/')));
  const region = places.regions.find((one) => one._id === vertical?.regionId);
  return vertical && region && `/setup/${region.slug}/${vertical.slug}/${page.route}`;
}

/**
 * What opens where nothing is, below region and vertical: for an address that goes on behind a page ("overview/more") that page; for a
 * page that there is not the overview, or, for who may not open that, the start page.
 */
export function standIn(page: string, place: { region: string; vertical: string }, mayOverview: boolean): string {
  const base = `/setup/${place.region}/${place.vertical}`;
  const stem = pageCatalogue.find(({ route }) => page.startsWith(`${route}/`));
  if (stem) return `${base}/${stem.route}`;
  return mayOverview && !isStanding(page) ? `${base}/overview` : '/home';
}
