/** Which page stays open when the vertical is changed (console §4); pages are routes below region and vertical, e.g. "publishers/7/edit". */
import { pageCatalogue } from '#contract/page.ts';
import { pageValues } from './guard.ts';

/** Lists whose single records belong to one vertical. */
const LISTS = ['publishers', 'buyers', 'campaigns', 'contact', 'third-party-service', 'cards', 'page-stats', 'leads'];
/** Lists that are a tab of their page. */
const TABS = ['testing-lab/samples', 'testing-lab/replay', 'payment-processor-stats/processors'];
/** Tiers are edited at an address of their own; they are listed with the publisher or buyer whose they are. */
const PARTS = ['tier'];

/** Console §4: an edit screen returns to its list; every other page is its own answer. `search`: what stands behind '?'. */
export function listOfEdit(page: string, search: string = ''): string {
  const [first = '', ...rest] = page.split('/').filter(Boolean);
  if (PARTS.includes(first)) return /buyer/i.test(search) ? 'buyers' : 'publishers';
  const tab = TABS.find((one) => page.startsWith(`${one}/`));
  return tab ?? (LISTS.includes(first) && rest.length > 0 ? first : page);
}

/**
 * The page to open in a vertical where `allowed` (page value -> may it be opened) holds: the same page or its list, or the first
 * allowed one in the order of the catalogue, overview first. Undefined where nothing is allowed.
 */
export function pageInVertical(page: string | null, allowed: Readonly<Record<string, boolean>>, search: string = ''): string | undefined {
  const wanted = page === null ? 'overview' : listOfEdit(page, search);
  const isAllowed = (route: string) => pageValues(route.split('/').filter(Boolean)).some((value) => allowed[value]);
  if (isAllowed(wanted)) return wanted;
  return pageCatalogue.find(({ value }) => allowed[value])?.route;
}

/** The page of an address of the console, or null where it has no region and vertical or is no-vertical. */
export function pageOfPath(path: string): string | null {
  const [first, , vertical, ...page] = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  if (first !== 'setup' || vertical === undefined || vertical === 'no-vertical' || page.length === 0) return null;
  return page.join('/');
}
