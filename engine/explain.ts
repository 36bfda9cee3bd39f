/** One plain English sentence for everything the engine can say. */
import type { Explanation } from './decision.ts';
import { explainFilter } from './explain-filter.ts';
import { utcMinute } from './utc-minute.ts';

/** How to call things; what is left out is called by its id. */
export interface Names {
  field?: (fieldName: string) => string | undefined;
  buyerTier?: (buyerTierId: string) => string | undefined;
  service?: (serviceId: string) => string | undefined;
  /** The code of the organization's currency: every amount is then told with it. */
  currency?: string;
}

type Params = Explanation['params'];

/** Never throws; the switch is exhaustive over the closed list of codes. */
export function explain({ code, params }: Pick<Explanation, 'code' | 'params'>, names: Names = {}): string {
  const p = names.currency ? withCurrency(params, names.currency) : params;
  switch (code) {
    case 'publisher-tier-unknown':
      return `The publisher tier ${p.publisherTierId} does not exist.`;
    case 'left-out-of-plan':
      return `Left out because of its configuration: ${p.problem}.`;
    case 'fields-invalid':
      return p.count === 1 ? `${p.first}.` : `${p.count} fields are not valid; the first: ${p.first}.`;
    case 'person-erased':
      return 'This person was erased at their wish and is not taken again. Nothing of the lead was kept; do not send it again.';
    case 'suppressed':
      // Publishers are not told what our lists are called, nor that there is one.
      return p.list === undefined ? 'A rule of the publisher tier keeps this lead out.' : `On the list ${p.list}.`;
    case 'bank-blocked':
      return `The bank ${p.bank} is blocked.`;
    case 'bin-blocked':
      return `The BIN range ${p.range} is blocked for ${COMBINATIONS[Number(p.combination)] ?? `combination ${p.combination}`}.`;
    case 'admitted':
      return 'Passed the checks of the publisher tier.';
    case 'test-value':
      return `Test lead: ${p.result}. Nothing was reserved, sent or counted.`;
    case 'test-would-ask':
      return `Test lead: ${p.tiers === 1 ? 'one buyer tier' : `${p.tiers} buyer tiers`} would be asked now, so it counts as sold. Nothing was reserved, sent or counted.`;
    case 'test-not-sent':
      return 'It would be asked now; a test lead is not sent.';
    case 'test-nobody':
      return 'Test lead: no buyer tier would be asked now. Nothing was reserved, sent or counted.';
    case 'p2c-passed':
      return outsidePassed('The P2C check', 'said buy', p, names);
    case 'p2c-refused':
      return outsideRefused('The P2C check', p, names);
    case 'third-party-passed':
      return outsidePassed('Third-party validation', 'passed', p, names);
    case 'third-party-refused':
      return outsideRefused('Third-party validation', p, names);
    case 'sold':
      return `Sold ${p.sales === 1 ? 'to one buyer' : `to ${p.sales} buyers`} for ${p.revenue}; the publisher gets ${p.payout}.`;
    case 'unsold':
      return `No buyer bought${silent(p)}.`;
    case 'bids-offered':
      return `${count(p.offers, 'offer')}; the first pays the publisher ${p.payout}.`;
    case 'variant-taken':
      return `A/B test ${p.test}: this consumer goes by the variant ${p.variant}.`;
    case 'no-bids':
      return `No buyer made a usable bid${silent(p)}.`;
    case 'interrupted':
      return 'A failure on our side interrupted this lead; where a buyer may have been handed it, that is unknown until settled.';
    case 'explanation-lost':
      return 'What led to this was damaged and could not be read. Its outcome, its sales and its money stand.';
    case 'lead-not-routed':
      return 'The lead did not reach the ping tree.';
    case 'not-active':
      return `The ${p.word} is ${p.status}.`;
    case 'pause-date':
      return `Paused from ${p.from} to ${p.to}${p.note ? ` (${p.note})` : ''}; starts again ${utc(p.endsAt)}.`;
    case 'closed-hours':
      return p.opensAt === null ? 'Closed: it has no operation hours ahead.' : `Closed by operation hours; opens ${utc(p.opensAt)}.`;
    case 'filter-missed':
      return explainFilter(p, names.field);
    case 'filter-empty':
      return 'Filter: it has no condition that could be met.';
    case 'price-under-floor':
      return `Its price ${p.price} is under the floor of ${p.floor}.`;
    case 'margin-too-small':
      return `Of ${p.revenue}, a payout of ${p.payout} would leave ${p.left}; the margin must be at least ${p.required}.`;
    case 'payout-under-minimum':
      return `Of ${p.revenue}, ${p.payout} would be left for the publisher; the minimum price is ${p.minimum}.`;
    case 'cap-reached':
      return cap(p);
    case 'funds-short':
      return p.price === null
        ? `The balance of the buyer is used up: ${p.left} left.`
        : `The balance of the buyer does not pay for it: ${p.left} left, ${p.price} needed.`;
    case 'duplicate':
      return `Duplicate of lead ${p.earlierLeadId}, received ${utc(p.claimedAt)}.`;
    case 'breaker-open':
      return `Breaker open until ${utc(p.openUntil)}: ${failed(p)}.`;
    case 'breaker-probing':
      return `Breaker half-open (it opened ${utc(p.openedAt)}): one lead at a time tries the buyer again, and it is another one's turn.`;
    case 'buyer-resting':
      return `The buyer asked to be left alone until ${utc(p.until)}.`;
    case 'throttled':
      return `${sayThrottled(p)} This lead is not among them.`;
    case 'throttled-share':
      return sayThrottled(p);
    case 'group-started':
      return `Group ${p.group} (${GROUP_MODES[String(p.mode)] ?? p.mode}).`;
    case 'pinged':
      return `Pinged, with ${p.timeoutMs} ms to answer.`;
    case 'bid':
      return `Bid ${p.bid}.`;
    case 'no-bid':
      return 'Answered without a bid.';
    case 'bid-under-floor':
      return `Accepted, not posted: the bid of ${p.bid} is under the floor of ${p.floor}.`;
    case 'bid-under-margin':
      return `Accepted, not posted: the bid of ${p.bid} does not leave ${p.minimum === undefined ? `a margin of ${p.required}` : `the publisher's minimum of ${p.minimum}`}.`;
    case 'bid-expired':
      return `Its bid expired ${utc(p.expiredAt)}.`;
    case 'offered':
      return `Offered at ${p.bid}; pays the publisher ${p.payout}${promoted(p)} until ${utc(p.expiresAt)}.`;
    case 'outbid':
      return p.bid === null
        ? `Outbid: another buyer bought for ${p.winning}.`
        : `Outbid: it bid ${p.bid}, another buyer bought for ${p.winning}.`;
    case 'posted':
      return `Posted${p.price === null ? '' : ` at ${p.price}`}, with ${p.timeoutMs} ms to answer.`;
    case 'buyer-rejected':
      return `The buyer declined${said(p.reasons)}.`;
    case 'buyer-limited':
      return `The buyer takes no more leads for now${said(p.reasons)}${p.restsUntil === null ? '' : `; nothing is sent to it until ${utc(p.restsUntil)}`}.`;
    case 'buyer-duplicate':
      return `The buyer has this lead already${said(p.reasons)}.`;
    case 'buyer-error':
      return `${p.unclear ? 'No usable answer came from the buyer' : p.sent ? 'The buyer answered with an error' : 'The buyer could not be reached'}${said(p.reasons)}.`;
    case 'buyer-timeout':
      return `No answer to the ${p.leg} within ${wholeMs(p.elapsedMs)} ms.`;
    case 'held-pending':
      return `The buyer will decide later${said(p.reasons)}; the lead is held for it.`;
    case 'held-unclear':
      return `What came back does not tell what the buyer decided${p.reasons ? ` (${p.reasons})` : ''}; the lead is held until it is known.`;
    case 'held-timeout':
      return `No answer within ${wholeMs(p.elapsedMs)} ms; the lead is held until it is known whether the buyer took it.`;
    case 'held-no-price':
      return 'The buyer accepted without naming a price; held for settlement.';
    case 'held-price-refused':
      return `The buyer bid ${p.agreed} and accepted at ${p.named}; held for settlement.`;
    case 'held-price-too-low':
      return `The buyer accepted at ${p.named}, which is less than the floor or margin allows; held for settlement.`;
    case 'held-price-over-cap':
      return `The buyer accepted at ${p.named}, which does not fit under a money cap; held for settlement.`;
    case 'held-over-cap':
      return `The buyer named ${p.named}; that does not fit under a money cap or its balance, so settling it needs room first.`;
    case 'price-held-to-cap':
      return `The buyer named ${p.named}; counted at ${p.taken}, because more does not fit under a money cap.`;
    case 'settled-bought':
      return `${settledBy(p.via)} the buyer bought it for ${p.revenue}: ${p.payout} to the publisher, ${p.margin} margin.`;
    case 'settled-not-bought':
      return p.via === 'expiry'
        ? 'The buyer did not say in time what it decided: taken as not bought.'
        : `${settledBy(p.via)} the buyer did not buy it.`;
    case 'promotion-paid':
      return `Promotion ${p.promotion}: ${p.extra} more for the publisher${p.wanted === p.extra ? '' : ` instead of ${p.wanted}, because more would leave too little margin`}.`;
    case 'promotion-cut':
      return `Promotion ${p.promotion} adds nothing: its ${p.wanted} would leave too little margin.`;
    case 'promotion-used-up':
      return `Promotion ${p.promotion} adds nothing: what it may pay is used up.`;
    case 'bought':
      return `Bought for ${p.revenue}: ${p.payout} to the publisher${promoted(p)}, ${p.margin} margin${p.flagged ? '; its price differs from its bid' : ''}.`;
    case 'sold-before-turn':
      return 'Sold before its turn.';
    case 'buyer-already-bought':
      return `The buyer ${p.buyer} has bought this lead already.`;
    case 'tier-limit':
      return `The limit of ${p.limit} buyer tiers per lead was reached.`;
    case 'deadline':
      return `Out of time: ${p.leftMs} ms were left, a call needs ${p.neededMs} ms.`;
    case 'group-time-up':
      return `The time limit of the group ${p.group} (${p.limitMs} ms) was up.`;
    case 'publisher-gone':
      return 'The publisher stopped waiting.';
    case 'held-before-turn':
      return `Held for ${names.buyerTier?.(String(p.buyerTierId)) ?? p.buyerTierId}; nobody else is offered the lead.`;
    case 'offers-before-turn':
      return 'An earlier group made an offer.';
    case 'price-unknown-at-ping':
      return 'Names its price only when it is posted to.';
    case 'reservation-unanswered':
      return 'Its caps could not be checked.';
  }
}

