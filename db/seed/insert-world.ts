/** Writes the configuration of one demo organization: rows as the console would leave them. */
import type { Transaction } from 'kysely';
import { pageCatalogue } from '#contract/page.ts';
import type { Database } from '#db/types.ts';
import { formatMoney } from '#engine/money.ts';
import { type MasterKey, newDataKey, type OrganizationKeys, sealJson, sha256, unwrapKeys } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { serviceEndpointFor } from '#server/market/services.ts';
import { hashPassword } from '#server/password/password.ts';
import { buyerEndpoint, DEMO_SECRETS } from './buyer-endpoint.ts';
import { insertBins } from './insert-bins.ts';
import { type InsertedCard, insertCard } from './insert-card.ts';
import { insertLandingPages } from './insert-landing-pages.ts';
import { insertLists } from './insert-lists.ts';
import { DEMO_PASSWORD, type WorldPerson } from './world/people.ts';
import {
  type Place,
  placeOf,
  type WorldBuyer,
  type WorldBuyerTier,
  type WorldCampaign,
  type WorldCheck,
  type WorldOrganization,
  type WorldPublisher,
  type WorldPublisherTier,
  type WorldService,
  type WorldVertical,
} from './world/world.ts';

type Tx = Transaction<Database>;

/** Ids of one organization's things by their slug. */
export interface InsertedOrganization {
  id: string;
  world: WorldOrganization;
  verticals: Map<Place, { regionId: string; verticalId: string }>;
  services: Map<string, string>;
  campaigns: Map<string, string>;
  buyerTiers: Map<string, string>;
  publisherTiers: Map<string, string>;
  /** By the slug of their publisher tier. */
  cards: Map<string, InsertedCard>;
  /** The same. */
  landingPages: Map<string, string>;
}

export interface InsertOptions {
  masterKey: MasterKey;
  marketUrl: string;
  /** When the organization was set up; before its first lead. */
  createdAt: Date;
}

export async function insertOrganization(
  tx: Tx,
  id: string,
  world: WorldOrganization,
  options: InsertOptions,
): Promise<InsertedOrganization> {
  const data_key = newDataKey(options.masterKey, id);
  const { name, subDomain: sub_domain, timeZone: time_zone, currency } = world;
  await tx
    .insertInto('organization')
    .values({ id, name, sub_domain, time_zone, currency, data_key, created_at: options.createdAt })
    .execute();
  const inserted: InsertedOrganization = {
    id,
    world,
    verticals: new Map(),
    services: new Map(),
    campaigns: new Map(),
    buyerTiers: new Map(),
    publisherTiers: new Map(),
    cards: new Map(),
    landingPages: new Map(),
  };
  await insertVerticals(tx, inserted);
  for (const service of world.services ?? []) await insertService(tx, inserted, service, options.marketUrl);
  for (const buyer of world.buyers) await insertBuyer(tx, inserted, buyer, unwrapKeys(options.masterKey, id, data_key), options.marketUrl);
  for (const campaign of world.campaigns) await insertCampaign(tx, inserted, campaign);
  for (const publisher of world.publishers) await insertPublisher(tx, inserted, publisher, options.createdAt);
  for (const card of world.cards ?? []) inserted.cards.set(card.tier, await insertCard(tx, inserted, card));
  await insertLandingPages(tx, inserted);
  await insertBins(tx, inserted);
  await insertLists(tx, unwrapKeys(options.masterKey, id, data_key));
  return inserted;
}

async function insertVerticals(tx: Tx, inserted: InsertedOrganization): Promise<void> {
  for (const region of inserted.world.regions) {
    const regionId = newId();
    const { slug, name } = region;
    await tx.insertInto('region').values({ organization_id: inserted.id, id: regionId, slug, name, country: slug }).execute();
    for (const vertical of region.verticals) {
      const verticalId = await insertVertical(tx, inserted.id, regionId, vertical);
      inserted.verticals.set(placeOf(region, vertical), { regionId, verticalId });
    }
  }
}

async function insertVertical(tx: Tx, organization_id: string, region_id: string, vertical: WorldVertical): Promise<string> {
  const id = newId();
  const { slug, uid, name, primaryField: primary_field, fields } = vertical;
  await tx.insertInto('vertical').values({ organization_id, id, region_id, slug, uid, name, primary_field }).execute();
  const rows = fields.map((field, position) => ({
    organization_id,
    id: newId(),
    vertical_id: id,
    position,
    field_name: field.fieldName,
    field_human_name: field.fieldHumanName,
    type: field.type,
    required: field.required,
    min_char: field.minChar ?? null,
    max_char: field.maxChar ?? null,
    min_value: field.min ?? null,
    max_value: field.max ?? null,
    pattern: field.pattern ?? null,
    options: field.options ?? null,
    privacy_class: field.privacyClass,
    in_ping: field.inPing,
    searchable: field.searchable ?? field.fieldName === primary_field,
  }));
  await tx.insertInto('field').values(rows).execute();
  return id;
}

