/**
 * A lead that a buyer may have bought is settled: it did, at a price, or it did not. Sale, result, counters, ledger and change log are one
 * transaction, and it happens once, whoever says it first: a person, the buyer's postback, or the end of its time.
 */
import type { SettlementOutcome } from '#contract/settlement.ts';
import type { Explanation, PromotionShare, Sale, Step } from '#engine/decision.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import type { Instant, Money } from '#engine/plan.ts';
import type { Quote } from '#engine/price.ts';
import { type Changer, insertChange, nameOfChanger } from '#server/change-log/change-log.sql.ts';
import { openJsonIfSound, sealJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { Explained } from '#server/lead/intake.ts';
import { type EnteredBy, type Entry, houseOf, insertEntries } from '#server/ledger/entry.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { lookAgainFrom } from '#server/retention/retention.sql.ts';
import { queueWebhooks } from '#server/webhook/webhook.sql.ts';
import { knownPrice } from './known-price.ts';
import { forgetRefused } from './refused-postback.sql.ts';
import { countSale, giveBack } from './settled-counters.sql.ts';
import {
  insertSettledSale,
  isWithBuyer,
  type LeadToSettle,
  listSales,
  lockLead,
  markAttempt,
  type StoredVerdict,
  storeResult,
} from './settled-lead.sql.ts';
import { findReference, findSettlement, insertSettlement, listOpen, type OpenLead, type SettledVia } from './settlement.sql.ts';
import { SettlementRefused } from './settlement-refused.ts';
import { findTerms, openRises, quoteFact, quoteSaid, type Terms } from './settlement-terms.ts';

export interface SettleOrder {
  leadId: string;
  buyerTierId: string;
  outcome: SettlementOutcome;
  /** What the buyer pays; where it bought and this is left out, what is known of the price. */
  price?: Money | undefined;
  /** What the publisher was said to be paid; where it would be anything else, nothing is settled. */
  quoted?: Money | undefined;
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
  if (!lead) throw (await isWithBuyer(tx, organizationId, order.leadId, order.buyerTierId)) ? tooEarly() : unknown();
  const before = await findSettlement(tx, organizationId, order.leadId, order.buyerTierId);
  if (before) return sameAsBefore(organization, lead, before, order);
  const [open] = await listOpen(tx, organizationId, order, 1);
  // A buyer that says it bought, a moment before its time ends, is not taken for one that said nothing.
  if (!open || (order.via === 'expiry' && open.refused !== null)) throw unknown();
  const deal = order.outcome === 'bought' ? await agreeDeal(tx, organization, lead, open, order) : undefined;
  const price = deal?.quote.revenue ?? null;
  await insertSettlement(tx, organizationId, { ...order, price, by: personOf(order), settledAt: now });
  if (deal) await endSold(tx, organization, lead, open, order, deal, now);
  else await endUnsold(tx, organization, lead, open, order, now);
  await forgetRefused(tx, organizationId, order.leadId, order.buyerTierId);
  await note(tx, organization, order, price);
  await queueWebhooks(tx, organizationId, order.leadId, 'lead.settled', now);
  return { verticalId: lead.verticalId, outcome: order.outcome, price, wasSettled: false };
}

/**
 * What a person's word would come to: it counts the sale as settling does, promotions included, so that `tx` has to be taken back
 * (rehearse). `soldWithIt`: how many sales of the lead would be settled just before.
 */
export async function quoteLead(
  tx: Db,
  organization: OrganizationPlan,
  order: Pick<SettleOrder, 'leadId' | 'buyerTierId' | 'price'> & { soldWithIt: number },
  now: Instant,
): Promise<Pick<Sale, 'revenue' | 'payout'> & { salesBefore: number }> {
  const { organizationId } = organization;
  const lead = await lockLead(tx, organizationId, order.leadId);
  const before = await findSettlement(tx, organizationId, order.leadId, order.buyerTierId);
  if (before) throw settledAlready(before);
  const [open] = await listOpen(tx, organizationId, order, 1);
  if (!lead || !open) throw unknown();
  const deal = await agreeDeal(tx, organization, lead, open, { ...order, via: 'person' });
  const { revenue, payout } = await countDeal(tx, organization, lead, open, { ...order, via: 'person' }, deal, now);
  return { revenue, payout, salesBefore: deal.before.length };
}

interface Deal {
  terms: Terms;
  quote: Quote;
  /** Promotions that may raise it. */
  rises: PromotionShare[];
  /** Indexes of the sales of the lead so far. */
  before: number[];
}

async function agreeDeal(
  tx: Db,
  organization: OrganizationPlan,
  lead: LeadToSettle,
  open: OpenLead,
  order: Pick<SettleOrder, 'leadId' | 'buyerTierId' | 'price' | 'via'> & { soldWithIt?: number },
): Promise<Deal> {
  const explained = openExplained(organization, lead);
  const terms = await findTerms(tx, organization, lead, open, explained);
  const sales = await listSales(tx, organization.organizationId, lead.leadId);
  const before = sales.map(({ sale_index }) => sale_index);
  const salesBefore = before.length + (order.soldWithIt ?? 0);
  if (order.via === 'postback') requireNewBuyer(organization, sales, order);
  const quote =
    order.via === 'postback'
      ? quoteSaid(organization, terms, open, order.price, salesBefore)
      : quoteFact(terms, priceOf(organization, order, open), salesBefore);
  return { terms, quote, before, rises: openRises(terms, quote, idInstant(order.leadId), salesBefore) };
}

/** Nobody buys a lead twice, by whichever of its tiers: as the engine has it. A person may know better. */
function requireNewBuyer(
  { buyerWires }: OrganizationPlan,
  sales: { buyer_id: string }[],
  { buyerTierId }: Pick<SettleOrder, 'buyerTierId'>,
): void {
  const buyerId = buyerWires.get(buyerTierId)?.buyerId;
  if (sales.some(({ buyer_id }) => buyer_id === buyerId))
    throw new SettlementRefused(
      'settlement_bought_before',
      'This buyer bought this lead already, by another of its tiers. It stays open until we settle it.',
    );
}

/** Who settled it by hand. */
function personOf({ via, changer }: SettleOrder): EnteredBy | undefined {
  return via === 'person' ? { userId: changer.userId, userName: nameOfChanger(changer) } : undefined;
}

function unknown(): HttpError {
  return new HttpError(404, 'settlement_unknown', 'There is nothing to settle between this lead and this buyer tier.');
}

/** A buyer may be done before its own answer is stored here. */
function tooEarly(): HttpError {
  return new HttpError(503, 'settlement_too_early', 'The lead is being handed over still. Say it again in a few seconds.', {
    retryAfterSeconds: 5,
  });
}

function sameAsBefore(
  organization: OrganizationPlan,
  lead: LeadToSettle,
  before: { outcome: SettlementOutcome; price: Money | null },
  order: SettleOrder,
): Settled {
  // A buyer that may only pay what was agreed is billed that, whatever more it says.
  const isCapped = order.via === 'postback' && organization.buyerTierConfigs.get(order.buyerTierId)?.postPriceRule === 'refuse';
  const isPrice =
    before.outcome === 'notBought' ||
    order.price === undefined ||
    order.price === before.price ||
    (isCapped && order.price > (before.price ?? order.price));
  const isSame = before.outcome === order.outcome && isPrice;
  if (isSame) return { verticalId: lead.verticalId, outcome: before.outcome, price: before.price, wasSettled: true };
  throw settledAlready(before);
}

function settledAlready({ price }: { price: Money | null }): HttpError {
  const said = price === null ? 'was not bought' : `was bought for ${formatMoney(price)}`;
  return new HttpError(
    409,
    'settlement_contradicts',
    `It is settled already: the lead ${said}. Return it, or ask for an adjustment, instead.`,
  );
}

const PRICE_UNKNOWN = 'Say what the buyer pays: nothing is known of the price.';
const PRICE_OF_NOTHING = 'The price must be more than 0. Settle the lead as not bought where the buyer pays nothing.';

function priceOf(organization: OrganizationPlan, { price }: Pick<SettleOrder, 'price'>, open: OpenLead): Money {
  const known = price ?? knownPrice(organization, open);
  if (known === undefined || known <= 0)
    throw new HttpError(400, 'settlement_price_missing', price === 0 ? PRICE_OF_NOTHING : PRICE_UNKNOWN);
  return known;
}

/** Nobody bought it: a rule of the publisher tier that counts sold leads alone has not seen this consumer. */
async function freeConsumer(tx: Db, organization: OrganizationPlan, { publisherTierId, leadId }: LeadToSettle): Promise<void> {
  if (organization.plan.publisherTiers.get(publisherTierId)?.config.duplicate?.counts !== 'sold') return;
  await tx
    .deleteFrom('duplicate_claim')
    .where('organization_id', '=', organization.organizationId)
    .where('scope_id', '=', publisherTierId)
    .where('lead_id', '=', leadId)
    .execute();
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
  if (open.kind === 'held') await giveBack(tx, organizationId, order.leadId, order.buyerTierId);
  const why: Explanation = { code: 'settled-not-bought', params: { via: order.via } };
  // A lead that somebody else bought, or may still buy, stays as it is.
  const isOver = open.kind === 'held' && lead.status !== 'sold' && !lead.hasOtherHolds(order.buyerTierId);
  if (isOver) await freeConsumer(tx, organization, lead);
  if (lead.status !== 'sold') await lookAgainFrom(tx, organizationId, lead.verticalId, lead.leadId);
  // What was damaged cannot tell of it; that nobody bought the lead needs nothing of it.
  const kept = openIfSound(organization, lead);
  const explained = kept && withStep(kept, order.buyerTierId, why, now);
  const told = isOver ? ({ status: 'rejected', code: 'lead_unsold' } as const) : undefined;
  await storeResult(tx, organizationId, lead, {
    ...(isOver && { status: 'unsold', reason: 'buyer-all-tier-failed' }),
    verdicts: withVerdict(lead.verdicts, order.buyerTierId, why.code, undefined),
    ...(explained && { explained: sealExplained(organization, lead, { ...explained, ...(isOver && { why }) }, told) }),
  });
}

async function endSold(
  tx: Db,
  organization: OrganizationPlan,
  lead: LeadToSettle,
  open: OpenLead,
  order: SettleOrder,
  deal: Deal,
  now: Instant,
): Promise<void> {
  const { organizationId } = organization;
  const sale = await countDeal(tx, organization, lead, open, order, deal, now);
  if (order.quoted !== undefined && sale.payout !== order.quoted) throw quotedOtherwise(sale.payout, order.quoted);
  const saleIndex = Math.max(-1, ...deal.before) + 1;
  await insertSettledSale(tx, organizationId, lead, saleIndex, sale);
  await markAttempt(tx, organizationId, order.leadId, order.buyerTierId, formatMoney(sale.revenue));
  await storeSold(tx, organization, lead, order, sale, now);
  if (!lead.test) await insertEntries(tx, organizationId, now, entriesOf(organizationId, lead, sale, saleIndex), personOf(order));
}

const quotedOtherwise = (payout: Money, quoted: Money) =>
  new HttpError(
    409,
    'settlement_quote_stale',
    `The publisher would now be paid ${formatMoney(payout)}, not ${formatMoney(quoted)} as was said. Look at it again.`,
  );

/** The sale as it is counted: with its promotion, where one has room. */
async function countDeal(
  tx: Db,
  organization: OrganizationPlan,
  lead: LeadToSettle,
  open: OpenLead,
  order: Pick<SettleOrder, 'leadId' | 'buyerTierId' | 'price' | 'via'>,
  { terms, quote, rises }: Deal,
  now: Instant,
): Promise<Sale> {
  const { organizationId } = organization;
  const { leadId, buyerTierId } = order;
  const buyer = organization.buyerWires.get(buyerTierId);
  if (!buyer) throw unknown();
  const reference = await findReference(tx, organizationId, buyerTierId, leadId);
  const agreed = terms.agreed.price;
  const bid = open.bid === null ? undefined : parseMoney(open.bid);
  const agreedSale: Sale = {
    ...{ buyerTierId, buyerId: buyer.buyerId, ...quote },
    // What the buyer named, though it may count at the agreed price.
    postPriceDiffers: agreed !== undefined && (order.price ?? quote.revenue) !== agreed,
    ...(bid !== undefined && { bid }),
    ...(reference !== null && { buyerRef: reference }),
  };
  const counted = { lead, terms, sale: agreedSale, rises, kind: open.kind, mustFit: order.via === 'postback' };
  return countSale(tx, organizationId, counted, now);
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
  const explained = withStep(openExplained(organization, lead), order.buyerTierId, why, now);
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

const openIfSound = ({ keys }: OrganizationPlan, { leadId, explained }: LeadToSettle): Explained | undefined =>
  openJsonIfSound<Explained>(keys, 'lead_result.explained', leadId, explained);

function openExplained(organization: OrganizationPlan, lead: LeadToSettle): Explained {
  const explained = openIfSound(organization, lead);
  if (explained) return explained;
  throw new SettlementRefused(
    'settlement_unreadable',
    'What is kept of this lead was damaged, so its price is not known any more. It can be settled as not bought; ask whoever runs the installation for a backup otherwise.',
  );
}

function withStep(explained: Explained, buyerTierId: string, why: Explanation, now: Instant): Explained {
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
