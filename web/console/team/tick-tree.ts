/** The tick tree of permissions as the editor sees it: a set of ticked pages per vertical. */
import { pageCatalogue } from '#contract/page.ts';
import type { RegionPermission, VerticalView } from '#contract/session.ts';

/** Vertical id -> ticked page values. */
export type Ticks = ReadonlyMap<string, ReadonlySet<string>>;

export const ALL_PAGES: readonly string[] = pageCatalogue.map((page) => page.value);

export function readTicks(permissions: readonly RegionPermission[]): Ticks {
  const ticks = new Map<string, ReadonlySet<string>>();
  for (const region of permissions)
    for (const { verticalId, verticalChecked, pages } of region.verticals)
      if (region.regionChecked && verticalChecked)
        ticks.set(verticalId, new Set(pages.filter((one) => one.pageChecked).map((one) => one.value)));
  return ticks;
}

/** What is sent: only regions and verticals in which a page is ticked. */
export function writeTicks(ticks: Ticks, verticals: readonly VerticalView[]): RegionPermission[] {
  const byRegion = new Map<string, RegionPermission>();
  for (const { _id, regionId } of verticals) {
    const ticked = ticks.get(_id);
    if (!ticked?.size) continue;
    const region = byRegion.get(regionId) ?? { regionId, regionChecked: true, verticals: [] };
    const pages = ALL_PAGES.filter((value) => ticked.has(value)).map((value) => ({ value, pageChecked: true }));
    region.verticals.push({ verticalId: _id, verticalChecked: true, pages });
    byRegion.set(regionId, region);
  }
  return [...byRegion.values()];
}

/** The same ticks with these pages of these verticals on or off. */
export function setTicks(ticks: Ticks, verticalIds: readonly string[], pages: readonly string[], on: boolean): Ticks {
  const next = new Map(ticks);
  for (const id of verticalIds) {
    const ticked = new Set(next.get(id));
    for (const page of pages) on ? ticked.add(page) : ticked.delete(page);
    next.set(id, ticked);
  }
  return next;
}

/** How much of these pages in these verticals is ticked. */
export function tickState(ticks: Ticks, verticalIds: readonly string[], pages: readonly string[]): 'all' | 'some' | 'none' {
  const count = verticalIds.reduce((sum, id) => sum + pages.filter((page) => ticks.get(id)?.has(page)).length, 0);
  if (count === 0) return 'none';
  return count === verticalIds.length * pages.length ? 'all' : 'some';
}
