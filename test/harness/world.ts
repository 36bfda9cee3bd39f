/** Makers of an organization with one campaign: a test says what matters to it, the rest is filled in. */
import { randomBytes } from 'node:crypto';
import type { EndpointConfig, MappingRow, OutcomeRule, ResponseRules } from '#contract/endpoint.ts';
import type { ServiceEndpoint } from '#contract/service.ts';
import type { RegionPermission } from '#contract/session.ts';
import type { PublisherTierKind } from '#contract/tier.ts';
import type {
  BreakerConfig,
  CapConfig,
  DuplicateRule,
  Filter,
  GroupMode,
  Hours,
  Margin,
  PauseDates,
  PriceModel,
  ThrottleConfig,
  TierPrice,
} from '#engine/plan.ts';
import { newDataKey, sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { hashPassword } from '#server/password/password.ts';
import { TEST_CONFIG } from './config.ts';

/** Which of the world's services a tier asks, by its name; refuses when it fails unless said otherwise. */
export interface CheckSpec {
  service: string;
  timeLimitMs?: number;
  onFailure?: 'pass' | 'refuse';
}

export interface ServiceSpec {
  url: string;
  status?: 'active' | 'paused' | 'archived';
  endpoint?: ServiceEndpoint;
}

export interface TierSpec {
  name?: string;
  url: string;
  buyer?: string;
  price?: TierPrice;
  delivery?: 'post' | 'pingPost';
  caps?: CapConfig[];
  buyerCaps?: CapConfig[];
  filter?: Filter;
  hours?: Hours;
  pauseDates?: PauseDates;
  duplicate?: DuplicateRule;
  timeLimitMs?: number;
  afterTimeout?: 'next' | 'hold';
  breaker?: BreakerConfig | undefined;
  throttle?: ThrottleConfig;
  status?: 'active' | 'paused';
  endpoint?: EndpointConfig;
  floor?: string;
  weight?: number;
  thirdParty?: CheckSpec;
  suppressionLists?: string[];
}

export interface WorldSpec {
  name?: string;
  /** 'us' when left out; also the slug of the region. */
  country?: 'us' | 'uk';
  groups?: { mode: GroupMode; tiers: TierSpec[] }[];
  priceModel?: PriceModel;
  margin?: Margin;
  publisher?: {
    /** 'api' when left out; one of kind lander has no key. */
    kind?: PublisherTierKind;
    caps?: CapConfig[];
    filter?: Filter;
    duplicate?: DuplicateRule;
    ipAllow?: string[];
    terse?: boolean;
    rawRedirect?: boolean;
    always200?: boolean;
    pingsPerMinute?: number;
    hours?: Hours;
    p2c?: CheckSpec;
    suppressionLists?: string[];
  };
  /** Beside those of FIELDS. */
  fields?: { field_name: string; field_human_name: string; type: string; privacy_class: string }[];
  services?: Record<string, ServiceSpec>;
  maxSales?: number;
  timeLimitMs?: number;
  testValues?: { field: string; sold?: string; rejected?: string; timeout?: string; error?: string };
}

export interface World {
  organizationId: string;
  regionId: string;
  verticalId: string;
  campaignId: string;
  publisherTierId: string;
  publisherId: string;
  key: string;
  tiers: { buyerTierId: string; buyerId: string; groupId: string }[];
  subDomain: string;
  /** Ids by name. */
  services: Record<string, string>;
}

/** Cents as engine money. */
export const dollars = (amount: number): number => Math.round(amount * 10_000);

export const FIELDS = [
  {
    field_name: 'first_name',
    field_human_name: 'First name',
    type: 'string',
    required: true,
    max_char: 60,
    privacy_class: 'P2',
    in_ping: false,
    searchable: false,
  },
  {
    field_name: 'email',
    field_human_name: 'Email',
    type: 'email',
    required: true,
    max_char: 254,
    privacy_class: 'P2',
    in_ping: false,
    searchable: true,
  },
  {
    field_name: 'phone',
    field_human_name: 'Phone',
    type: 'phone',
    required: false,
    max_char: null,
    privacy_class: 'P2',
    in_ping: false,
    searchable: true,
  },
  {
    field_name: 'state',
    field_human_name: 'State',
    type: 'state',
    required: true,
    max_char: null,
    privacy_class: 'P1',
    in_ping: true,
    searchable: false,
  },
  {
    field_name: 'zip',
    field_human_name: 'ZIP code',
    type: 'zip',
    required: false,
    max_char: null,
    privacy_class: 'P1',
    in_ping: true,
    searchable: false,
  },
  {
    field_name: 'monthly_income',
    field_human_name: 'Monthly income',
    type: 'integer',
    required: false,
    max_char: null,
    privacy_class: 'P1',
    in_ping: true,
    searchable: false,
  },
] as const;

export const LEAD = { first_name: 'Ada', email: 'ada@example.com', phone: '2125550123', state: 'NY', zip: '01234', monthly_income: '3200' };

export async function buildWorld(db: Db, spec: WorldSpec = {}): Promise<World> {
  const organizationId = newId();
  const subDomain = `t${randomBytes(5).toString('hex')}`;
  await db
    .insertInto('organization')
    .values({
      id: organizationId,
      name: spec.name ?? 'Test organization',
      sub_domain: subDomain,
      time_zone: 'America/New_York',
      currency: 'USD',
      data_key: newDataKey(TEST_CONFIG.masterKey, organizationId),
    })
    .execute();
  const own = { organization_id: organizationId };
  const { country = 'us' } = spec;
  const [regionId, verticalId, campaignId, publisherId, publisherTierId] = [newId(), newId(), newId(), newId(), newId()];
  await db
    .insertInto('region')
    .values({ ...own, id: regionId, slug: country, name: country === 'us' ? 'United States' : 'United Kingdom', country })
    .execute();
  await db
    .insertInto('vertical')
    .values({
      ...own,
      id: verticalId,
      region_id: regionId,
      slug: 'payday',
      uid: `payday-${country}`,
      name: 'Payday',
      primary_field: 'email',
    })
    .execute();
  await db
    .insertInto('field')
    .values(
      [...FIELDS, ...(spec.fields ?? [])].map((field, position) => ({ ...own, id: newId(), vertical_id: verticalId, position, ...field })),
    )
    .execute();
  await db
    .insertInto('campaign')
    .values({
      ...own,
      id: campaignId,
      vertical_id: verticalId,
      name: 'Main campaign',
      margin: JSON.stringify(spec.margin ?? { kind: 'fixed', amount: 0 }),
      max_sales: spec.maxSales ?? 1,
      time_limit_ms: spec.timeLimitMs ?? 30_000,
      test_values: spec.testValues ? JSON.stringify(spec.testValues) : null,
    })
    .execute();
  const services = await insertServices(db, organizationId, verticalId, spec.services ?? {});
  await insertPublisher(db, organizationId, { publisherId, publisherTierId, campaignId }, spec, services);
  const tiers: World['tiers'] = [];
  for (const [position, group] of (spec.groups ?? []).entries()) {
    const groupId = newId();
    await db
      .insertInto('tree_group')
      .values({ ...own, id: groupId, campaign_id: campaignId, position, name: `Group ${position + 1}`, mode: group.mode })
      .execute();
    for (const [place, tier] of group.tiers.entries()) {
      const made = await insertTier(db, organizationId, verticalId, tier, services);
      await db
        .insertInto('group_member')
        .values({ ...own, group_id: groupId, buyer_tier_id: made.buyerTierId, position: place, weight: tier.weight ?? null })
        .execute();
      tiers.push({ ...made, groupId });
    }
  }
  const key = spec.publisher?.kind === 'lander' ? '' : await insertKey(db, organizationId, publisherTierId);
  return { organizationId, regionId, verticalId, campaignId, publisherId, publisherTierId, key, tiers, subDomain, services };
}

async function insertServices(
  db: Db,
  organization_id: string,
  vertical_id: string,
  specs: Record<string, ServiceSpec>,
): Promise<World['services']> {
  const services: World['services'] = {};
  for (const [name, { url, status = 'active', endpoint = { post: jsonEndpoint(url, 'post').post } }] of Object.entries(specs)) {
    services[name] = newId();
    const row = { organization_id, id: services[name], vertical_id, name, status, endpoint: JSON.stringify(endpoint) };
    await db.insertInto('service').values(row).execute();
  }
  return services;
}

function checkText(check: CheckSpec | undefined, services: World['services']): string | null {
  if (!check) return null;
  const { service, timeLimitMs = 2_000, onFailure = 'refuse' } = check;
  return JSON.stringify({ serviceId: services[service], timeLimitMs, onFailure });
}

async function insertPublisher(
  db: Db,
  organizationId: string,
  ids: { publisherId: string; publisherTierId: string; campaignId: string },
  spec: WorldSpec,
  services: World['services'],
): Promise<void> {
  const own = { organization_id: organizationId };
  const { publisher = {} } = spec;
  await db
    .insertInto('publisher')
    .values({ ...own, id: ids.publisherId, name: 'Publisher One', affiliate_id: 'AFF1' })
    .execute();
  await db
    .insertInto('publisher_tier')
    .values({
      ...own,
      id: ids.publisherTierId,
      publisher_id: ids.publisherId,
      campaign_id: ids.campaignId,
      name: 'Main seat',
      kind: publisher.kind ?? 'api',
      sub_id: 'sub1',
      price_model: JSON.stringify(spec.priceModel ?? { kind: 'share', sharePercent: 80 }),
      caps: JSON.stringify(publisher.caps ?? []),
      filter: publisher.filter ? JSON.stringify(publisher.filter) : null,
      hours: publisher.hours ? JSON.stringify(publisher.hours) : null,
      duplicate: publisher.duplicate ? JSON.stringify(publisher.duplicate) : null,
      ip_allow: publisher.ipAllow ?? [],
      terse: publisher.terse ?? false,
      raw_redirect: publisher.rawRedirect ?? false,
      always_200: publisher.always200 ?? false,
      pings_per_minute: publisher.pingsPerMinute ?? null,
      p2c: checkText(publisher.p2c, services),
      suppression_lists: publisher.suppressionLists ?? [],
    })
    .execute();
}

/** Beside the world's own tier one that takes leads from landers. */
export async function addLanderTier(db: Db, world: World, name = 'Landers'): Promise<string> {
  const id = newId();
  await db
    .insertInto('publisher_tier')
    .values({
      ...{
        organization_id: world.organizationId,
        id,
        publisher_id: world.publisherId,
        campaign_id: world.campaignId,
        name,
        kind: 'lander',
      },
      price_model: JSON.stringify({ kind: 'share', sharePercent: 80 }),
    })
    .execute();
  return id;
}

export async function insertKey(
  db: Db,
  organizationId: string,
  publisherTierId: string,
  more: { revoked_at?: Date; expires_at?: Date } = {},
): Promise<string> {
  const key = `sk_${randomBytes(18).toString('hex')}`;
  await db
    .insertInto('posting_key')
    .values({
      organization_id: organizationId,
      id: newId(),
      publisher_tier_id: publisherTierId,
      key_hash: sha256(key),
      prefix: key.slice(0, 7),
      ...more,
    })
    .execute();
  return key;
}

async function insertTier(
  db: Db,
  organizationId: string,
  verticalId: string,
  tier: TierSpec,
  services: World['services'],
): Promise<{ buyerTierId: string; buyerId: string }> {
  const own = { organization_id: organizationId };
  const name = tier.buyer ?? `Buyer ${randomBytes(3).toString('hex')}`;
  const known = await db
    .selectFrom('buyer')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .executeTakeFirst();
  const buyerId = known?.id ?? newId();
  if (!known)
    await db
      .insertInto('buyer')
      .values({ ...own, id: buyerId, name, caps: JSON.stringify(tier.buyerCaps ?? []) })
      .execute();
  const buyerTierId = newId();
  await db
    .insertInto('buyer_tier')
    .values({
      ...own,
      id: buyerTierId,
      buyer_id: buyerId,
      vertical_id: verticalId,
      name: tier.name ?? 'Tier',
      status: tier.status ?? 'active',
      delivery: tier.delivery ?? 'post',
      price: JSON.stringify(tier.price ?? { kind: 'fixed', price: dollars(20) }),
      floor: tier.floor ?? null,
      caps: JSON.stringify(tier.caps ?? []),
      filter: tier.filter ? JSON.stringify(tier.filter) : null,
      hours: tier.hours ? JSON.stringify(tier.hours) : null,
      pause_dates: tier.pauseDates ? JSON.stringify(tier.pauseDates) : null,
      duplicate: tier.duplicate ? JSON.stringify(tier.duplicate) : null,
      time_limit_ms: tier.timeLimitMs ?? 3_000,
      after_timeout: tier.afterTimeout ?? 'next',
      third_party: checkText(tier.thirdParty, services),
      suppression_lists: tier.suppressionLists ?? [],
      breaker: tier.breaker ? JSON.stringify(tier.breaker) : null,
      throttle: tier.throttle ? JSON.stringify(tier.throttle) : null,
      endpoint: JSON.stringify(tier.endpoint ?? jsonEndpoint(tier.url, tier.delivery ?? 'post')),
    })
    .execute();
  return { buyerTierId, buyerId };
}

const at = (path: string) => ({ path });
const says = (outcome: 'accepted' | 'duplicate' | 'pending' | 'rejected') =>
  ({ outcome, when: [{ at: at('result'), is: 'equal', value: outcome }] }) satisfies OutcomeRule;

const RESPONSE: ResponseRules = {
  outcomes: [says('accepted'), says('duplicate'), says('pending'), says('rejected')],
  price: { at: [at('price')] },
  redirect: { at: [at('redirect')] },
  reasons: [at('reason')],
  captures: { id: { at: [at('id')] }, buyerRef: { at: [at('id')] } },
};

/** A JSON buyer as startBuyer() scripts it: result, price, redirect, reason, id. */
export function jsonEndpoint(url: string, delivery: 'post' | 'pingPost', more: readonly MappingRow[] = []): EndpointConfig {
  const field = (name: string) => ({ to: name, from: { kind: 'field', field: name } }) as const;
  const rows: MappingRow[] = [...FIELDS.map((one) => field(one.field_name)), ...more];
  const ref: MappingRow[] = delivery === 'post' ? [] : [{ to: 'ping_ref', from: { kind: 'capture', name: 'id' }, omitWhenEmpty: true }];
  const post: EndpointConfig['post'] = {
    url: `${url}/post`,
    method: 'POST',
    body: { format: 'json', mapping: [...rows, { to: 'lead_id', from: { kind: 'system', name: 'leadId' } }, ...ref] },
    response: RESPONSE,
  };
  if (delivery === 'post') return { post };
  return { post, ping: { ...post, url: `${url}/ping`, body: { format: 'json', mapping: rows } } };
}

export async function buildUser(
  db: Db,
  organizationId: string,
  more: { role?: 'owner' | 'member'; permissions?: RegionPermission[]; email?: string; superAdmin?: boolean } = {},
): Promise<{ userId: string; email: string; password: string }> {
  const [userId, password] = [newId(), 'correct-horse-1'];
  const email = more.email ?? `u${randomBytes(4).toString('hex')}@example.com`;
  await db
    .insertInto('app_user')
    .values({
      id: userId,
      email,
      first_name: 'Una',
      last_name: 'User',
      password_hash: await hashPassword(password),
      is_super_admin: more.superAdmin ?? false,
      email_confirmed_at: new Date(),
    })
    .execute();
  await db
    .insertInto('team_member')
    .values({
      organization_id: organizationId,
      id: newId(),
      user_id: userId,
      role: more.role ?? 'owner',
      permissions: JSON.stringify(more.permissions ?? []),
    })
    .execute();
  return { userId, email, password };
}
