/**
 * A lead that a buyer may have bought is settled: it did, at a price, or it did not. Sale, result, counters, ledger and change log are one
 * transaction, and it happens once, whoever says it first: a person, the buyer's postback, or the end of its time.
 */
import type { SettlementOutcome } from '#contract/settlement.ts';
import { quoteFor } from '#engine/candidate.ts';
import type { Explanation, Sale, Step } from '#engine/decision.ts';
import { formatMoney, percentOf } from '#engine/money.ts';
import type { Instant, Money, PriceModel } from '#engine/plan.ts';
import { isQuote, type Quote } from '#engine/price.ts';
import { type Changer, insertChange, nameOfChanger } from '#server/change-log/change-log.sql.ts';
import { openJson, sealJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { Explained } from '#server/lead/intake.ts';
import { findPing } from '#server/lead/posting.sql.ts';
import { type EnteredBy, type Entry, houseOf, insertEntries } from '#server/ledger/entry.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { knownPrice } from './known-price.ts';
import { changeCounters, closeReservation, countLateSale } from './settled-counters.sql.ts';
import {
  insertSettledSale,
  type LeadToSettle,
  listSaleIndexes,
  lockLead,
  markAttempt,
  type StoredVerdict,
  storeResult,
} from './settled-lead.sql.ts';
import { findReference, findSettlement, insertSettlement, listOpen, type OpenLead, type SettledVia } from './settlement.sql.ts';

export interface SettleOrder {
  leadId: string;
  buyerTierId: string;
  outcome: SettlementOutcome;
  /** What the buyer pays; where it bought and this is left out, what is known of the price. */
  price?: Money | undefined;
  via: SettledVia;
  /** For the change log. */
  changer: Changer;
  address: string;
}

export interface Settled {
  verticalId: string;
  outcome: SettlementOutcome;
  price: Money | null;
  /** Nothing was done now: the same had been said before. */
  wasSettled: boolean;
}

/** Throws an HttpError where there is nothing to settle, or something else was said before. */
export async function settleLead(tx: Db, organization: OrganizationPlan, order: SettleOrder, now: Instant): Promise<Settled> {
  const { organizationId } = organization;
  const lead = await lockLead(tx, organizationId, order.leadId);
  if (!lead) throw unknown();
  const before = await findSettlement(tx, organizationId, order.leadId, order.buyerTierId);
  if (before) return sameAsBefore(lead, before, order);
  const [open] = await listOpen(tx, organizationId, order, 1);
  if (!open) throw unknown();
  const price = order.outcome === 'bought' ? priceOf(organization, order, open) : null;
  await insertSettlement(tx, organizationId, { ...order, price, by: personOf(order), settledAt: now });
  if (price === null) await endUnsold(tx, organization, lead, open, order, now);
  else await endSold(tx, organization, lead, open, order, price, now);
  await note(tx, organization, order, price);
  return { verticalId: lead.verticalId, outcome: order.outcome, price, wasSettled: false };
}

/** Who settled it by hand. */
function personOf({ via, changer }: SettleOrder): EnteredBy | undefined {
  return via === 'person' ? { userId: changer.userId, userName: nameOfChanger(changer) } : undefined;
}

function unknown(): HttpError {
  return new HttpError(404, 'settlement_unknown', 'There is nothing to settle between this lead and this buyer tier.');
}

function sameAsBefore(lead: LeadToSettle, before: { outcome: SettlementOutcome; price: Money | null }, order: SettleOrder): Settled {
  const isSame = before.outcome === order.outcome && (order.price === undefined || order.price === before.price);
  if (isSame) return { verticalId: lead.verticalId, outcome: before.outcome, price: before.price, wasSettled: true };
  const said = before.price === null ? 'was not bought' : `was bought for ${formatMoney(before.price)}`;
  throw new HttpError(
    409,
    'settlement_contradicts',
    `It is settled already: the lead ${said}. Return it, or ask for an adjustment, instead.`,
  );
}

function priceOf(organization: OrganizationPlan, { price }: SettleOrder, open: OpenLead): Money {
  const known = price ?? knownPrice(organization, open);
  if (known === undefined || known <= 0)
    throw new HttpError(400, 'settlement_price_missing', 'Say what the buyer pays: nothing is known of the price.');
  return known;
}

async function endUnsold(
  tx: Db,
  organization: OrganizationPlan,
  lead: LeadToSettle,
  open: OpenLead,
  order: SettleOrder,
  now: Instant,
): Promise<void> {
  const { organizationId } = organization;
  if (open.kind === 'held') {
    const claims = await closeReservation(tx, organizationId, order.leadId, order.buyerTierId, true);
    await changeCounters(
      tx,
      organizationId,
      claims.map(({ counter, amount }) => ({ counter, change: -amount })),
    );
  }
  const why: Explanation = { code: 'settled-not-bought', params: { via: order.via } };
  const explained = withStep(organization, lead, order.buyerTierId, why, now);
  // A lead that somebody else bought, or may still buy, stays as it is.
  const isOver = open.kind === 'held' && lead.status !== 'sold' && !lead.hasOtherHolds(order.buyerTierId);
  if (isOver) explained.why = why;
  await storeResult(tx, organizationId, lead, {
    ...(isOver && { status: 'unsold', reason: 'buyer-all-tier-failed' }),
    verdicts: withVerdict(lead.verdicts, order.buyerTierId, why.code, undefined),
    explained: sealExplained(organization, lead, explained, isOver ? { status: 'rejected', code: 'lead_unsold' } : undefined),
  });
}

async function endSold(
  tx: Db,
  organization: OrganizationPlan,
  lead: LeadToSettle,
  open: OpenLead,
  order: SettleOrder,
  price: Money,
  now: Instant,
): Promise<void> {
  const { organizationId } = organization;
  const { leadId, buyerTierId } = order;
  const buyer = organization.buyerWires.get(buyerTierId);
  if (!buyer) throw unknown();
  const indexes = await listSaleIndexes(tx, organizationId, leadId);
  const money = await quoteSettled(tx, organization, lead, buyerTierId, price, indexes.length);
  if (open.kind === 'held') {
    const claims = await closeReservation(tx, organizationId, leadId, buyerTierId, false);
    const paid = (scopeId: string) => (scopeId === buyerTierId || scopeId === buyer.buyerId ? money.revenue : money.payout);
    await changeCounters(tx, organizationId, claims.map(keptAt(paid)));
  } else if (!lead.test) await countLateSale(tx, organization, lead, { buyerTierId, ...money }, now);
  const saleIndex = Math.max(-1, ...indexes) + 1;
  const reference = await findReference(tx, organizationId, buyerTierId, leadId);
  const sale: Sale = {
    ...{ buyerTierId, buyerId: buyer.buyerId, ...money, postPriceDiffers: false },
    ...(reference !== null && { buyerRef: reference }),
  };
  await insertSettledSale(tx, organizationId, lead, saleIndex, sale);
  await markAttempt(tx, organizationId, leadId, buyerTierId, formatMoney(price));
  await storeSold(tx, organization, lead, order, sale, now);
  if (!lead.test) await insertEntries(tx, organizationId, now, entriesOf(organizationId, lead, sale, saleIndex), personOf(order));
}

/** Places in caps stay taken; money counts what is really paid. What the buyer owes follows from its entries alone. */
const keptAt =
  (paid: (scopeId: string) => Money) =>
  ({ counter, amount }: { counter: string; amount: number }): { counter: string; change: number } => {
    const [scopeId = '', measure, period] = counter.split(':');
    if (period === 'funds') return { counter, change: -amount };
    return { counter, change: measure === 'money' ? paid(scopeId) - amount : 0 };
  };

/**
 * What a sale that is a fact gives everybody: as its publisher tier's prices say, what was promised at its ping included. A price too low
 * for them pays the publisher what it can; one sale more than the campaign allows was paid to the publisher already.
 */
async function quoteSettled(
  tx: Db,
  organization: OrganizationPlan,
  lead: LeadToSettle,
  buyerTierId: string,
  price: Money,
  salesBefore: number,
): Promise<Quote> {
  const seat = organization.plan.publisherTiers.get(lead.publisherTierId);
  if (!seat)
    throw new HttpError(
      409,
      'settlement_tier_left_out',
      'The publisher tier of this lead is left out of routing. Put it right first, so that its price is known.',
    );
  if (salesBefore >= seat.campaign.config.maxSales) return { revenue: price, payout: 0, margin: price };
  const ping = lead.pingId ? await findPing(tx, organization, lead.publisherTierId, lead.pingId) : undefined;
  const offer = ping?.offers.find((one) => one.buyerTierId === buyerTierId);
  const known = offer && { price: offer.bid, bid: { promised: offer.payout, captures: offer.captures, expiresAt: offer.expiresAt } };
  const quoted = quoteFor(seat, known ?? {}, price);
  if (isQuote(quoted)) return quoted;
  const payout = Math.min(leastOf(seat.config.priceModel, price), price);
  return { revenue: price, payout, margin: price - payout };
}

function leastOf(model: PriceModel, price: Money): Money {
  return model.kind === 'share' ? percentOf(price, model.sharePercent, 'down') : model.price;
}

async function storeSold(
  tx: Db,
  organization: OrganizationPlan,
  lead: LeadToSettle,
  order: SettleOrder,
  sale: Sale,
  now: Instant,
): Promise<void> {
  const [revenue, payout, margin] = [sale.revenue, sale.payout, sale.margin].map(formatMoney) as [string, string, string];
  const why: Explanation = { code: 'settled-bought', params: { via: order.via, revenue, payout, margin } };
  const explained = withStep(organization, lead, order.buyerTierId, why, now);
  explained.why = why;
  explained.sales = [...explained.sales, sale];
  const isTerse = organization.publisherSeats.get(lead.publisherTierId)?.terse ?? false;
  const price = formatMoney(explained.sales.reduce((sum, one) => sum + one.payout, 0));
  const told = { status: 'accepted', code: 'lead_sold', ...(!isTerse && { price, currency: organization.plan.currency }) } as const;
  await storeResult(tx, organization.organizationId, lead, {
    status: 'sold',
    reason: null,
    sold: { revenue, payout, margin },
    verdicts: withVerdict(lead.verdicts, order.buyerTierId, why.code, 'sold'),
    explained: sealExplained(organization, lead, explained, told),
  });
}

function withStep(organization: OrganizationPlan, lead: LeadToSettle, buyerTierId: string, why: Explanation, now: Instant): Explained {
  const explained = openJson<Explained>(organization.keys, 'lead_result.explained', lead.leadId, lead.explained);
  const step: Step = { at: now, buyerTierId, ...why };
  return { ...explained, steps: [...explained.steps, step] };
}

/** The first answer stays what equal calls get; `told` is what a publisher that asks hears from now on. */
function sealExplained(
  organization: OrganizationPlan,
  lead: LeadToSettle,
  explained: Explained,
  told: Pick<Explained['given']['answer'], 'status' | 'code' | 'price' | 'currency'> | undefined,
): Buffer {
  const settled = told && { ...told, leadId: lead.leadId };
  return sealJson(organization.keys, 'lead_result.explained', lead.leadId, { ...explained, ...(settled && { settled }) });
}

function withVerdict(
  verdicts: StoredVerdict[],
  buyerTierId: string,
  code: string,
  outcome: StoredVerdict['o'] | undefined,
): StoredVerdict[] {
  return verdicts.map((one) => (one.t === buyerTierId ? { ...one, c: code, o: outcome ?? one.o } : one));
}

function entriesOf(organizationId: string, lead: LeadToSettle, sale: Sale, saleIndex: number): Entry[] {
  const { verticalId, leadId, publisherTierId } = lead;
  const at = (tierId: string) => ({ verticalId, tierId, leadId, saleIndex });
  return [
    { party: { kind: 'buyer', id: sale.buyerId }, kind: 'revenue', amount: -sale.revenue, sale: at(sale.buyerTierId) },
    { party: { kind: 'publisher', id: lead.publisherId }, kind: 'payout', amount: sale.payout, sale: at(publisherTierId) },
    { party: houseOf(organizationId), kind: 'margin', amount: sale.margin, sale: at(publisherTierId) },
  ];
}

async function note(tx: Db, organization: OrganizationPlan, order: SettleOrder, price: Money | null): Promise<void> {
  const tier = organization.buyerWires.get(order.buyerTierId);
  await insertChange(tx, order.changer, {
    address: order.address,
    model: 'settlement',
    recordId: order.leadId,
    recordName: `Lead ${order.leadId}`,
    action: 'add',
    before: {},
    after: {
      buyer: tier ? `${tier.buyerName}, ${tier.name}` : order.buyerTierId,
      outcome: order.outcome,
      via: order.via,
      ...(price !== null && { price: formatMoney(price) }),
    },
    rollsBack: null,
  });
}
