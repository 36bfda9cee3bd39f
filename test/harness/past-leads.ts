/** Leads of any time, put straight into their tables, with what reports must say of them worked out here a second time. */
import type pg from 'pg';
import { formatMoney } from '#engine/money.ts';
import { type OrganizationKeys, sealJson } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { LEAD, type World } from './world.ts';

export interface PastLead {
  id: string;
  at: number;
  subId: string;
  state: string;
  /** Of an A/B test; empty without one. */
  variantId: string;
  isPing: boolean;
  /** Of the lead, as reports name it. */
  outcome: string;
  reason: string;
  /** One per buyer tier that was tried or asked. */
  tiers: {
    buyerTierId: string;
    outcome: string;
    filterKey: number;
    calls: { leg: 'ping' | 'post'; outcome: string; elapsedMs: number }[];
  }[];
  sale?: { buyerTierId: string; revenue: number; payout: number; linkGivenAt: number; followedAt?: number; returned?: number };
}

const SUB_IDS = ['', 'alpha', 'beta'];
const STATES = ['', 'CA', 'CA', 'NY', 'TX', 'FL', 'KS', 'NE', 'CO', 'IA'];
const VARIANTS = ['', '', newId(0), newId(0)];
const OUTCOMES = ['sold', 'rejected', 'timeouts', 'terrors', 'filtered'] as const;

/** `chance` answers numbers from 0 to 1; the same ones make the same leads. */
export function inventLead(world: World, at: number, chance: () => number): PastLead {
  const pick = <One>(of: readonly One[]) => of[Math.floor(chance() * of.length)]!;
  const lead = {
    id: newId(at),
    at,
    subId: pick(SUB_IDS),
    state: pick(STATES),
    variantId: pick(VARIANTS),
    isPing: chance() < 0.15,
    tiers: [],
    outcome: '',
    reason: '',
  } as PastLead;
  if (lead.isPing) {
    const bid = chance() < 0.5;
    lead.outcome = bid ? 'bid' : 'noBid';
    lead.tiers = [
      {
        ...tierAt(world, 0),
        outcome: '',
        filterKey: 0,
        calls: [{ leg: 'ping', outcome: bid ? 'bid' : 'rejected', elapsedMs: 1 + chance() * 5000 }],
      },
    ];
    return lead;
  }
  const kind = chance();
  if (kind < 0.1) return { ...lead, outcome: 'rejected', reason: 'publisher-validation-failed' };
  if (kind < 0.15) return { ...lead, outcome: 'filtered', reason: 'publisher-tier-filter-failed' };
  if (kind < 0.2) return { ...lead, outcome: 'open', reason: '' };
  const wanted = pick(OUTCOMES);
  for (const [index] of world.tiers.entries()) {
    const isLast = index === world.tiers.length - 1;
    const outcome = isLast ? wanted : pick(OUTCOMES.slice(1));
    const call = { leg: 'post' as const, outcome, elapsedMs: 1 + chance() * 9000 };
    lead.tiers.push({
      ...tierAt(world, index),
      outcome,
      filterKey: outcome === 'filtered' ? 1 + Math.floor(chance() * 8) : 0,
      calls: outcome === 'filtered' ? [] : [call],
    });
  }
  const said = lead.tiers.map(({ outcome }) => outcome);
  lead.outcome = ['sold', 'rejected', 'timeouts', 'terrors', 'filtered'].find((one) => said.includes(one))!;
  if (lead.outcome !== 'sold') return { ...lead, reason: 'buyer-all-tier-failed' };
  const revenue = 1 + Math.floor(chance() * 900_000);
  lead.sale = { buyerTierId: world.tiers.at(-1)!.buyerTierId, revenue, payout: Math.floor(revenue * 0.7), linkGivenAt: at + 1000 };
  if (chance() < 0.5) lead.sale.followedAt = at + 2000 + chance() * 60_000;
  if (chance() < 0.2) lead.sale.returned = Math.ceil(revenue / 2);
  return lead;
}

const tierAt = (world: World, index: number) => ({ buyerTierId: world.tiers[index]!.buyerTierId });

