/** Campaigns and the groups of their trees. */
import { sql } from 'kysely';
import { z } from 'zod';
import { amountText, margin, testValues } from '#contract/tier.ts';
import { marginProblem } from '#engine/compile-tier.ts';
import type { Margin } from '#engine/plan.ts';
import { findRunningTest } from '#server/ab-test/ab-test.sql.ts';
import { refuseFaults } from '#server/plan/check-tier.ts';
import type { RecordModel } from '#server/record/record-model.ts';
import { amount, name, notes, readMoneyOf, status, storeMoneyOf, updatedAt, version } from '#server/record/shared-fields.ts';
import { maySetUp } from '#server/session/session.policy.ts';

const isSetUp = (person: Parameters<typeof maySetUp>[0]) => maySetUp(person) !== false;
const timeLimit = z.int().min(100).max(300_000);

export const campaign: RecordModel = {
  model: 'campaign',
  label: 'Campaign',
  table: 'campaign',
  organizationColumn: 'organization_id',
  namesFields: true,
  fields: {
    name,
    verticalId: { column: 'vertical_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'vertical' },
    status,
    margin: {
      column: 'margin',
      kind: 'json',
      write: margin,
      required: true,
      store: storeMoneyOf('amount'),
      read: readMoneyOf('amount'),
    },
    floor: amount('floor', amountText.nullable()),
    maxSales: { column: 'max_sales', kind: 'number', write: z.int().min(1).max(20) },
    timeLimitMs: { column: 'time_limit_ms', kind: 'number', write: timeLimit },
    testValues: { column: 'test_values', kind: 'json', write: testValues.nullable() },
    notes,
    publisherTierCount: {
      column: 'publisher_tier_count',
      kind: 'number',
      expression: sql`(select count(*)::int from publisher_tier x where x.organization_id = t.organization_id and x.campaign_id = t.id and x.status <> 'archived')`,
    },
    buyerTierCount: {
      column: 'buyer_tier_count',
      kind: 'number',
      expression: sql`(select count(*)::int from group_member m join tree_group g on g.organization_id = m.organization_id and g.id = m.group_id
        where g.organization_id = t.organization_id and g.campaign_id = t.id)`,
    },
    version,
    updatedAt,
  },
  verticalOf: sql`t.vertical_id`,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  search: ['name', 'notes'],
  uniqueNames: [{ field: 'name', within: 'verticalId' }],
  async uses(tx, organizationId, row) {
    const tiers = await tx
      .selectFrom('publisher_tier')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('campaign_id', '=', String(row.id))
      .where('status', '<>', 'archived')
      .execute();
    const test = await findRunningTest(tx, organizationId, String(row.id));
    return [...tiers.map((tier) => `Publisher tier ${tier.name} posts to it.`), ...(test ? [`The A/B test ${test.name} runs on it.`] : [])];
  },
  async check(_tx, _person, _changed, row) {
    const text = marginProblem(row.margin as Margin);
    if (text) refuseFaults([{ field: 'margin', text }]);
  },
  routes: true,
  logged: true,
};

/** Read only here: the groups of a live tree change by publishing a draft (tree.routes.ts), so that every tree that was live can be brought back. */
export const treeGroup: RecordModel = {
  model: 'treeGroup',
  label: 'Group',
  table: 'tree_group',
  organizationColumn: 'organization_id',
  parent: { model: 'campaign', field: 'campaignId', entityKey: 'groups' },
  position: 'position',
  fields: {
    name: { column: 'name' },
    campaignId: { column: 'campaign_id', kind: 'id' },
    mode: { column: 'mode' },
    timeLimitMs: { column: 'time_limit_ms', kind: 'number' },
    position: { column: 'position', kind: 'number' },
    members: {
      column: 'members',
      kind: 'json',
      expression: sql`(select coalesce(jsonb_agg(jsonb_build_object('buyerTierId', m.buyer_tier_id, 'weight', m.weight) order by m.position), '[]')
        from group_member m where m.organization_id = t.organization_id and m.group_id = t.id)`,
    },
    version,
    updatedAt,
  },
  verticalOf: sql`(select c.vertical_id from campaign c where c.organization_id = t.organization_id and c.id = t.campaign_id)`,
  mayRead: isSetUp,
  mayWrite: () => false,
};
