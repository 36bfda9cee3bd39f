import { pageCatalogue } from '#contract/page.ts';

/** Console §6: reporting has 7 pages, the logs 1, list management 3; by their keys in the catalogue. */
interface Group {
  label: string;
  keys: readonly number[];
  /** Pages that share its tabs: where none of its own is open, it leads to the first of these. */
  beside?: readonly number[];
}

const groups: readonly Group[] = [
  { label: 'Reporting', keys: [3, 4, 5, 6, 7, 8, 9], beside: [2, 12, 25, 30, 31] },
  { label: 'Logs', keys: [13] },
  { label: 'List management', keys: [14, 15, 20], beside: [21, 22, 23] },
  // Ours: the spec names no group for what makes a campaign earn more.
  { label: 'Growth', keys: [26, 27, 28] },
];

export interface MenuGroup {
  label: string;
  /** Of the first page that may be opened; for super admins and owners that is the first of the group. */
  route: string;
}

/** The groups of the header's menu, each leading to its first permitted page; one without any is left out. */
export function menuGroups(allowed: Readonly<Record<string, boolean>>): MenuGroup[] {
  const firstOf = (keys: readonly number[]) => pageCatalogue.find(({ key, value }) => keys.includes(key) && allowed[value]);
  return groups.flatMap(({ label, keys, beside = [] }) => {
    const first = firstOf(keys) ?? firstOf(beside);
    return first ? [{ label, route: first.route }] : [];
  });
}

/** The group that a page of the catalogue, by its values, belongs to: its link is marked while the page is open. */
export const groupOf = (values: readonly string[]): string | undefined =>
  groups.find(({ keys, beside = [] }) =>
    pageCatalogue.some(({ key, value }) => [...keys, ...beside].includes(key) && values.includes(value)),
  )?.label;