const AMOUNTS: ReadonlySet<string> = new Set(
  'price floor bid revenue payout margin minimum required left winning agreed named taken extra wanted'.split(' '),
);
/** Figures of a cap are amounts only where it counts money. */
const CAP_FIGURES: ReadonlySet<string> = new Set(['used', 'limit', 'amount']);

function withCurrency(params: Params, currency: string): Params {
  const isAmount = (name: string) => AMOUNTS.has(name) || (params.measure === 'money' && CAP_FIGURES.has(name));
  const told = Object.entries(params).map(([name, value]) => [
    name,
    isAmount(name) && typeof value === 'string' ? `${currency} ${value}` : value,
  ]);
  return Object.fromEntries(told) as Params;
}

/** Console §3: whom a move of a BIN range is for. */
const COMBINATIONS: Readonly<Record<number, string>> = {
  1: 'this campaign and this affiliate',
  2: 'this campaign and all affiliates',
  3: 'all campaigns and this affiliate',
  4: 'all campaigns and all affiliates',
};

const GROUP_MODES: Readonly<Record<string, string>> = {
  priority: 'priority',
  highestPrice: 'highest price',
  auction: 'auction',
  roundRobin: 'round robin',
  weighted: 'weighted',
};

const PERIODS: Readonly<Record<string, string>> = { hour: 'Hourly', day: 'Daily', week: 'Weekly', month: 'Monthly', overall: 'Overall' };
const OWNERS: Readonly<Record<string, string>> = {
  publisherTier: ' of the publisher tier',
  buyer: ' of the buyer',
  buyerTier: '',
  promotion: ' of the promotion that was promised at the ping',
};

