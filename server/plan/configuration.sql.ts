/** Reads everything one organization's routing depends on, in one consistent snapshot. */

import { sql } from 'kysely';
import type { EndpointConfig } from '#contract/endpoint.ts';
import { readPreferences } from '#contract/organization.ts';
import type { ServiceEndpoint } from '#contract/service.ts';
import type { PublisherTierKind } from '#contract/tier.ts';
import { parseMoney } from '#engine/money.ts';
import type {
  ActiveStatus,
  BreakerConfig,
  BuyerTierConfig,
  CampaignConfig,
  CapConfig,
  Configuration,
  DuplicateRule,
  EntryForm,
  FieldConfig,
  FieldType,
  Filter,
  GroupMode,
  Hours,
  Margin,
  OutsideCheckConfig,
  PauseDates,
  PriceModel,
  PrivacyClass,
  PublisherTierConfig,
  SuppressionListConfig,
  ThrottleConfig,
  TierPrice,
  VerticalConfig,
} from '#engine/plan.ts';
import { listRunningTests, listVariantGroups } from '#server/ab-test/ab-test.sql.ts';
import type { Db } from '#server/kit/database.ts';
import { type LandingPageSeat, listLandingPageSeats } from '#server/landing-page/landing-page.sql.ts';
import { listProcessorSeats, type ProcessorSeat } from '#server/payment/payment-processor.sql.ts';
import { listPromotions } from '#server/promotion/promotion.sql.ts';
import { listWebhookSeats, type WebhookSeat } from '#server/webhook/webhook.sql.ts';

/** What the shell needs of a publisher tier beyond the engine's part. */
export interface PublisherSeat {
  id: string;
  name: string;
  kind: PublisherTierKind;
  publisherId: string;
  publisherName: string;
  affiliateId: string;
  campaignId: string;
  subId: string;
  ipAllow: string[];
  terse: boolean;
  /** The publisher is given the buyer's own address, not a link of ours. */
  rawRedirect: boolean;
  always200: boolean;
  pingsPerMinute: number | null;
  /** Whether its posting specification opens by a link, and which link is in force. */
  specOpen: boolean;
  specEpoch: number;
}

export interface BuyerSeat {
  id: string;
  name: string;
  buyerId: string;
  buyerName: string;
  endpoint: EndpointConfig;
  /** Sealed JSON of user names, passwords and tokens. */
  secrets: Buffer | null;
  /** Where there is one of the two, its calls are counted. */
  breaker?: BreakerConfig;
  throttle?: ThrottleConfig;
  /** Its loss notice may say what the winner pays. */
  tellWinningPrice: boolean;
  /** Which address for postbacks is in force. */
  postbackEpoch: number;
}

export interface ServiceSeat {
  id: string;
  name: string;
  status: ActiveStatus;
  endpoint: ServiceEndpoint;
  /** Sealed, as a buyer's. */
  secrets: Buffer | null;
}

export interface PostingKey {
  keyHash: Buffer;
  /** First characters, to tell keys apart on screen. */
  prefix: string;
  publisherTierId: string;
  expiresAt: number | null;
  revokedAt: number | null;
}

export interface LoadedOrganization {
  version: number;
  suspended: boolean;
  refusesErased: boolean;
  wrappedKey: Buffer;
  name: string;
  subDomain: string;
  /** How long the links of consumers stay open. */
  redirectHours: number;
  configuration: Configuration;
  publisherSeats: PublisherSeat[];
  buyerSeats: BuyerSeat[];
  serviceSeats: ServiceSeat[];
  postingKeys: PostingKey[];
  webhooks: WebhookSeat[];
  landingPages: LandingPageSeat[];
  processors: ProcessorSeat[];
  /** Groups of trees that A/B tests have or had of their own. */
  variantGroups: { id: string; name: string; mode: string }[];
  /** Vertical id -> its region and the fields whose values can be searched. */
  verticals: Map<string, { regionId: string; searchable: string[] }>;
}

/** Undefined when there is no such organization. */
export async function findConfiguration(db: Db, organizationId: string): Promise<LoadedOrganization | undefined> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute((snapshot) => readOrganization(snapshot, organizationId));
}