async function insertService(tx: Tx, inserted: InsertedOrganization, service: WorldService, baseUrl: string): Promise<void> {
  const id = newId();
  const { slug, name, notes, place, simulated } = service;
  inserted.services.set(slug, id);
  const { verticalId: vertical_id } = inserted.verticals.get(place)!;
  const endpoint = JSON.stringify(serviceEndpointFor(simulated, { baseUrl, slug }));
  await tx.insertInto('service').values({ organization_id: inserted.id, id, vertical_id, name, notes, endpoint }).execute();
}

function checkText({ services }: InsertedOrganization, check: WorldCheck | undefined): string | null {
  if (!check) return null;
  const { service, ...rest } = check;
  return JSON.stringify({ serviceId: services.get(service)!, ...rest });
}

async function insertBuyer(
  tx: Tx,
  inserted: InsertedOrganization,
  buyer: WorldBuyer,
  keys: OrganizationKeys,
  marketUrl: string,
): Promise<void> {
  const buyerId = newId();
  const caps = JSON.stringify(buyer.caps ?? []);
  await tx.insertInto('buyer').values({ organization_id: inserted.id, id: buyerId, name: buyer.name, caps }).execute();
  for (const tier of buyer.tiers) {
    const id = newId();
    inserted.buyerTiers.set(tier.slug, id);
    const { verticalId } = inserted.verticals.get(tier.place)!;
    const secrets = tier.speaks === 'basic' || tier.speaks === 'bearer' ? sealJson(keys, 'buyer_tier.secrets', id, DEMO_SECRETS) : null;
    const endpoint = JSON.stringify(buyerEndpoint(tier, marketUrl));
    await tx
      .insertInto('buyer_tier')
      .values({
        organization_id: inserted.id,
        id,
        buyer_id: buyerId,
        vertical_id: verticalId,
        endpoint,
        secrets,
        third_party: checkText(inserted, tier.thirdParty),
        ...buyerTierRow(tier),
      })
      .execute();
  }
}

function buyerTierRow(tier: WorldBuyerTier) {
  return {
    name: tier.name,
    status: tier.status ?? 'active',
    delivery: tier.delivery,
    price: JSON.stringify(tier.price),
    floor: tier.floor === undefined ? null : formatMoney(tier.floor),
    post_price_rule: tier.postPriceRule ?? 'take',
    quality_factor: tier.qualityFactor ?? 1,
    time_limit_ms: tier.timeLimitMs,
    after_timeout: tier.afterTimeout ?? 'next',
    breaker: jsonOrNull(tier.breaker),
    ...ruleColumns(tier),
  };
}

function ruleColumns(tier: WorldBuyerTier | WorldPublisherTier) {
  return {
    filter: jsonOrNull(tier.filter),
    hours: jsonOrNull(tier.hours),
    pause_dates: jsonOrNull(tier.pauseDates),
    caps: JSON.stringify(tier.caps ?? []),
    duplicate: jsonOrNull(tier.duplicate),
  };
}