const promoted = (p: Params): string => (p.promotion ? ` (${p.extra} of it by the promotion ${p.promotion})` : '');

function cap(p: Params): string {
  const name = `${PERIODS[String(p.period)]} ${p.measure} cap${OWNERS[String(p.owner)] ?? ''}`;
  const again = p.resetsAt === null || p.resetsAt === undefined ? '' : `; starts again ${utc(p.resetsAt)}`;
  if (p.measure !== 'money' || p.used === p.limit) return `${name} reached: ${p.used} of ${p.limit}${again}.`;
  return `${name}: ${p.used} of ${p.limit} used, ${p.amount} more does not fit${again}.`;
}

const wholeMs = (ms: Params[string] | undefined): number => Math.round(Number(ms));
const utc = (instant: Params[string] | undefined): string => utcMinute(Number(instant));

/** '7 of 10 calls failed in the last 5 minutes'. */
/** Why a tier gets a share of its leads only; of no lead in particular. */
export function sayThrottled(p: Params): string {
  return `Throttled since ${utc(p.since)}: ${unwell(p)}. Only ${p.sharePercent}% of its leads are sent meanwhile.`;
}

/** '3 of 10 calls failed and 6 took longer than 2000 ms in the last 5 minutes'; what was not too many of either is left out where the other was. */
function unwell(p: Params): string {
  const slow = p.slowMs !== null && Number(p.slow) > 0 ? `${p.slow} took longer than ${p.slowMs} ms` : '';
  const [first, ...more] = [Number(p.failures) > 0 || slow === '' ? `${p.failures} failed` : '', slow].filter(Boolean);
  const [figure, ...words] = first!.split(' ');
  const said = [`${figure} of ${p.calls} calls ${words.join(' ')}`, ...more].join(' and ');
  return `${said} in ${lookBack(p)}`;
}

