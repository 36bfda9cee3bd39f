/** The checks that need no effect, in the order of engine.md. Shared by route(), the eligibility checker and replay. */
import { type Candidate, quoteFor, type Refusal } from './candidate.ts';
import type { BuyerTierPlan, CampaignPlan, PublisherTierPlan, TierRules } from './compiled.ts';
import type { LeadFacts } from './facts.ts';
import type { Fields } from './filter.ts';
import { formatMoney } from './money.ts';
import { BLOCK } from './move.ts';
import type { ActiveStatus, Instant, Money } from './plan.ts';
import { isQuote } from './price.ts';
import { explanation } from './run.ts';

/** Why a publisher tier takes no lead now; undefined where it does. */
export function publisherTierRefusal(tier: PublisherTierPlan, fields: Fields, now: Instant, facts?: LeadFacts): Refusal | undefined {
  return (
    erasedRefusal(facts) ??
    inactive('publisher', tier.config.publisherStatus) ??
    inactive('publisher tier', tier.config.status) ??
    inactive('campaign', tier.campaign.config.status) ??
    scheduleRefusal(tier, now) ??
    filterRefusal(tier, fields) ??
    listRefusal(tier, facts) ??
    moveRefusal(facts)
  );
}

/** Why a buyer tier is not offered the lead; caps and duplicates are for the reservation to say. */
export function buyerTierRefusal(
  tier: BuyerTierPlan,
  seat: PublisherTierPlan,
  fields: Fields,
  now: Instant,
  known: Pick<Candidate, 'price' | 'bid'> = {},
  facts?: LeadFacts,
): Refusal | undefined {
  return (
    inactive('buyer', tier.config.buyerStatus) ??
    inactive('buyer tier', tier.config.status) ??
    scheduleRefusal(tier, now) ??
    filterRefusal(tier, fields) ??
    listRefusal(tier, facts) ??
    (known.price === undefined ? undefined : priceRefusal(tier, seat, known, known.price))
  );
}

/** Before all else, so that nothing is said or kept of what else is wrong with the lead. */
export function erasedRefusal(facts: LeadFacts | undefined): Refusal | undefined {
  return facts?.isErased && { filterReasonKey: 7, why: explanation('person-erased') };
}

function inactive(word: string, status: ActiveStatus): Refusal | undefined {
  return status === 'active' ? undefined : { why: explanation('not-active', { word, status }) };
}

export function scheduleRefusal(rules: TierRules, now: Instant): Refusal | undefined {
  const pause = rules.pause?.findAt(now);
  if (rules.pause && pause) {
    const { from, to, note, endsAt } = pause;
    return { filterReasonKey: 4, why: explanation('pause-date', { from, to, note, endsAt, timeZone: rules.pause.timeZone }) };
  }
  if (!rules.hours || rules.hours.isOpenAt(now)) return undefined;
  const { timeZone } = rules.hours;
  return { filterReasonKey: 6, why: explanation('closed-hours', { opensAt: rules.hours.opensAfter(now), timeZone }) };
}

function filterRefusal(rules: TierRules, fields: Fields): Refusal | undefined {
  if (!rules.filter || rules.filter.matches(fields)) return undefined;
  return { filterReasonKey: 7, why: rules.filter.explain(fields) };
}

function listRefusal(rules: TierRules, facts: LeadFacts | undefined): Refusal | undefined {
  const list = facts && rules.lists.find(({ id }) => facts.lists.includes(id));
  return list && { filterReasonKey: 7, why: explanation('suppressed', { list: list.name }) };
}

/** Console §3: a bank or BIN with the move BLOCK. */
function moveRefusal(facts: LeadFacts | undefined): Refusal | undefined {
  if (facts?.bank?.move === BLOCK) return { filterReasonKey: 7, why: explanation('bank-blocked', { bank: facts.bank.name }) };
  if (facts?.bin?.move !== BLOCK) return undefined;
  const { range, combination } = facts.bin;
  return { filterReasonKey: 7, why: explanation('bin-blocked', { range, combination }) };
}

/** The least a sale may bring: the tier's and the campaign's floor, whichever is higher. */
export function floorOf(tier: BuyerTierPlan, campaign: CampaignPlan): Money {
  return Math.max(tier.floor, campaign.config.floor ?? 0);
}

function priceRefusal(
  tier: BuyerTierPlan,
  seat: PublisherTierPlan,
  known: Pick<Candidate, 'price' | 'bid'>,
  price: Money,
): Refusal | undefined {
  const floor = floorOf(tier, seat.campaign);
  if (price < floor) return { why: explanation('price-under-floor', { price: formatMoney(price), floor: formatMoney(floor) }) };
  const quoted = quoteFor(seat, known, price);
  return isQuote(quoted) ? undefined : { why: quoted };
}