/** The same from within a transaction: as it would be if that committed now. */
export async function readOrganization(tx: Db, organizationId: string): Promise<LoadedOrganization | undefined> {
  const organization = await tx.selectFrom('organization').selectAll().where('id', '=', organizationId).executeTakeFirst();
  if (!organization) return undefined;
  const { verticals, verticalShell } = await listVerticals(tx, organizationId);
  const publishers = await listPublisherTiers(tx, organizationId);
  const buyers = await listBuyerTiers(tx, organizationId);
  return {
    version: organization.configuration_version,
    suspended: organization.status === 'suspended',
    refusesErased: organization.refuses_erased,
    wrappedKey: organization.data_key,
    name: organization.name,
    subDomain: organization.sub_domain,
    redirectHours: readPreferences(organization.preferences).redirectHours,
    configuration: {
      organization: { id: organization.id, timeZone: organization.time_zone, currency: organization.currency },
      verticals,
      campaigns: await listCampaigns(tx, organizationId),
      publisherTiers: publishers.configs,
      buyerTiers: buyers.configs,
      promotions: await listPromotions(tx, organizationId),
      abTests: await listRunningTests(tx, organizationId),
      suppressionLists: await listSuppressionLists(tx, organizationId),
    },
    publisherSeats: publishers.seats,
    buyerSeats: buyers.seats,
    serviceSeats: await listServices(tx, organizationId),
    webhooks: await listWebhookSeats(tx, organizationId),
    landingPages: await listLandingPageSeats(tx, organizationId),
    processors: await listProcessorSeats(tx, organizationId),
    variantGroups: await listVariantGroups(tx, organizationId),
    postingKeys: await listPostingKeys(tx, organizationId),
    verticals: verticalShell,
  };
}

async function listVerticals(db: Db, organizationId: string) {
  const rows = await db
    .selectFrom('vertical as v')
    .innerJoin('region as r', (join) => join.onRef('r.id', '=', 'v.region_id').onRef('r.organization_id', '=', 'v.organization_id'))
    .select(['v.id', 'v.slug', 'v.name', 'v.primary_field', 'v.region_id', 'r.slug as region_slug', 'r.country'])
    .where('v.organization_id', '=', organizationId)
    // The living first; the archived for their leads.
    .orderBy('v.status')
    .orderBy('v.id')
    .execute();
  const fields = await db.selectFrom('field').selectAll().where('organization_id', '=', organizationId).orderBy('position').execute();
  const byVertical = Map.groupBy(fields, (field) => field.vertical_id);
  const verticals: VerticalConfig[] = rows.map((row) => ({
    id: row.id,
    slug: row.slug,
    regionSlug: row.region_slug,
    name: row.name,
    country: row.country as 'us' | 'uk',
    primaryField: row.primary_field,
    fields: (byVertical.get(row.id) ?? []).map(readField),
  }));
  const verticalShell = new Map(
    rows.map((row) => {
      const searchable = (byVertical.get(row.id) ?? []).filter((field) => field.searchable).map((field) => field.field_name);
      return [row.id, { regionId: row.region_id, searchable }];
    }),
  );
  return { verticals, verticalShell };
}

/** One vertical with its fields, or undefined. */
export async function findVertical(db: Db, organizationId: string, verticalId: string): Promise<VerticalConfig | undefined> {
  const { verticals } = await listVerticals(db, organizationId);
  return verticals.find((one) => one.id === verticalId);
}

/** The engine's field of a row of the table. */
export function readField(row: {
  field_name: string;
  field_human_name: string;
  type: string;
  required: boolean;
  min_char: number | null;
  max_char: number | null;
  min_value: string | null;
  max_value: string | null;
  pattern: string | null;
  options: string[] | null;
  privacy_class: string;
  in_ping: boolean;
}): FieldConfig {
  return {
    fieldName: row.field_name,
    fieldHumanName: row.field_human_name,
    type: row.type as FieldType,
    required: row.required,
    ...(row.min_char !== null && { minChar: row.min_char }),
    ...(row.max_char !== null && { maxChar: row.max_char }),
    ...(row.min_value !== null && { min: Number(row.min_value) }),
    ...(row.max_value !== null && { max: Number(row.max_value) }),
    ...(row.pattern !== null && { pattern: row.pattern }),
    ...(row.options !== null && { options: row.options }),
    privacyClass: row.privacy_class as PrivacyClass,
    inPing: row.in_ping,
  };
}