function jsonOrNull(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

async function insertCampaign(tx: Tx, inserted: InsertedOrganization, campaign: WorldCampaign): Promise<void> {
  const id = newId();
  inserted.campaigns.set(campaign.slug, id);
  await tx
    .insertInto('campaign')
    .values({
      organization_id: inserted.id,
      id,
      vertical_id: inserted.verticals.get(campaign.place)!.verticalId,
      name: campaign.name,
      margin: JSON.stringify(campaign.margin),
      floor: campaign.floor === undefined ? null : formatMoney(campaign.floor),
      max_sales: campaign.maxSales ?? 1,
      time_limit_ms: campaign.timeLimitMs,
      test_values: JSON.stringify(campaign.testValues),
    })
    .execute();
  await insertTree(tx, inserted, id, campaign);
}

async function insertTree(tx: Tx, inserted: InsertedOrganization, campaignId: string, campaign: WorldCampaign): Promise<void> {
  const organization_id = inserted.id;
  for (const [position, { name, mode, timeLimitMs, members }] of campaign.tree.entries()) {
    const id = newId();
    await tx
      .insertInto('tree_group')
      .values({ organization_id, id, campaign_id: campaignId, position, name, mode, time_limit_ms: timeLimitMs ?? null })
      .execute();
    const rows = members.map((member, place) => ({
      organization_id,
      group_id: id,
      buyer_tier_id: inserted.buyerTiers.get(member.tier)!,
      position: place,
      weight: member.weight ?? null,
    }));
    await tx.insertInto('group_member').values(rows).execute();
  }
}

async function insertPublisher(tx: Tx, inserted: InsertedOrganization, publisher: WorldPublisher, createdAt: Date): Promise<void> {
  const publisherId = newId();
  const { name, affiliateId: affiliate_id } = publisher;
  await tx.insertInto('publisher').values({ organization_id: inserted.id, id: publisherId, name, affiliate_id }).execute();
  for (const tier of publisher.tiers) {
    const id = newId();
    inserted.publisherTiers.set(tier.slug, id);
    await tx
      .insertInto('publisher_tier')
      .values({
        organization_id: inserted.id,
        id,
        publisher_id: publisherId,
        campaign_id: inserted.campaigns.get(tier.campaign)!,
        name: tier.name,
        kind: tier.kind ?? 'api',
        sub_id: tier.subId,
        status: tier.status ?? 'active',
        price_model: JSON.stringify(tier.priceModel),
        ip_allow: tier.ipAllow ?? [],
        terse: tier.terse ?? false,
        always_200: tier.always200 ?? false,
        pings_per_minute: tier.pingsPerMinute ?? null,
        p2c: checkText(inserted, tier.p2c),
        ...ruleColumns(tier),
      })
      .execute();
    if (tier.kind === 'lander') continue;
    await tx
      .insertInto('posting_key')
      .values(keyRows(inserted.id, id, tier, createdAt))
      .execute();
  }
}

/** A posting key that everybody can know: only in the demo world, which production refuses to make. */
export function demoKeyOf(tierSlug: string): string {
  return `demo_${tierSlug}_${sha256(`sluice demo key ${tierSlug}`).toString('hex').slice(0, 16)}`;
}

/** The key in use and, where it was replaced, the one before it. */
function keyRows(organization_id: string, publisher_tier_id: string, { slug, replacedKey }: WorldPublisherTier, createdAt: Date) {
  const row = (key: string, created_at: Date, revoked_at: Date | null) => ({
    organization_id,
    id: newId(),
    publisher_tier_id,
    key_hash: sha256(key),
    prefix: key.slice(0, 12),
    created_at,
    expires_at: null,
    revoked_at,
  });
  const dayAfter = (days: number) => new Date(createdAt.getTime() + days * 86_400_000);
  if (!replacedKey) return [row(demoKeyOf(slug), createdAt, null)];
  return [row(`${demoKeyOf(slug)}_old`, createdAt, dayAfter(4)), row(demoKeyOf(slug), dayAfter(3), null)];
}

export async function insertPeople(tx: Tx, people: WorldPerson[], organizations: InsertedOrganization[]): Promise<void> {
  const password_hash = await hashPassword(DEMO_PASSWORD);
  for (const person of people) {
    const organization = organizations.find((one) => one.world.subDomain === person.organization)!;
    const userId = newId();
    const { email, firstName: first_name, lastName: last_name, isSuperAdmin: is_super_admin = false, role } = person;
    await tx
      .insertInto('app_user')
      .values({ id: userId, email, first_name, last_name, password_hash, is_super_admin, email_confirmed_at: new Date() })
      .execute();
    const permissions = JSON.stringify(permissionsOf(person, organization));
    await tx
      .insertInto('team_member')
      .values({
        organization_id: organization.id,
        id: newId(),
        user_id: userId,
        role,
        permissions,
        ...(await bindingOf(tx, person, organization)),
      })
      .execute();
  }
}

async function bindingOf(tx: Tx, { bound }: WorldPerson, { id: organizationId }: InsertedOrganization) {
  if (!bound) return {};
  const company = tx.selectFrom(bound.kind).select('id').where('organization_id', '=', organizationId).where('name', '=', bound.name);
  const { id } = await company.executeTakeFirstOrThrow();
  return bound.kind === 'buyer' ? { buyer_id: id } : { publisher_id: id };
}

/** The whole list, ticked or not, as the permission editor leaves it; an owner needs none. */
function permissionsOf({ pages = {}, role, bound }: WorldPerson, { verticals }: InsertedOrganization) {
  if (role === 'owner' || bound) return [];
  const byRegion = Map.groupBy(verticals, ([, { regionId }]) => regionId);
  return [...byRegion].map(([regionId, places]) => {
    const ticked = places.map(([place, { verticalId }]) => ({
      verticalId,
      verticalChecked: pages[place] !== undefined,
      pages: pageCatalogue.map(({ value }) => ({ value, pageChecked: pages[place]?.includes(value) ?? false })),
    }));
    return { regionId, regionChecked: ticked.some((vertical) => vertical.verticalChecked), verticals: ticked };
  });
}
