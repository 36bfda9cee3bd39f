import { isStanding, pageCatalogue } from '#contract/page.ts';

/** Console §6: reporting has 7 pages, the logs 1, list management 3; by their keys in the catalogue. */
const groups = [
  { label: 'Reporting', keys: [3, 4, 5, 6, 7, 8, 9] },
  { label: 'Logs', keys: [13] },
  { label: 'List management', keys: [14, 15, 20] },
  // Ours: the spec names no group for what makes a campaign earn more.
  { label: 'Growth', keys: [26, 28] },
  { label: 'Testing lab', keys: [27] },
] as const;

export interface MenuGroup {
  label: string;
  /** Of the first page that may be opened; for super admins and owners that is the first of the group. */
  route: string;
}

/** The groups of the header's menu, each leading to its first permitted page; one without any is left out. */
export function menuGroups(allowed: Readonly<Record<string, boolean>>, stands: (route: string) => boolean = isStanding): MenuGroup[] {
  return groups.flatMap(({ label, keys }) => {
    const pages = pageCatalogue.filter(({ key }) => (keys as readonly number[]).includes(key));
    const first = pages.find(({ value, route }) => allowed[value] && stands(route));
    return first ? [{ label, route: first.route }] : [];
  });
}

/** The group that a page of the catalogue, by its values, belongs to: its link is marked while the page is open. */
export const groupOf = (values: readonly string[]): string | undefined =>
  groups.find(({ keys }) => pageCatalogue.some(({ key, value }) => (keys as readonly number[]).includes(key) && values.includes(value)))
    ?.label;
