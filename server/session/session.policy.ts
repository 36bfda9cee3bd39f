/** Who may do what, in sentences. Super admins and owners may everything inside the organization; members what is ticked. */
import { pageCatalogue } from '#contract/page.ts';
import type { SignedIn } from './session.sql.ts';

export function mayEverything(person: Pick<SignedIn, 'role' | 'isSuperAdmin'>): boolean {
  return person.isSuperAdmin || person.role === 'owner';
}

/** Help is of the installation: what one organization wrote there all others would read. */
export const mayEditHelp = (person: SignedIn): boolean => person.isSuperAdmin;

/** Nodes, database and queues are of the installation too, and tell how much all others do. */
export const maySeeInstallation = (person: SignedIn): boolean => person.isSuperAdmin;

/** A page opens where both the page and its vertical are ticked (console §5). */
export function mayOpenPage(person: SignedIn, page: string, regionId: string, verticalId: string): boolean {
  // Account §6: allowFSUsers are kept out of the buyer-tier logs whatever is ticked, and whoever they are.
  if (person.isRestricted && page === 'serverLogs') return false;
  if (mayEverything(person)) return true;
  const region = person.permissions.find((one) => one.regionId === regionId && one.regionChecked);
  const vertical = region?.verticals.find((one) => one.verticalId === verticalId && one.verticalChecked);
  return vertical?.pages.some((one) => one.value === page && one.pageChecked) ?? false;
}

export function mayEnterVertical(person: SignedIn, regionId: string, verticalId: string): boolean {
  if (mayEverything(person)) return true;
  const region = person.permissions.find((one) => one.regionId === regionId && one.regionChecked);
  return region?.verticals.some((one) => one.verticalId === verticalId && one.verticalChecked) ?? false;
}

/** Account §6: the set-up area is the owner's, the super admin's, and of who has the page 'setup' in a vertical. */
export function maySetUp(person: Pick<SignedIn, 'role' | 'isSuperAdmin' | 'permissions'>): 'everywhere' | 'somewhere' | false {
  if (mayEverything(person)) return 'everywhere';
  return setUpVerticals(person).length > 0 ? 'somewhere' : false;
}

/** As mayOpenPage, of a vertical whose region is not at hand. */
export function mayOpenPageIn(person: SignedIn, page: string, verticalId: string): boolean {
  return mayEverything(person) || pageVerticals(person, page).includes(verticalId);
}

/** The verticals in which a member has the page 'setup'. */
export const setUpVerticals = (person: Pick<SignedIn, 'permissions'>): string[] => pageVerticals(person, 'setup');

/** The verticals in which a page is ticked for a member. */
export function pageVerticals(person: Pick<SignedIn, 'permissions'>, value: string): string[] {
  return person.permissions
    .filter((region) => region.regionChecked)
    .flatMap((region) => region.verticals.filter((vertical) => vertical.verticalChecked))
    .filter((vertical) => vertical.pages.some((page) => page.value === value && page.pageChecked))
    .map((vertical) => vertical.verticalId);
}

export function mayOpenSomewhere(person: SignedIn, page: string): boolean {
  return mayEverything(person) || pageVerticals(person, page).length > 0;
}

export function maySetUpIn(person: SignedIn, verticalId: string): boolean {
  return mayEverything(person) || setUpVerticals(person).includes(verticalId);
}

/** Leads are read by who may open a page that drills down to them. */
export function mayReadLeads(person: SignedIn, regionId: string, verticalId: string): boolean {
  return ['leadFlow-Inbound', 'leadFlow-Outbound', 'serverLogs'].some((page) => mayOpenPage(person, page, regionId, verticalId));
}

/** Values of a person are masked for everybody; who runs the organization may look at them, and it is written down. */
export function mayUnmask(person: SignedIn): boolean {
  return mayEverything(person) && !person.isRestricted;
}

/** What leads, reports and exports are narrowed by has names, which whoever reads any of them may know. */
export function mayChooseForLeads(person: SignedIn, regionId: string, verticalId: string): boolean {
  return REPORT_PAGES.some((page) => mayOpenPage(person, page, regionId, verticalId)) || mayReadLeads(person, regionId, verticalId);
}

const REPORT_PAGES = [
  ...['leadFlow-Inbound', 'leadFlow-Outbound', 'leadFlow-Trending', 'leadFlow-PerformanceReport', 'leadFlow-RedirectReport'],
  ...['leadFlow-ReasonReport', 'buyer-timeout-track', 'comm-maps', 'compare-stats', 'Page-Stats', 'payment-processor-stats'],
  'dataMgmt-Outbound',
];

/** To say what became of a lead, given back by a buyer or bought after all, moves money: that is for who reads leads and sets the vertical up. */
export function mayDecideLeads(person: SignedIn, regionId: string, verticalId: string): boolean {
  return mayReadLeads(person, regionId, verticalId) && mayOpenPage(person, 'setup', regionId, verticalId);
}

/** The feed tells rows of the leads list as they end. */
export function mayFollowLeads(person: SignedIn, regionId: string, verticalId: string): boolean {
  return mayReadOverview(person, regionId, verticalId) || mayReadLeads(person, regionId, verticalId);
}

export function mayReadOverview(person: SignedIn, regionId: string, verticalId: string): boolean {
  return mayOpenPage(person, 'overview', regionId, verticalId);
}

/** Page value -> allowed anywhere; the server decides again for each region and vertical. */
export function pageStatePermission(person: SignedIn): Record<string, boolean> {
  const ticked = new Set(
    person.permissions
      .filter((region) => region.regionChecked)
      .flatMap((region) => region.verticals.filter((vertical) => vertical.verticalChecked))
      .flatMap((vertical) => vertical.pages.filter((page) => page.pageChecked).map((page) => page.value)),
  );
  // Account §6: allowFSUsers are kept out of the logs, whoever they are.
  const isOpen = (value: string) => (mayEverything(person) || ticked.has(value)) && !(person.isRestricted && value === 'serverLogs');
  return Object.fromEntries(pageCatalogue.map((page) => [page.value, isOpen(page.value)]));
}

/** Page value -> allowed in this one vertical (console §6: page access is evaluated per vertical). */
export function pageStatePermissionIn(person: SignedIn, regionId: string, verticalId: string): Record<string, boolean> {
  return Object.fromEntries(pageCatalogue.map(({ value }) => [value, mayOpenPage(person, value, regionId, verticalId)]));
}

/** The pages this person may open somewhere, in the order of the catalogue: the first is where a member begins. */
export function globalPermission(person: SignedIn): { route: string; value: string }[] {
  const allowed = pageStatePermission(person);
  return pageCatalogue.filter((page) => allowed[page.value]).map(({ route, value }) => ({ route, value }));
}
