/** The tick tree: regions, verticals, pages (console §3). */
import { pageCatalogue } from '#contract/page.ts';
import type { RegionPermission } from '#contract/session.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { listPlaces } from './team.sql.ts';

const PAGES = new Set(pageCatalogue.map((page) => page.value));

/** The tree as it is kept: only places of this organization, each once, and only pages of the catalogue. Throws for any other. */
export async function readTree(db: Db, organizationId: string, sent: RegionPermission[]): Promise<RegionPermission[]> {
  const { regions, verticals } = await listPlaces(db, organizationId);
  const known = new Set(regions.map((one) => one._id));
  const regionOf = new Map(verticals.map((one) => [one._id, one.regionId]));
  const seen = new Set<string>();
  for (const region of sent) {
    if (!known.has(region.regionId) || seen.has(region.regionId)) throw unknownPlace();
    seen.add(region.regionId);
    for (const { verticalId, pages } of region.verticals) {
      if (regionOf.get(verticalId) !== region.regionId || seen.has(verticalId)) throw unknownPlace();
      seen.add(verticalId);
      const unknown = pages.find((page) => !PAGES.has(page.value));
      if (unknown) throw new HttpError(400, 'page_unknown', `There is no page "${unknown.value}".`);
    }
  }
  return sent;
}

function unknownPlace(): HttpError {
  return new HttpError(404, 'vertical_unknown', 'The permissions name a region or vertical that your organization does not have.');
}

/** Every page of every place ticked: what an owner keeps who hands the ownership over. */
export async function fullTree(db: Db, organizationId: string): Promise<RegionPermission[]> {
  const { regions, verticals } = await listPlaces(db, organizationId);
  const pages = pageCatalogue.map(({ value }) => ({ value, pageChecked: true }));
  return regions.map(({ _id }) => ({
    regionId: _id,
    regionChecked: true,
    verticals: verticals.filter((one) => one.regionId === _id).map((one) => ({ verticalId: one._id, verticalChecked: true, pages })),
  }));
}