async function listCampaigns(db: Db, organizationId: string): Promise<CampaignConfig[]> {
  const campaigns = await db.selectFrom('campaign').selectAll().where('organization_id', '=', organizationId).execute();
  const groups = await db.selectFrom('tree_group').selectAll().where('organization_id', '=', organizationId).orderBy('position').execute();
  const members = await db
    .selectFrom('group_member')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('position')
    .execute();
  const membersOf = Map.groupBy(members, (member) => member.group_id);
  const groupsOf = Map.groupBy(groups, (group) => group.campaign_id);
  return campaigns.map((row) => ({
    id: row.id,
    name: row.name,
    verticalId: row.vertical_id,
    status: row.status as ActiveStatus,
    margin: row.margin as Margin,
    ...amount('floor', row.floor),
    maxSales: row.max_sales,
    timeLimitMs: row.time_limit_ms,
    groups: (groupsOf.get(row.id) ?? []).map((group) => ({
      id: group.id,
      name: group.name,
      mode: group.mode as GroupMode,
      ...(group.time_limit_ms !== null && { timeLimitMs: group.time_limit_ms }),
      members: (membersOf.get(group.id) ?? []).map((member) => ({
        buyerTierId: member.buyer_tier_id,
        ...(member.weight !== null && { weight: member.weight }),
      })),
    })),
    ...optional('testValues', row.test_values as CampaignConfig['testValues'] | null),
  }));
}

async function listPublisherTiers(db: Db, organizationId: string): Promise<{ configs: PublisherTierConfig[]; seats: PublisherSeat[] }> {
  const rows = await db
    .selectFrom('publisher_tier as t')
    .innerJoin('publisher as p', (join) => join.onRef('p.id', '=', 't.publisher_id').onRef('p.organization_id', '=', 't.organization_id'))
    .selectAll('t')
    .select(['p.name as publisher_name', 'p.affiliate_id', 'p.status as publisher_status'])
    .where('t.organization_id', '=', organizationId)
    .execute();
  const configs = rows.map((row) => ({
    id: row.id,
    publisherId: row.publisher_id,
    publisherStatus: row.publisher_status as ActiveStatus,
    campaignId: row.campaign_id,
    name: row.name,
    subId: row.sub_id,
    status: row.status as ActiveStatus,
    priceModel: row.price_model as PriceModel,
    ...optional('p2c', row.p2c as OutsideCheckConfig | null),
    ...tierRules(row),
  }));
  const seats = rows.map((row) => ({
    id: row.id,
    name: row.name,
    kind: row.kind as PublisherTierKind,
    publisherId: row.publisher_id,
    publisherName: row.publisher_name,
    affiliateId: row.affiliate_id,
    campaignId: row.campaign_id,
    subId: row.sub_id,
    ipAllow: row.ip_allow,
    terse: row.terse,
    rawRedirect: row.raw_redirect,
    always200: row.always_200,
    specOpen: row.spec_open,
    specEpoch: row.spec_epoch,
    pingsPerMinute: row.pings_per_minute,
  }));
  return { configs, seats };
}

async function listBuyerTiers(db: Db, organizationId: string): Promise<{ configs: BuyerTierConfig[]; seats: BuyerSeat[] }> {
  const rows = await db
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.id', '=', 't.buyer_id').onRef('b.organization_id', '=', 't.organization_id'))
    .selectAll('t')
    .select(['b.name as buyer_name', 'b.status as buyer_status', 'b.caps as buyer_caps', 'b.billing', 'b.credit_limit'])
    .where('t.organization_id', '=', organizationId)
    .execute();
  const configs = rows.map((row) => ({
    id: row.id,
    buyerId: row.buyer_id,
    buyerName: row.buyer_name,
    buyerStatus: row.buyer_status as ActiveStatus,
    name: row.name,
    status: row.status as ActiveStatus,
    delivery: row.delivery as 'post' | 'pingPost',
    price: row.price as TierPrice,
    ...amount('floor', row.floor),
    postPriceRule: row.post_price_rule as BuyerTierConfig['postPriceRule'],
    qualityFactor: Number(row.quality_factor),
    buyerCaps: row.buyer_caps as CapConfig[],
    ...(row.billing === 'prepaid' ? { fundsLimit: 0 } : amount('fundsLimit', row.credit_limit)),
    timeLimitMs: row.time_limit_ms,
    afterTimeout: row.after_timeout as 'next' | 'hold',
    ...optional('thirdParty', row.third_party as OutsideCheckConfig | null),
    ...optional('breaker', row.breaker as BreakerConfig | null),
    ...optional('throttle', row.throttle as ThrottleConfig | null),
    ...tierRules(row),
  }));
  const seats = rows.map((row) => ({
    id: row.id,
    name: row.name,
    buyerId: row.buyer_id,
    buyerName: row.buyer_name,
    endpoint: row.endpoint as EndpointConfig,
    secrets: row.secrets,
    tellWinningPrice: row.tell_winning_price,
    postbackEpoch: row.postback_epoch,
    ...optional('breaker', row.breaker as BreakerConfig | null),
    ...optional('throttle', row.throttle as ThrottleConfig | null),
  }));
  return { configs, seats };
}