const lookBack = (p: Params): string => (p.lookBackMinutes === 1 ? 'the last minute' : `the last ${p.lookBackMinutes} minutes`);

function failed(p: Params): string {
  const probes = Number(p.failedProbes) > 0 ? `, and ${p.failedProbes === 1 ? 'one try' : `${p.failedProbes} tries`} since` : '';
  return `${p.failures} of ${p.calls} calls failed in ${lookBack(p)}${probes}`;
}

function settledBy(via: Params[string] | undefined): string {
  return via === 'postback' ? 'The buyer said later:' : 'Settled by hand:';
}

function said(reasons: Params[string] | undefined): string {
  return reasons ? `: ${String(reasons).replace(/\.$/, '')}` : '';
}

/** Who says nothing has not declined. */
function silent({ asked, silent: none }: Params): string {
  if (!none) return '';
  if (none !== asked) return `; ${none} of the ${asked} buyer tiers that were asked gave no answer`;
  return asked === 1
    ? ': the one buyer tier that was asked gave no answer'
    : `: none of the ${asked} buyer tiers that were asked gave an answer`;
}

/** An answer, or what the tier makes of there being none. */
function outsidePassed(check: string, passed: string, p: Params, names: Names): string {
  const name = nameOutside(check, p, names);
  return p.outcome === 'passed' ? `${name} ${passed}.` : `${name} ${failure(p)}; leads go on without it.`;
}

function outsideRefused(check: string, p: Params, names: Names): string {
  const name = nameOutside(check, p, names);
  return p.outcome === 'refused' ? `${name} said no${said(p.reason)}.` : `${name} ${failure(p)}; no lead goes on without it.`;
}

function nameOutside(check: string, p: Params, names: Names): string {
  const service = names.service?.(String(p.serviceId));
  return service ? `${check} (${service})` : check;
}

function failure(p: Params): string {
  const [, status] = /^service-(paused|archived|unusable)$/.exec(String(p.reason)) ?? [];
  if (status) return `was not made: its service is ${status}`;
  return p.outcome === 'timeout' ? 'did not answer in time' : `failed${said(p.reason)}`;
}

function count(figure: Params[string] | undefined, word: string): string {
  return figure === 1 ? `One ${word}` : `${figure} ${word}s`;
}
