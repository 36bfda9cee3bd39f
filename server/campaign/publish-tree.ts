/** A tree goes live: checked, versioned, logged and told to all nodes in one transaction; from flow-control and from an import alike. */
import type { TreeGroup } from '#contract/tree.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import type { Change } from '#server/record/record-change.ts';
import type { Row, Tx } from '#server/record/record-model.ts';
import { requireTreePasses } from '#server/sample/require-samples.ts';
import { describeTrees } from './describe-tree.ts';
import { findTierName, holdTiers, insertVersion, listGroups, listSeated, listVersions, replaceGroups } from './tree.sql.ts';

/** Puts these groups live: kept as a version that can be brought back, logged, and told to all nodes. */
export async function publishTree(change: Change, row: Row, groups: TreeGroup[], note: string): Promise<void> {
  const { tx, person } = change;
  const campaignId = String(row.id);
  await holdTiers(tx, person.organizationId, seatedIds(groups));
  await requireSeatable(change, row, groups);
  await requireTreePasses(tx, person.organizationId, seatedIds(groups), change.keys);
  const before = await listGroups(tx, person.organizationId, campaignId);
  // The tree that was there before anything was published from here can be brought back, too.
  if ((await listVersions(tx, person.organizationId, campaignId)).length === 0 && before.length > 0)
    await insertVersion(tx, versionOf(change, campaignId, before, 'As it was before the first publishing.'));
  await replaceGroups(tx, person.organizationId, campaignId, groups);
  const after = await listGroups(tx, person.organizationId, campaignId);
  await insertVersion(tx, versionOf(change, campaignId, after, note));
  change.routing.isNew = true;
  const told = await describeTrees(tx, person.organizationId, { before, after });
  await insertChange(tx, person, {
    address: change.address,
    model: 'campaign',
    recordId: campaignId,
    recordName: String(row.name),
    action: 'publish',
    before: { tree: told.before },
    after: { tree: told.after, ...(note && { note }) },
    rollsBack: null,
  });
}

export const personName = ({ person }: Change): string => `${person.firstName} ${person.lastName}`.trim() || person.email;
const versionOf = (change: Change, campaign_id: string, groups: TreeGroup[], note: string) => ({
  organization_id: change.person.organizationId,
  campaign_id,
  groups,
  published_by: personName(change),
  note,
});

/** Each group and each tier once, of the campaign's own vertical and not archived; group names differ, so that logs can be read. */
export async function requireSeatable({ tx, person }: Change, row: Row, groups: TreeGroup[]): Promise<void> {
  const tiers = await listSeated(tx, person.organizationId, String(row.vertical_id), seatedIds(groups));
  const known = new Map(tiers.filter(({ status }) => status !== 'archived').map((tier) => [tier.id, tier]));
  const seated = new Set<string>();
  const names = new Set<string>();
  const ids = new Set<string>();
  for (const [at, group] of groups.entries()) {
    if (group._id !== null && ids.has(group._id)) throw refused(`groups.${at}._id`, `${group.name} is another group under the same id.`);
    if (group._id !== null) ids.add(group._id);
    if (names.has(group.name.toLowerCase())) throw refused(`groups.${at}.name`, `Two groups are called ${group.name}.`);
    names.add(group.name.toLowerCase());
    for (const { buyerTierId } of group.members) {
      const tier = known.get(buyerTierId);
      if (!tier) throw refused(`groups.${at}.members`, await whyNot(tx, person.organizationId, group.name, buyerTierId));
      if (seated.has(buyerTierId)) throw refused(`groups.${at}.members`, `${tier.buyer_name}, ${tier.name} stands in the tree twice.`);
      seated.add(buyerTierId);
    }
  }
}

/** Which tier it is that cannot stand in a group, and what to do. */
async function whyNot(tx: Tx, organizationId: string, group: string, buyerTierId: string): Promise<string> {
  const tier = isId(buyerTierId) ? await findTierName(tx, organizationId, buyerTierId) : undefined;
  if (!tier) return `A tier of ${group} does not exist. Take it out.`;
  const name = `${tier.buyer_name}, ${tier.name}`;
  if (tier.status === 'archived') return `${name} of ${group} is archived. Restore it, or take it out of the tree.`;
  return `${name} of ${group} is of another vertical. Take it out.`;
}

/** The buyer tiers of these groups, without what cannot be an id. */
export const seatedIds = (groups: readonly TreeGroup[]): string[] => [
  ...new Set(groups.flatMap((group) => group.members.map((member) => member.buyerTierId)).filter(isId)),
];

function refused(field: string, message: string): HttpError {
  return new HttpError(400, 'tree_invalid', message, { errors: [{ field, message }] });
}
