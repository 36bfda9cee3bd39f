/** Leads of any time, put straight into their tables, with what reports must say of them worked out here a second time. */
import type pg from 'pg';
import { formatMoney } from '#engine/money.ts';
import { type OrganizationKeys, sealJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { LEAD, type World } from './world.ts';

/** Who sent a lead, and into which campaign. */
export type PastSource = Pick<World, 'campaignId' | 'publisherId' | 'publisherTierId'>;
/** With what else may have sent leads, beside its own publisher. */
export type PastWorld = World & { sources?: readonly PastSource[] };

export interface PastCall {
  leg: 'ping' | 'post';
  outcome: string;
  elapsedMs: number;
  /** What came after the time limit, and how long that took in all. */
  late?: { outcome: 'accepted' | 'rejected'; afterMs: number };
}

export interface PastTier {
  buyerTierId: string;
  /** Empty where it was only asked for a bid. */
  outcome: string;
  filterKey: number;
  calls: PastCall[];
}

export interface PastLead {
  id: string;
  at: number;
  source: PastSource;
  subId: string;
  state: string;
  /** Of an A/B test; empty without one. */
  variantId: string;
  isPing: boolean;
  /** The ping that it is the post of. */
  ping?: PastLead;
  /** Of the lead, as reports name it. */
  outcome: string;
  reason: string;
  /** One per buyer tier that was tried or asked. */
  tiers: PastTier[];
  sale?: PastSale;
}

export interface PastSale {
  buyerTierId: string;
  /** It came of a bid. */
  isWon: boolean;
  /** Where that is not the price. */
  bid?: number;
  /** The buyer named another price than was agreed, be it paid or not. */
  isOtherNamed?: true;
  revenue: number;
  payout: number;
  linkGivenAt: number;
  followedAt?: number;
  returned?: number;
}

const SUB_IDS = ['', 'alpha', 'beta'];
const STATES = ['', 'CA', 'CA', 'NY', 'TX', 'FL', 'KS', 'NE', 'CO', 'IA'];
const VARIANTS = ['', '', newId(0), newId(0)];
/** What each buyer named that took a lead too late. */
export const LATE_PRICE = 123_400;
const OUTCOMES = ['sold', 'rejected', 'timeouts', 'terrors', 'filtered'] as const;

/** Beside the world's own publisher another, which sends to another campaign and to the first one too. */
export async function addSources(db: Db, world: World): Promise<PastWorld> {
  const own = { organization_id: world.organizationId };
  const [campaignId, publisherId] = [newId(), newId()];
  const margin = JSON.stringify({ kind: 'fixed', amount: 0 });
  await db
    .insertInto('campaign')
    .values({ ...own, id: campaignId, vertical_id: world.verticalId, name: 'Other campaign', margin, max_sales: 1, time_limit_ms: 30_000 })
    .execute();
  await db
    .insertInto('publisher')
    .values({ ...own, id: publisherId, name: 'Publisher Two', affiliate_id: 'AFF2' })
    .execute();
  const price_model = JSON.stringify({ kind: 'share', sharePercent: 80 });
  const seats = [campaignId, world.campaignId].map((campaign) => ({ campaignId: campaign, publisherId, publisherTierId: newId() }));
  for (const [nth, seat] of seats.entries())
    await db
      .insertInto('publisher_tier')
      .values({
        ...{ ...own, id: seat.publisherTierId, publisher_id: publisherId, campaign_id: seat.campaignId, name: `Seat ${nth + 1}` },
        ...{ kind: 'api', sub_id: `other${nth}`, price_model },
      })
      .execute();
  return { ...world, sources: [world, ...seats] };
}

type Chance = () => number;
const pickBy =
  (chance: Chance) =>
  <One>(of: readonly One[]) =>
    of[Math.floor(chance() * of.length)]!;

/** `chance` answers numbers from 0 to 1; the same ones make the same leads. */
export function inventLead(world: PastWorld, at: number, chance: Chance): PastLead {
  const pick = pickBy(chance);
  const { campaignId, publisherId, publisherTierId } = pick(world.sources ?? [world]);
  const lead: PastLead = {
    id: newId(at),
    at,
    source: { campaignId, publisherId, publisherTierId },
    subId: pick(SUB_IDS),
    state: pick(STATES),
    variantId: pick(VARIANTS),
    isPing: chance() < 0.15,
    tiers: [],
    outcome: '',
    reason: '',
  };
  if (lead.isPing) {
    const bid = chance() < 0.5;
    const outcome = bid ? 'bid' : 'rejected';
    const calls = [{ leg: 'ping' as const, outcome, elapsedMs: 1 + chance() * 5000 }];
    return { ...lead, outcome: bid ? 'bid' : 'noBid', tiers: [{ ...tierAt(world, 0), outcome: '', filterKey: 0, calls }] };
  }
  const kind = chance();
  if (kind < 0.1) return { ...lead, outcome: 'rejected', reason: 'publisher-validation-failed' };
  if (kind < 0.15) return { ...lead, outcome: 'filtered', reason: 'publisher-tier-filter-failed' };
  if (kind < 0.2) return { ...lead, outcome: 'open', reason: '' };
  const wanted = pick(OUTCOMES);
  for (const [index] of world.tiers.entries()) {
    const isLast = index === world.tiers.length - 1;
    lead.tiers.push(inventTier(world, index, isLast ? wanted : pick([...OUTCOMES.slice(1), '']), chance));
  }
  const said = lead.tiers.map(({ outcome }) => outcome);
  lead.outcome = OUTCOMES.find((one) => said.includes(one))!;
  if (lead.outcome !== 'sold') return { ...lead, reason: 'buyer-all-tier-failed' };
  return { ...lead, sale: inventSale(lead.tiers.at(-1)!, at, chance) };
}

/** A buyer tier that is tried by a post, one that is asked for a bid before, or, without an outcome, one that bid and lost. */
function inventTier(world: World, index: number, outcome: string, chance: Chance): PastTier {
  const tier: PastTier = { ...tierAt(world, index), outcome, filterKey: 0, calls: [] };
  if (outcome === 'filtered') return { ...tier, filterKey: 1 + Math.floor(chance() * 8) };
  const ping = (of: string): PastCall => ({ leg: 'ping', outcome: of, elapsedMs: 1 + chance() * 9000 });
  if (outcome === '') return { ...tier, calls: [ping('bid')] };
  const isAsked = chance() < 0.4;
  if (isAsked && outcome !== 'sold' && chance() < 0.5) return { ...tier, calls: [ping(outcome)] };
  const post: PastCall = { leg: 'post', outcome, elapsedMs: 1 + chance() * 9000 };
  if (outcome === 'timeouts' && chance() < 0.6)
    post.late = { outcome: chance() < 0.7 ? 'accepted' : 'rejected', afterMs: post.elapsedMs + chance() * 9000 };
  return { ...tier, calls: [...(isAsked ? [ping('bid')] : []), post] };
}

function inventSale(
  { buyerTierId, calls }: PastTier,
  at: number,
  chance: Chance,
  isWon = calls.some(({ leg }) => leg === 'ping'),
): PastSale {
  const revenue = 1 + Math.floor(chance() * 900_000);
  const sale: PastSale = { buyerTierId, isWon, revenue, payout: Math.floor(revenue * 0.7), linkGivenAt: at + 1000 };
  if (chance() < 0.5) sale.followedAt = at + 2000 + chance() * 60_000;
  if (chance() < 0.2) sale.returned = Math.ceil(revenue / 2);
  // Some pay less than they bid and some more; some name a price that does not count, and some had bid none.
  if (isWon && revenue % 3 === 0) sale.bid = revenue % 2 === 0 ? revenue + 5_000 : Math.ceil(revenue / 2);
  if (sale.bid !== undefined || revenue % 5 === 0) sale.isOtherNamed = true;
  return sale;
}

/** What the publisher posts after a ping that was bid for, within the time of a bid: its buyer takes it. */
export function inventPost(ping: PastLead, chance: Chance): PastLead {
  const at = ping.at + 1000 + chance() * 100_000;
  const [asked] = ping.tiers;
  const tier: PastTier = { ...asked!, outcome: 'sold', calls: [{ leg: 'post', outcome: 'sold', elapsedMs: 1 + chance() * 9000 }] };
  const sale = inventSale(tier, at, chance, true);
  return { ...ping, variantId: '', id: newId(at), at, isPing: false, ping, outcome: 'sold', tiers: [tier], sale };
}

const tierAt = (world: World, index: number) => ({ buyerTierId: world.tiers[index]!.buyerTierId });

/** In whatever transaction the client is in. With the organization's keys its consumer can be read, as lists of leads do. */
export async function insertPastLead(client: pg.ClientBase, world: World, lead: PastLead, keys?: OrganizationKeys): Promise<void> {
  const { organizationId, verticalId, regionId } = world;
  const { campaignId, publisherTierId, publisherId } = lead.source;
  const nothing = Buffer.from('sealed');
  await client.query(
    `insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, mode, test, node_id, fields, state, ping_id)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, $10, $11, $12, $13)`,
    [
      organizationId,
      lead.id,
      regionId,
      verticalId,
      campaignId,
      publisherId,
      publisherTierId,
      lead.subId,
      lead.isPing ? 'ping' : lead.ping ? 'post' : 'full',
      newId(),
      keys ? sealJson(keys, 'lead.fields', lead.id, { fields: LEAD, unknown: {}, invalid: {}, inbound: {} }) : nothing,
      lead.state,
      lead.ping?.id ?? null,
    ],
  );
  if (lead.variantId !== '')
    await client.query(
      'insert into lead_variant (organization_id, lead_id, ab_test_id, variant_id, consumer) values ($1, $2, $1, $3, $2)',
      [...[organizationId, lead.id, lead.variantId]],
    );
  if (lead.outcome === 'open') return;
  const status = statusOf(lead);
  const verdicts = lead.isPing
    ? []
    : lead.tiers.map((tier) => ({
        t: tier.buyerTierId,
        g: groupOf(world, tier.buyerTierId),
        o: tier.outcome || 'notReached',
        ...(tier.filterKey && { k: tier.filterKey }),
        c: 'x',
      }));
  const { revenue = 0, payout = 0 } = lead.sale ?? {};
  await client.query(
    `insert into lead_result (organization_id, lead_id, vertical_id, campaign_id, publisher_tier_id, test, status, reason, revenue, payout, margin, sale_count,
        attempt_count, elapsed_ms, buyers_ms, store_ms, finished_at, verdicts, explained)
      values ($1, $2, $3, $4, $5, false, $6, $7, $8, $9, $10, $11, 0, 1, 1, 1, $12, $13, $14)`,
    [
      ...[organizationId, lead.id, verticalId, campaignId, publisherTierId, status, lead.reason || null],
      ...[formatMoney(revenue), formatMoney(payout), formatMoney(revenue - payout), lead.sale ? 1 : 0],
      ...[new Date(lead.at + 500), JSON.stringify(verdicts), nothing],
    ],
  );
  const calls = lead.tiers.flatMap((tier) => tier.calls.map((call) => ({ tier, call })));
  for (const [index, { tier, call }] of calls.entries()) {
    const of = [organizationId, lead.id, index];
    await client.query(
      `insert into attempt (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at, elapsed_ms)
        values ($1, $2, $3, $4, $5, $6, $7, false, $8, $9, 'x', $10, $11)`,
      [
        ...[...of, verticalId, buyerOf(world, tier.buyerTierId), tier.buyerTierId, groupOf(world, tier.buyerTierId)],
        ...[call.leg, call.outcome, new Date(lead.at), call.elapsedMs],
      ],
    );
    if (call.late)
      await client.query(
        `insert into late_answer (organization_id, lead_id, attempt_index, buyer_tier_id, outcome, price, after_ms, wire, arrived_at)
          values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          ...of,
          tier.buyerTierId,
          call.late.outcome,
          formatMoney(LATE_PRICE),
          call.late.afterMs,
          nothing,
          new Date(lead.at + call.late.afterMs),
        ],
      );
  }
  if (lead.sale) await insertSale(client, world, lead, lead.sale);
}

async function insertSale(client: pg.ClientBase, world: World, lead: PastLead, sale: PastSale): Promise<void> {
  const { organizationId, verticalId } = world;
  const { publisherId, publisherTierId } = lead.source;
  const buyerId = buyerOf(world, sale.buyerTierId);
  const money = [sale.revenue, sale.payout, sale.revenue - sale.payout].map(formatMoney);
  await client.query(
    `insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, post_price_differs, bid)
      values ($1, $2, 0, $3, $4, $5, $6, false, $7, $8, $9, $10, $11)`,
    [
      ...[organizationId, lead.id, verticalId, buyerId, sale.buyerTierId, publisherId, ...money, sale.isOtherNamed ?? false],
      sale.isWon ? formatMoney(sale.bid ?? sale.revenue) : null,
    ],
  );
  await client.query(
    `insert into redirect (organization_id, lead_id, sale_index, vertical_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id, given_at, expires_at, url, followed_at)
      values ($1, $2, 0, $3, $4, $5, $6, $7, $8, $8, $9, $10)`,
    [
      ...[organizationId, lead.id, verticalId, publisherId, publisherTierId, buyerId, sale.buyerTierId],
      ...[new Date(sale.linkGivenAt), Buffer.from('sealed'), sale.followedAt === undefined ? null : new Date(sale.followedAt)],
    ],
  );
  if (sale.returned !== undefined) await insertPastReturn(client, world, lead, sale.returned);
}

/** Of half the payout, as far as that goes. */
export async function insertPastReturn(client: pg.ClientBase, world: World, lead: PastLead, amount: number): Promise<void> {
  const { organizationId, verticalId } = world;
  const { publisherId } = lead.source;
  const { buyerTierId } = lead.sale!;
  const payout = Math.floor(amount / 2);
  await client.query(
    `insert into lead_return (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, reason, revenue, payout, margin, via, returned_at)
      values ($1, $2, 0, $3, $4, $5, $6, 'Wrong number', $7, $8, $9, 'console', now())`,
    [
      ...[organizationId, lead.id, verticalId, buyerOf(world, buyerTierId), buyerTierId, publisherId],
      ...[amount, payout, amount - payout].map(formatMoney),
    ],
  );
}

const seatOf = (world: World, buyerTierId: string) => world.tiers.find((tier) => tier.buyerTierId === buyerTierId)!;
const groupOf = (world: World, buyerTierId: string) => seatOf(world, buyerTierId).groupId;
const buyerOf = (world: World, buyerTierId: string) => seatOf(world, buyerTierId).buyerId;

function statusOf({ isPing, outcome, reason }: PastLead): string {
  if (isPing) return outcome;
  if (outcome === 'sold') return 'sold';
  if (reason === 'publisher-validation-failed') return 'invalid';
  return reason === 'publisher-tier-filter-failed' ? 'rejected' : 'unsold';
}

/** As reports write it. */
export const amountOf = (tenThousandths: number) => {
  const text = formatMoney(tenThousandths);
  return text.replace(/(\.\d\d)00$/, '$1');
};

/** Revenue by attempt, to a ten-thousandth. */
const eplOf = (revenue: number, attempts: number) => amountOf(attempts === 0 ? 0 : Math.round(revenue / attempts));

/** The figures of some leads that an inbound report must show. */
export function leadFigures(leads: readonly PastLead[]) {
  const real = leads.filter((lead) => !lead.isPing);
  const count = (outcome: string) => real.filter((lead) => lead.outcome === outcome).length;
  return {
    attempts: real.length,
    ...{ sold: count('sold'), rejected: count('rejected'), terrors: count('terrors'), timeouts: count('timeouts') },
    ...{ filtered: count('filtered'), open: count('open'), pings: leads.length - real.length },
    bids: leads.filter((lead) => lead.outcome === 'bid').length,
    ...moneyFigures(
      leads.flatMap(({ sale }) => sale ?? []),
      real.length,
    ),
  };
}

function moneyFigures(sales: readonly PastSale[], attempts: number) {
  const sum = (of: (sale: PastSale) => number) => sales.reduce((total, sale) => total + of(sale), 0);
  const [revenue, payout] = [sum((sale) => sale.revenue), sum((sale) => sale.payout)];
  const [back, payoutBack] = [sum(({ returned = 0 }) => returned), sum(({ returned = 0 }) => Math.floor(returned / 2))];
  return {
    ...{ revenue: amountOf(revenue), payout: amountOf(payout), margin: amountOf(revenue - payout), epl: eplOf(revenue, attempts) },
    returned: sales.filter((sale) => sale.returned !== undefined).length,
    ...{ returnedRevenue: amountOf(back), returnedPayout: amountOf(payoutBack), returnedMargin: amountOf(back - payoutBack) },
  };
}

/** The value that so many of some times are not above; null without one. */
export function timeAt(times: readonly number[], share: number): number | null {
  return times.toSorted((a, b) => a - b)[Math.max(1, Math.ceil(times.length * share)) - 1] ?? null;
}

/** Buyer tiers that are meant: of all buyers where none is named. */
export type OfTier = (buyerTierId: string) => boolean;
const ANY: OfTier = () => true;
const tiersOf = (leads: readonly PastLead[], isMeant: OfTier) =>
  leads.flatMap(({ tiers }) => tiers.filter(({ buyerTierId }) => isMeant(buyerTierId)));
export const callsOf = (leads: readonly PastLead[], isMeant: OfTier = ANY): PastCall[] =>
  tiersOf(leads, isMeant).flatMap(({ calls }) => calls);
export const salesOf = (leads: readonly PastLead[], isMeant: OfTier = ANY): PastSale[] =>
  leads.flatMap(({ sale }) => (sale && isMeant(sale.buyerTierId) ? [sale] : []));

/** How long all calls for some leads took. */
export const callTime = (leads: readonly PastLead[], share: number): number | null =>
  timeAt(
    callsOf(leads).map(({ elapsedMs }) => elapsedMs),
    share,
  );

/** The figures of buyer tiers that an outbound report must show, but for its times. */
export function tierFigures(leads: readonly PastLead[], isMeant: OfTier = ANY) {
  const tried = tiersOf(leads, isMeant).filter(({ outcome }) => outcome !== '');
  const count = (outcome: string) => tried.filter((tier) => tier.outcome === outcome).length;
  const calls = callsOf(leads, isMeant);
  const sales = salesOf(leads, isMeant);
  return {
    attempts: tried.length,
    ...{ sold: count('sold'), rejected: count('rejected'), terrors: count('terrors'), timeouts: count('timeouts') },
    filtered: count('filtered'),
    pings: calls.filter((call) => call.leg === 'ping').length,
    bids: calls.filter((call) => call.outcome === 'bid').length,
    wins: sales.filter((sale) => sale.isWon).length,
    ...moneyFigures(sales, tried.length),
    links: sales.length,
    followed: sales.filter((sale) => sale.followedAt !== undefined).length,
  };
}

/** What the same tiers bid and paid where that was not the same. */
export function priceFigures(leads: readonly PastLead[], isMeant: OfTier = ANY) {
  const wins = salesOf(leads, isMeant).filter((sale) => sale.isWon);
  const others = wins.flatMap(({ bid, revenue }) => (bid === undefined ? [] : [{ bid, revenue }]));
  const [bid, paid] = (['bid', 'revenue'] as const).map((of) => others.reduce((sum, sale) => sum + sale[of], 0)) as [number, number];
  return {
    ...{ wins: wins.length, otherPrice: others.length, lower: others.filter((sale) => sale.revenue < sale.bid).length },
    ...{ bid: amountOf(bid), paid: amountOf(paid), difference: amountOf(paid - bid) },
  };
}

/** The exact times of which a report tells the nearest bucket. */
export function timeFigures(leads: readonly PastLead[], isMeant: OfTier = ANY) {
  const calls = callsOf(leads, isMeant).map(({ elapsedMs }) => elapsedMs);
  const follows = salesOf(leads, isMeant).flatMap(({ linkGivenAt, followedAt }) => (followedAt ? [followedAt - linkGivenAt] : []));
  return {
    ...{ p50Ms: timeAt(calls, 0.5), p75Ms: timeAt(calls, 0.75), p90Ms: timeAt(calls, 0.9) },
    ...{ followP50Ms: timeAt(follows, 0.5), followP90Ms: timeAt(follows, 0.9) },
  };
}
