/** Publishers and their tiers, as the set-up screens and the generic data calls know them. */
import { sql } from 'kysely';
import { z } from 'zod';
import { type OutsideCheckRule, outsideCheck } from '#contract/service.ts';
import { ipRanges, type PriceModelView, priceModel, publisherTierKind } from '#contract/tier.ts';
import { compilePublisherTier } from '#engine/compile-tier.ts';
import { neverMatches, neverOpens } from '#engine/never.ts';
import type { PublisherTierConfig } from '#engine/plan.ts';
import { refuseFaults, requireVerticalPlan } from '#server/plan/check-tier.ts';
import { tierRules } from '#server/plan/configuration.sql.ts';
import { countChangedCaps } from '#server/plan/count-caps.sql.ts';
import { mayEditField } from '#server/record/reach.ts';
import { isRestored, type RecordModel } from '#server/record/record-model.ts';
import {
  name,
  notes,
  optionalLine,
  readMoneyOf,
  ruleFields,
  status,
  storeMoneyOf,
  updatedAt,
  version,
} from '#server/record/shared-fields.ts';
import { requireService } from '#server/service/service.sql.ts';
import { maySetUp } from '#server/session/session.policy.ts';
import { requireLists } from '#server/suppression/suppression.sql.ts';
import { landersOf, requireKind } from './tier-kind.ts';

const isSetUp = (person: Parameters<typeof maySetUp>[0]) => maySetUp(person) !== false;

const ITS_VERTICALS = sql`select c.vertical_id from publisher_tier x join campaign c on c.organization_id = x.organization_id and c.id = x.campaign_id
  where x.organization_id = t.organization_id and x.publisher_id = t.id`;

export const publisher: RecordModel = {
  model: 'publisher',
  label: 'Publisher',
  table: 'publisher',
  organizationColumn: 'organization_id',
  fields: {
    name,
    affiliateId: {
      column: 'affiliate_id',
      required: true,
      write: z.string().regex(/^[\w.-]{1,60}$/, 'may hold letters, digits, dots, hyphens and underscores, at most 60'),
    },
    status,
    notes,
    tierCount: {
      column: 'tier_count',
      kind: 'number',
      expression: sql`(select count(*)::int from publisher_tier x where x.organization_id = t.organization_id and x.publisher_id = t.id and x.status <> 'archived')`,
    },
    mayEdit: mayEditField(ITS_VERTICALS),
    version,
    updatedAt,
  },
  verticalsOf: ITS_VERTICALS,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  search: ['name', 'affiliateId'],
  uniqueNames: [{ field: 'name' }, { field: 'affiliateId', key: 'publisher_organization_id_affiliate_id_key' }],
  unique: {
    publisher_organization_id_affiliate_id_key: {
      field: 'affiliateId',
      code: 'publisher_affiliate_taken',
      message: 'Another publisher, maybe an archived one, has this affiliate id.',
    },
  },
  async uses(tx, organizationId, row) {
    const tiers = await tx
      .selectFrom('publisher_tier')
      .select('name')
      .where('organization_id', '=', organizationId)
      .where('publisher_id', '=', String(row.id))
      .where('status', '<>', 'archived')
      .execute();
    return tiers.map((tier) => `Its tier ${tier.name} is not archived.`);
  },
  routes: true,
  logged: true,
};

const CAMPAIGN = sql`(select c.vertical_id from campaign c where c.organization_id = t.organization_id and c.id = t.campaign_id)`;

export const publisherTier: RecordModel = {
  model: 'publisherTier',
  label: 'Publisher tier',
  table: 'publisher_tier',
  organizationColumn: 'organization_id',
  parent: { model: 'publisher', field: 'publisherId', entityKey: 'tiers' },
  namesFields: true,
  fields: {
    name,
    publisherId: { column: 'publisher_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'publisher' },
    campaignId: { column: 'campaign_id', kind: 'id', write: z.uuid(), required: true, refers: 'campaign' },
    verticalId: { column: 'vertical_id', kind: 'id', expression: CAMPAIGN },
    publisherName: { column: 'publisher_name', nameFrom: { table: 'publisher', by: 'publisher_id' } },
    campaignName: { column: 'campaign_name', nameFrom: { table: 'campaign', by: 'campaign_id' } },
    kind: { column: 'kind', write: publisherTierKind },
    subId: { column: 'sub_id', write: optionalLine(100) },
    status,
    priceModel: {
      column: 'price_model',
      kind: 'json',
      write: priceModel,
      required: true,
      store: storeMoneyOf('price'),
      read: readMoneyOf('price'),
      csv: (model: PriceModelView) =>
        model.kind === 'share' ? `${model.sharePercent}% of revenue` : model.kind === 'minimum' ? `At least ${model.price}` : model.price,
    },
    ...ruleFields,
    p2c: { column: 'p2c', kind: 'json', write: outsideCheck.nullable() },
    p2cServiceId: { column: 'p2c_service_id', kind: 'id' },
    ipAllow: { column: 'ip_allow', kind: 'texts', write: ipRanges },
    terse: { column: 'terse', kind: 'boolean', write: z.boolean() },
    rawRedirect: { column: 'raw_redirect', kind: 'boolean', write: z.boolean() },
    always200: { column: 'always_200', kind: 'boolean', write: z.boolean() },
    pingsPerMinute: { column: 'pings_per_minute', kind: 'number', write: z.int().min(1).max(1_000_000).nullable() },
    returnsReducePayout: { column: 'returns_reduce_payout', kind: 'boolean', write: z.boolean() },
    notes,
    version,
    updatedAt,
  },
  verticalOf: CAMPAIGN,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  search: ['name', 'publisherName', 'campaignName', 'subId'],
  uniqueNames: [{ field: 'name', within: 'publisherId' }],
  uses: (tx, organizationId, row) => landersOf(tx, organizationId, String(row.id)),
  async check(tx, person, changed, row, before) {
    if (before) await requireKind(tx, person.organizationId, row, before);
    const config = {
      id: row.id,
      publisherId: row.publisher_id,
      campaignId: row.campaign_id,
      name: row.name,
      subId: row.sub_id,
      status: row.status,
      publisherStatus: 'active',
      priceModel: row.price_model,
      ...tierRules(row as never),
    } as PublisherTierConfig;
    const plan = await requireVerticalPlan(tx, person.organizationId, String(row.vertical_id));
    const lists = await requireLists(tx, person.organizationId, config.suppressionLists ?? []);
    refuseFaults(compilePublisherTier(config, plan, lists));
    const written = isRestored(before) ? {} : changed;
    if (written.filter && config.filter) refuseFaults(neverMatches(config.filter, plan).map((text) => ({ field: 'filter', text })));
    if (written.hours && config.hours) refuseFaults(neverOpens(config.hours).map((text) => ({ field: 'hours', text })));
    // Another campaign may lie in another vertical.
    if (changed.p2c !== undefined || changed.campaignId !== undefined) {
      const [check, verticalId] = [row.p2c as OutsideCheckRule | null, String(row.vertical_id)];
      await requireService(tx, person.organizationId, { field: 'p2c', check, verticalId });
    }
    await countChangedCaps(tx, { organizationId: person.organizationId, owner: 'publisherTier', id: String(row.id) }, row, before);
  },
  routes: true,
  logged: true,
};