async function listSuppressionLists(db: Db, organizationId: string): Promise<SuppressionListConfig[]> {
  const rows = await db
    .selectFrom('suppression_list')
    .select(['id', 'name', 'holds', 'field_name', 'form'])
    .where('organization_id', '=', organizationId)
    .where('status', '<>', 'archived')
    .execute();
  return rows.map(readSuppressionList);
}

/** The engine's list of a row of the table. */
export function readSuppressionList(row: {
  id: string;
  name: string;
  holds: string;
  field_name: string | null;
  form: string;
}): SuppressionListConfig {
  return {
    id: row.id,
    name: row.name,
    holds: row.holds as SuppressionListConfig['holds'],
    form: row.form as EntryForm,
    ...(row.field_name !== null && { fieldName: row.field_name }),
  };
}

async function listServices(db: Db, organizationId: string): Promise<ServiceSeat[]> {
  const rows = await db
    .selectFrom('service')
    .select(['id', 'name', 'status', 'endpoint', 'secrets'])
    .where('organization_id', '=', organizationId)
    .execute();
  return rows.map((row) => ({ ...row, status: row.status as ActiveStatus, endpoint: row.endpoint as ServiceEndpoint }));
}

export function tierRules(row: {
  filter: unknown;
  hours: unknown;
  pause_dates: unknown;
  caps: unknown;
  duplicate: unknown;
  suppression_lists: string[];
}) {
  return {
    ...optional('filter', row.filter as Filter | null),
    ...optional('hours', row.hours as Hours | null),
    ...optional('pauseDates', row.pause_dates as PauseDates | null),
    caps: row.caps as CapConfig[],
    ...optional('duplicate', row.duplicate as DuplicateRule | null),
    ...(row.suppression_lists.length > 0 && { suppressionLists: row.suppression_lists }),
  };
}

async function listPostingKeys(db: Db, organizationId: string): Promise<PostingKey[]> {
  const rows = await db.selectFrom('posting_key').selectAll().where('organization_id', '=', organizationId).execute();
  return rows.map((row) => ({
    keyHash: row.key_hash,
    prefix: row.prefix,
    publisherTierId: row.publisher_tier_id,
    expiresAt: row.expires_at?.getTime() ?? null,
    revokedAt: row.revoked_at?.getTime() ?? null,
  }));
}

function amount<K extends string>(name: K, text: string | null): { [key in K]?: number } {
  const money = text === null ? undefined : parseMoney(text);
  return (money === undefined ? {} : { [name]: money }) as { [key in K]?: number };
}

function optional<K extends string, T>(name: K, value: T): { [key in K]?: NonNullable<T> } {
  return (value === null ? {} : { [name]: value }) as { [key in K]?: NonNullable<T> };
}

/** Ids of all organizations with the version of their configuration. */
export async function listVersions(db: Db): Promise<{ id: string; version: number }[]> {
  return db.selectFrom('organization').select(['id', 'configuration_version as version']).execute();
}

/** Says in the running transaction that routing changed; nodes hear of it when the transaction commits. */
export async function announceConfiguration(db: Db, organizationId: string): Promise<void> {
  await db
    .updateTable('organization')
    .set({ configuration_version: sql`configuration_version + 1` })
    .where('id', '=', organizationId)
    .execute();
  await sql`select pg_notify('sluice_configuration', ${organizationId})`.execute(db);
}
