/** Reading and replacing the tree of a campaign. Every query runs in the organization's tenant transaction. */
import { sql } from 'kysely';
import type { TreeGroup } from '#contract/tree.ts';
import { newId } from '#server/kit/ids.ts';
import type { Tx } from '#server/record/record-model.ts';

/** So many published trees of a campaign can be brought back. */
const KEPT_VERSIONS = 50;

export async function listGroups(tx: Tx, organizationId: string, campaignId: string): Promise<TreeGroup[]> {
  const groups = await tx
    .selectFrom('tree_group')
    .select(['id', 'name', 'mode', 'time_limit_ms'])
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .orderBy('position')
    .execute();
  const members = await tx
    .selectFrom('group_member as m')
    .innerJoin('tree_group as g', (join) => join.onRef('g.organization_id', '=', 'm.organization_id').onRef('g.id', '=', 'm.group_id'))
    .select(['m.group_id', 'm.buyer_tier_id', 'm.weight'])
    .where('g.organization_id', '=', organizationId)
    .where('g.campaign_id', '=', campaignId)
    .orderBy('m.position')
    .execute();
  const byGroup = Map.groupBy(members, (member) => member.group_id);
  return groups.map((group) => ({
    _id: group.id,
    name: group.name,
    mode: group.mode as TreeGroup['mode'],
    timeLimitMs: group.time_limit_ms,
    members: (byGroup.get(group.id) ?? []).map((member) => ({ buyerTierId: member.buyer_tier_id, weight: member.weight })),
  }));
}

/** Puts these groups in the place of the live ones; a group that has its id keeps it. */
export async function replaceGroups(tx: Tx, organizationId: string, campaignId: string, groups: TreeGroup[]): Promise<void> {
  const old = (await listGroups(tx, organizationId, campaignId)).map((group) => group._id!);
  if (old.length > 0)
    await tx.deleteFrom('group_member').where('organization_id', '=', organizationId).where('group_id', 'in', old).execute();
  const kept = groups.flatMap((group) => (group._id && old.includes(group._id) ? [group._id] : []));
  const gone = old.filter((id) => !kept.includes(id));
  if (gone.length > 0) await tx.deleteFrom('tree_group').where('organization_id', '=', organizationId).where('id', 'in', gone).execute();
  for (const [position, group] of groups.entries()) {
    const isOld = group._id !== null && kept.includes(group._id);
    const id = isOld ? group._id! : newId();
    const row = { name: group.name, mode: group.mode, time_limit_ms: group.timeLimitMs, position };
    if (isOld) await tx.updateTable('tree_group').set(row).where('organization_id', '=', organizationId).where('id', '=', id).execute();
    else
      await tx
        .insertInto('tree_group')
        .values({ ...row, organization_id: organizationId, id, campaign_id: campaignId })
        .execute();
    if (group.members.length === 0) continue;
    const members = group.members.map((member, place) => ({
      organization_id: organizationId,
      group_id: id,
      buyer_tier_id: member.buyerTierId,
      weight: member.weight,
      position: place,
    }));
    await tx.insertInto('group_member').values(members).execute();
  }
}

/** Locked, unless it is only looked at. */
export function findDraft(tx: Tx, organizationId: string, campaignId: string, locks = true) {
  return tx
    .selectFrom('tree_draft')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .$if(locks, (query) => query.forUpdate())
    .executeTakeFirst();
}

export async function saveDraft(tx: Tx, organizationId: string, campaignId: string, groups: TreeGroup[], by: string): Promise<void> {
  await tx
    .insertInto('tree_draft')
    .values({ organization_id: organizationId, campaign_id: campaignId, groups: JSON.stringify(groups), updated_by: by })
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'campaign_id']).doUpdateSet((eb) => ({
        groups: JSON.stringify(groups),
        version: eb('tree_draft.version', '+', 1),
        updated_at: new Date(),
        updated_by: by,
      })),
    )
    .execute();
}

export async function deleteDraft(tx: Tx, organizationId: string, campaignId: string): Promise<void> {
  await tx.deleteFrom('tree_draft').where('organization_id', '=', organizationId).where('campaign_id', '=', campaignId).execute();
}

export function listVersions(tx: Tx, organizationId: string, campaignId: string) {
  return tx
    .selectFrom('tree_version')
    .select(['id', 'published_by', 'note'])
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .orderBy('id', 'desc')
    .limit(KEPT_VERSIONS)
    .execute();
}

export function findVersion(tx: Tx, organizationId: string, campaignId: string, id: string) {
  return tx
    .selectFrom('tree_version')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('campaign_id', '=', campaignId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export async function insertVersion(
  tx: Tx,
  row: { organization_id: string; campaign_id: string; groups: TreeGroup[]; published_by: string; note: string },
): Promise<string> {
  const id = newId();
  await tx
    .insertInto('tree_version')
    .values({ ...row, id, groups: JSON.stringify(row.groups) })
    .execute();
  const kept = tx
    .selectFrom('tree_version')
    .select('id')
    .where('organization_id', '=', row.organization_id)
    .where('campaign_id', '=', row.campaign_id)
    .orderBy('id', 'desc')
    .limit(KEPT_VERSIONS);
  await tx
    .deleteFrom('tree_version')
    .where('organization_id', '=', row.organization_id)
    .where('campaign_id', '=', row.campaign_id)
    .where('id', 'not in', kept)
    .execute();
  return id;
}

/** Nobody changes or archives these tiers until the transaction ends. */
export async function holdTiers(tx: Tx, organizationId: string, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  await tx
    .selectFrom('buyer_tier')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', 'in', ids)
    .orderBy('id')
    .forShare()
    .execute();
}

/** Of these, the buyer tiers of the vertical, archived ones too. */
export async function listSeated(tx: Tx, organizationId: string, verticalId: string, ids: readonly string[]) {
  if (ids.length === 0) return [];
  return tx
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .select(['t.id', 't.name', 't.status', 't.delivery', 'b.name as buyer_name', 'b.status as buyer_status'])
    .where('t.organization_id', '=', organizationId)
    .where('t.vertical_id', '=', verticalId)
    .where('t.id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('b.name')
    .orderBy('t.name')
    .execute();
}

/** Whatever became of it. */
export function findTierName(tx: Tx, organizationId: string, id: string) {
  return tx
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .select(['t.name', 't.status', 'b.name as buyer_name'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', '=', id)
    .executeTakeFirst();
}

/** 'Harbour, Night' by id, archived ones too. */
export async function listTierNames(tx: Tx, organizationId: string, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .select(['t.id', 't.name', 'b.name as buyer_name'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', 'in', [...new Set(ids)])
    .execute();
  return new Map(rows.map(({ id, name, buyer_name }) => [id, `${buyer_name}, ${name}`]));
}

export function listPosting(tx: Tx, organizationId: string, campaignId: string) {
  return tx
    .selectFrom('publisher_tier as t')
    .innerJoin('publisher as p', (join) => join.onRef('p.organization_id', '=', 't.organization_id').onRef('p.id', '=', 't.publisher_id'))
    .select(['t.id', 't.name', 't.kind', 't.status', 'p.name as publisher_name'])
    .where('t.organization_id', '=', organizationId)
    .where('t.campaign_id', '=', campaignId)
    .where('t.status', '<>', 'archived')
    .orderBy('p.name')
    .orderBy('t.name')
    .execute();
}
