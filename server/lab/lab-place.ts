/** Who may work in the testing lab (page key 27), and where. */
import type { TreeChoice } from '#contract/replay.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { findDraft, findVersion, listGroups } from '#server/campaign/tree.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { forbidden } from '#server/lead/lead.console.routes.ts';
import type { Change } from '#server/record/record-change.ts';
import { type Place, requirePlace } from '#server/region/region.routes.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';

export const LAB_PAGE = 'testing-lab';

export async function requireLab({ tx, person }: Change, slugs: { region: string; vertical: string }): Promise<Place> {
  const place = await requirePlace(tx, person, slugs);
  if (!mayOpenPage(person, LAB_PAGE, place.regionId, place.verticalId)) throw forbidden();
  return place;
}

/** A campaign of a vertical whose lab the person may use, with its place; 404 `campaign_unknown` otherwise. */
export async function requireLabCampaign({ tx, person }: Change, campaignId: string): Promise<Place & { id: string; name: string }> {
  const row = isId(campaignId)
    ? await tx
        .selectFrom('campaign as c')
        .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'c.organization_id').onRef('v.id', '=', 'c.vertical_id'))
        .innerJoin('region as r', (join) => join.onRef('r.organization_id', '=', 'v.organization_id').onRef('r.id', '=', 'v.region_id'))
        .select(['c.id', 'c.name', 'c.vertical_id', 'v.region_id', 'v.slug as vertical_slug', 'r.slug as region_slug'])
        .where('c.organization_id', '=', person.organizationId)
        .where('c.id', '=', campaignId)
        .where('c.status', '<>', 'archived')
        .executeTakeFirst()
    : undefined;
  if (!row || !mayOpenPage(person, LAB_PAGE, row.region_id, row.vertical_id))
    throw new HttpError(404, 'campaign_unknown', 'There is no such campaign in your reach.');
  const { id, name, region_id, region_slug, vertical_id, vertical_slug } = row;
  return { id, name, regionId: region_id, regionSlug: region_slug, verticalId: vertical_id, verticalSlug: vertical_slug };
}

/** The groups of the tree that was chosen. */
export async function requireTree({ tx, person }: Change, campaignId: string, choice: TreeChoice): Promise<TreeGroup[]> {
  const { organizationId } = person;
  switch (choice.tree) {
    case 'published':
      return listGroups(tx, organizationId, campaignId);
    case 'draft': {
      const draft = await findDraft(tx, organizationId, campaignId, false);
      if (!draft)
        throw new HttpError(
          409,
          'draft_missing',
          'There is no draft of this tree any more. Draw one in flow-control, or choose another tree.',
        );
      return draft.groups as TreeGroup[];
    }
    case 'version': {
      const version = isId(choice.versionId) ? await findVersion(tx, organizationId, campaignId, choice.versionId) : undefined;
      if (!version) throw new HttpError(404, 'tree_version_unknown', 'There is no such published tree of this campaign.');
      return version.groups as TreeGroup[];
    }
  }
}
