/** The decision on one lead: its status, its reason, and exactly one verdict per buyer tier of the tree. */
import type { BidOffer, Decision, Explanation, PromisedSale, Reason, Sale, Verdict } from './decision.ts';
import { formatMoney } from './money.ts';
import type { Instant, Money } from './plan.ts';
import { addStep, explanation, type Run } from './run.ts';

/** How a lead ends, short of its lists. */
export type Conclusion = Pick<Decision, 'status' | 'why'> & Partial<Pick<Decision, 'reason' | 'errors' | 'duplicateOfLeadId' | 'test'>>;

/** What the publisher is paid for a decision, test sales included. */
export function payoutOf(decision: Decision): Money {
  return decision.sales.reduce((sum, sale) => sum + sale.payout, decision.test?.payout ?? 0);
}

/** What of a sale counts for the money cap of a buyer, buyer tier, promotion or publisher tier. */
export function paidTo({ buyerTierId, buyerId, revenue, payout, promotion }: Sale, scopeId: string): Money {
  if (scopeId === buyerTierId || scopeId === buyerId) return revenue;
  return promotion && scopeId === promotion.promotionId ? promotion.extra : payout;
}

/** A lead that never reached the tree. */
export function concludeEarly(run: Run, conclusion: Conclusion): Decision {
  giveVerdicts(run, explanation('lead-not-routed', { status: conclusion.status }));
  return decisionOf(run, conclusion);
}

/** A lead for a publisher tier that the plan does not have. */
export function concludeUnroutable(now: Instant, conclusion: Conclusion): Decision {
  const step = { at: now, ...conclusion.why };
  return { errors: [], sales: [], offers: [], attempts: [], verdicts: [], steps: [step], ...conclusion };
}

/** A lead that went through the tree. */
export function conclude(run: Run): Decision {
  giveVerdicts(run, run.stop ?? explanation('unsold'));
  return decisionOf(run, endOf(run));
}

/** Tiers that were never reached share one reason; the verdict carries it, a step each would only be noise. */
function giveVerdicts(run: Run, why: Explanation): void {
  for (const left of run.campaign.leftOut) giveVerdict(run, left.buyerTierId, left.groupId, left.why);
  const bids = run.stop?.code === 'sold-before-turn' ? standingBids(run) : undefined;
  for (const { members } of run.campaign.groups) {
    for (const { tier, groupId } of members) giveVerdict(run, tier.config.id, groupId, bids?.get(tier.config.id) ?? why);
  }
}

function giveVerdict(run: Run, buyerTierId: string, groupId: string, why: Explanation): void {
  if (!run.verdicts.has(buyerTierId)) run.verdicts.set(buyerTierId, { buyerTierId, groupId, outcome: 'notReached', why });
}

/** Who bid well enough at ping and was not posted to. */
function standingBids(run: Run): Map<string, Explanation> {
  const standing = run.attempts.filter((attempt) => attempt.leg === 'ping' && attempt.outcome === 'notReached');
  // What was offered at the lead's ping stands as well as what was bid just now.
  const bids = [...(run.lead.offers ?? []), ...standing];
  const winning = formatMoney(Math.max(0, ...run.sales.map((sale) => sale.revenue)));
  return new Map(
    bids.map(({ buyerTierId, bid }) => [buyerTierId, explanation('outbid', { bid: bid === undefined ? null : formatMoney(bid), winning })]),
  );
}

function endOf(run: Run): Conclusion {
  if (run.lead.mode === 'ping') return pingEnd(run);
  if (run.sales.length > 0) return { status: 'sold', why: soldWhy(run) };
  if (run.held.length > 0) {
    const verdict = run.verdicts.get(run.held[0]!);
    return { status: 'held', reason: 'held-for-settlement', why: verdict?.why ?? explanation('held-pending') };
  }
  return {
    status: 'unsold',
    reason: unsoldReason(run),
    why: run.stop ?? explanation('unsold', { tried: run.tried.size, ...silentOf(run) }),
  };
}

function pingEnd(run: Run): Conclusion {
  const first = run.offers[0];
  if (first) return { status: 'bid', why: explanation('bids-offered', { offers: run.offers.length, payout: formatMoney(first.payout) }) };
  return { status: 'noBid', reason: unsoldReason(run), why: explanation('no-bids', { tried: run.tried.size, ...silentOf(run) }) };
}

/** How many of those who were asked gave no answer; nothing where all did. */
function silentOf(run: Run): { asked: number; silent: number } | undefined {
  const asked = [...run.verdicts.values()].filter(({ outcome }) => ASKED.has(outcome));
  const silent = asked.filter(({ why: { code, params } }) => code === 'buyer-timeout' || (code === 'buyer-error' && params.sent === false));
  return silent.length === 0 ? undefined : { asked: asked.length, silent: silent.length };
}

const ASKED: ReadonlySet<Verdict['outcome']> = new Set(['sold', 'rejected', 'terrors', 'timeouts']);

function soldWhy(run: Run): Explanation {
  const sum = (of: (sale: Run['sales'][number]) => Money) => formatMoney(run.sales.reduce((total, sale) => total + of(sale), 0));
  return explanation('sold', { sales: run.sales.length, revenue: sum((sale) => sale.revenue), payout: sum((sale) => sale.payout) });
}

/** The publisher's own cap, or the same consumer for every tier that could have had it; else nobody bought. */
function unsoldReason(run: Run): Reason {
  if (run.stop?.code === 'cap-reached') return 'publisher-tier-filter-failed';
  const verdicts = [...run.verdicts.values()];
  const isDuplicate = (verdict: Verdict) => verdict.reason === 'buyer-tier-check-duplicate-failed';
  return verdicts.length > 0 && verdicts.every(isDuplicate) ? 'buyer-tier-check-duplicate-failed' : 'buyer-all-tier-failed';
}

function decisionOf(run: Run, conclusion: Conclusion): Decision {
  addStep(run, conclusion.why);
  const { sales, offers, attempts, steps } = run;
  const decision: Decision = { errors: [], sales, offers, attempts, verdicts: [...run.verdicts.values()], steps, ...conclusion };
  if (run.held.length > 0) decision.heldBuyerTierIds = run.held;
  if (run.variant) decision.variant = run.variant;
  if (conclusion.status === 'bid' && run.campaign.config.maxSales > 1 && offers.length > 0) decision.promisedSales = promisedSales(run);
  return decision;
}

/** As a post would sell to the offers: never twice to one buyer, and to no more than the campaign allows. */
function promisedSales({ offers, campaign }: Run): PromisedSale[] {
  const buyers = new Map(campaign.groups.flatMap(({ members }) => members.map(({ tier: { config } }) => [config.id, config.buyerId])));
  const buyerOf = ({ buyerTierId }: BidOffer) => buyers.get(buyerTierId);
  const sold = offers.filter((offer, place) => offers.findIndex((one) => buyerOf(one) === buyerOf(offer)) === place);
  return sold.slice(0, campaign.config.maxSales).map(({ payout, expiresAt }) => ({ payout, expiresAt }));
}