/** In whatever transaction the client is in. With the organization's keys its consumer can be read, as lists of leads do. */
export async function insertPastLead(client: pg.ClientBase, world: World, lead: PastLead, keys?: OrganizationKeys): Promise<void> {
  const { organizationId, verticalId, campaignId, publisherTierId, publisherId, regionId } = world;
  const nothing = Buffer.from('sealed');
  await client.query(
    `insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, mode, test, node_id, fields, state)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, false, $10, $11, $12)`,
    [
      organizationId,
      lead.id,
      regionId,
      verticalId,
      campaignId,
      publisherId,
      publisherTierId,
      lead.subId,
      lead.isPing ? 'ping' : 'full',
      newId(),
      keys ? sealJson(keys, 'lead.fields', lead.id, { fields: LEAD, unknown: {}, invalid: {}, inbound: {} }) : nothing,
      lead.state,
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
        o: tier.outcome,
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
  for (const [index, { tier, call }] of calls.entries())
    await client.query(
      `insert into attempt (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at, elapsed_ms)
        values ($1, $2, $3, $4, $5, $6, $7, false, $8, $9, 'x', $10, $11)`,
      [
        ...[
          organizationId,
          lead.id,
          index,
          verticalId,
          buyerOf(world, tier.buyerTierId),
          tier.buyerTierId,
          groupOf(world, tier.buyerTierId),
        ],
        ...[call.leg, call.outcome, new Date(lead.at), call.elapsedMs],
      ],
    );
  if (lead.sale) await insertSale(client, world, lead, lead.sale);
}

async function insertSale(client: pg.ClientBase, world: World, lead: PastLead, sale: NonNullable<PastLead['sale']>): Promise<void> {
  const { organizationId, verticalId, publisherId, publisherTierId } = world;
  const buyerId = buyerOf(world, sale.buyerTierId);
  const money = [sale.revenue, sale.payout, sale.revenue - sale.payout].map(formatMoney);
  await client.query(
    `insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, post_price_differs)
      values ($1, $2, 0, $3, $4, $5, $6, false, $7, $8, $9, false)`,
    [organizationId, lead.id, verticalId, buyerId, sale.buyerTierId, publisherId, ...money],
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
  const { organizationId, verticalId, publisherId } = world;
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

const amount = (tenThousandths: number) => {
  const text = formatMoney(tenThousandths);
  return text.replace(/(\.\d\d)00$/, '$1');
};

/** The figures of some leads that an inbound report must show. */
export function leadFigures(leads: readonly PastLead[]) {
  const real = leads.filter((lead) => !lead.isPing);
  const count = (outcome: string) => real.filter((lead) => lead.outcome === outcome).length;
  const sum = (of: (lead: PastLead) => number) => leads.reduce((total, lead) => total + of(lead), 0);
  const revenue = sum((lead) => lead.sale?.revenue ?? 0);
  const payout = sum((lead) => lead.sale?.payout ?? 0);
  const back = sum((lead) => lead.sale?.returned ?? 0);
  const payoutBack = sum((lead) => Math.floor((lead.sale?.returned ?? 0) / 2));
  return {
    attempts: real.length,
    ...{ sold: count('sold'), rejected: count('rejected'), terrors: count('terrors'), timeouts: count('timeouts') },
    ...{ filtered: count('filtered'), open: count('open'), pings: leads.length - real.length },
    bids: leads.filter((lead) => lead.outcome === 'bid').length,
    ...{ revenue: amount(revenue), payout: amount(payout), margin: amount(revenue - payout) },
    returned: leads.filter((lead) => lead.sale?.returned !== undefined).length,
    ...{ returnedRevenue: amount(back), returnedPayout: amount(payoutBack), returnedMargin: amount(back - payoutBack) },
  };
}

/** How long all calls for some leads took, or those of a tier: the value that so many of them are not above; null without one. */
export function callTime(leads: readonly PastLead[], share: number, buyerTierId?: string): number | null {
  const times = leads
    .flatMap(({ tiers }) => tiers.filter((tier) => buyerTierId === undefined || tier.buyerTierId === buyerTierId))
    .flatMap(({ calls }) => calls.map((call) => call.elapsedMs))
    .sort((a, b) => a - b);
  return times[Math.ceil(times.length * share) - 1] ?? null;
}

/** The figures of one buyer tier that an outbound report must show, but for its times. */
export function tierFigures(leads: readonly PastLead[], buyerTierId: string) {
  const tried = leads.flatMap((lead) => lead.tiers.filter((tier) => tier.buyerTierId === buyerTierId));
  const count = (outcome: string) => tried.filter((tier) => tier.outcome === outcome).length;
  const calls = tried.flatMap((tier) => tier.calls);
  const sales = leads.flatMap(({ sale }) => (sale?.buyerTierId === buyerTierId ? [sale] : []));
  const sum = (of: (sale: (typeof sales)[number]) => number) => sales.reduce((total, sale) => total + of(sale), 0);
  return {
    attempts: tried.filter((tier) => tier.outcome !== '').length,
    ...{
      sold: count('sold'),
      rejected: count('rejected'),
      terrors: count('terrors'),
      timeouts: count('timeouts'),
      filtered: count('filtered'),
    },
    pings: calls.filter((call) => call.leg === 'ping').length,
    bids: calls.filter((call) => call.outcome === 'bid').length,
    ...{ revenue: amount(sum((sale) => sale.revenue)), payout: amount(sum((sale) => sale.payout)) },
    returned: sales.filter((sale) => sale.returned !== undefined).length,
    returnedRevenue: amount(sum((sale) => sale.returned ?? 0)),
    links: sales.length,
    followed: sales.filter((sale) => sale.followedAt !== undefined).length,
  };
}
