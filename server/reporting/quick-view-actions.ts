/** What the quick view offers beside its own four actions (console §2): only what the person may open. */
import { pageCatalogue } from '#contract/page.ts';
import { QUICK_VIEW_TYPE, type QuickViewAction, type QuickViewIcon } from '#contract/reporting.ts';
import { mayEditHelp, mayOpenPage, mayOpenSomewhere, mayReadLeads, maySeeInstallation } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { mayRunOrganization } from '#server/team/team.policy.ts';

export interface ActionPlace {
  regionId: string;
  regionSlug: string;
  verticalId: string;
  verticalSlug: string;
}

/** `place`: null where no vertical is chosen; then only actions without one are left. */
export function listQuickViewActions(person: SignedIn, place: ActionPlace | null, regionId: string | undefined): QuickViewAction[] {
  if (person.bound) return [screen(`setup/home-${person.bound.kind}`, 'Your portal', 'page'), passwordScreen];
  return [...(place ? listPlaceScreens(person, place) : []), ...listOwnScreens(person), documentation, ...listAdding(person, regionId)];
}

function listPlaceScreens(person: SignedIn, { regionId, verticalId, regionSlug, verticalSlug }: ActionPlace): QuickViewAction[] {
  const params = { slugR: regionSlug, slugV: verticalSlug };
  const pages = pageCatalogue.filter((page) => mayOpenPage(person, page.value, regionId, verticalId));
  const leads = mayReadLeads(person, regionId, verticalId) ? [screen('leads', 'Leads', 'leads', params)] : [];
  const screens = pages.flatMap((page) => [
    screen(page.route, page.label, page.value === 'overview' ? 'overview' : 'page', params),
    ...(page.value === 'leadFlow-Inbound' ? [screen('subId-specific-report', 'Sub ids', 'page', params)] : []),
  ]);
  const setUp = mayOpenPage(person, 'setup', regionId, verticalId) ? SET_UP : [];
  // Leads stand after the overview, as in the menu.
  const after = pages[0]?.value === 'overview' ? 1 : 0;
  return [...screens.toSpliced(after, 0, ...leads), ...setUp.map(({ route, label }) => screen(route, label, 'page', params))];
}

/** The screens that the page permission 'setup' opens; they have no entries of their own in the catalogue. */
const SET_UP = [
  { route: 'campaigns', label: 'Campaigns' },
  { route: 'publishers', label: 'Publishers' },
  { route: 'buyers', label: 'Buyers' },
  { route: 'third-party-service', label: 'Third-party services' },
  { route: 'contact', label: 'Contacts' },
  { route: 'cards', label: 'Cards' },
  { route: 'configuration', label: 'Vertical configuration' },
] as const;

function listOwnScreens(person: SignedIn): QuickViewAction[] {
  const preferences = mayRunOrganization(person)
    ? [
        screen('preferences', 'Preferences', 'settings'),
        screen('regions', 'Regions and verticals', 'settings'),
        screen('change-logs-mgmt', 'Change log', 'settings'),
        screen('security-log', 'Sign-ins and refusals', 'settings'),
      ]
    : [];
  // Both show verticals whose overview is open; without one they are empty.
  const homes = mayOpenSomewhere(person, 'overview')
    ? [screen('setup/home-buyer', 'Buyers today', 'page'), screen('setup/home-publisher', 'Publishers today', 'page')]
    : [];
  return [
    ...homes,
    ...preferences,
    ...(mayEditHelp(person) ? [screen('help-content', 'Help content', 'book')] : []),
    ...(maySeeInstallation(person) ? [screen('installation-health', 'Installation health', 'settings')] : []),
    passwordScreen,
    // Account §6: for everybody who is signed in.
    screen('bins-lookup', 'BIN look-up', 'page'),
    screen('monitor/online-users', 'Online users', 'people'),
  ];
}

const documentation: QuickViewAction = {
  type: QUICK_VIEW_TYPE.url,
  id: 'docs',
  icon: 'book',
  name: 'API documentation',
  URLName: '/docs',
  params: {},
};

function listAdding(person: SignedIn, regionId: string | undefined): QuickViewAction[] {
  if (!mayRunOrganization(person)) return [];
  const params = regionId ? { regionId } : {};
  return [{ type: QUICK_VIEW_TYPE.addVertical, id: 'add-vertical', icon: 'plus', name: 'Add vertical', URLName: '', params }];
}

function screen(route: string, name: string, icon: QuickViewIcon, params: QuickViewAction['params'] = {}): QuickViewAction {
  return { type: QUICK_VIEW_TYPE.screen, id: route, icon, name, URLName: route, params };
}

const passwordScreen = screen('change-password', 'Password and sessions', 'lock');
