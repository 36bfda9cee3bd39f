/** Readable stories at work: the lead, what each buyer says, and a decision told in the words of an Expectation. */
import type { Decision } from './decision.ts';
import type { BuyerCall, OutsideVerdict } from './effect.ts';
import { explain } from './explain.ts';
import type { RouteLead } from './lead.ts';
import { formatMoney, parseMoney } from './money.ts';
import { type Expectation, type ShortLead, wrong } from './scenario.ts';
import type { ScriptedAnswer } from './simulate.ts';

const LEAD_FIELDS = { email: 'ann@example.com', phone: '(212) 555-0100', state: 'CA', zip: '90210', income: '3500' };

export function leadOf(short: ShortLead, id: string, now: number): RouteLead {
  return {
    id,
    publisherTierId: 'publisherTier',
    rawFields: { ...LEAD_FIELDS, ...short.fields },
    mode: short.mode ?? 'full',
    test: short.test ?? false,
    deadlineAt: now + (short.patienceMs ?? 20_000),
    ...(short.bucket === undefined ? {} : { bucket: short.bucket }),
    facts: {
      lists: short.onLists ?? [],
      ...(short.wasErased && { isErased: true }),
      ...(short.bank && { bank: short.bank }),
      ...(short.bin && { bin: short.bin }),
    },
  };
}

/** A tier that the story does not mention declines. */
export function answerFor(short: ShortLead, call: BuyerCall, at: number): ScriptedAnswer {
  const told = short.answers?.[call.buyerTierId];
  return readAnswer((typeof told === 'string' ? told : told?.[call.leg]) ?? 'declines', at);
}

const OUTCOMES = {
  accepts: 'accepted',
  bids: 'accepted',
  declines: 'rejected',
  'takes no more': 'rejected',
  duplicate: 'duplicate',
  pending: 'pending',
  error: 'error',
  'breaks off': 'error',
  unreachable: 'error',
  'times out': 'timeout',
  'times out unsent': 'timeout',
} as const;

const ANSWER =
  /^(accepts|bids|declines|takes no more|duplicate|pending|error|breaks off|unreachable|times out unsent|times out)(?: (-?[\d.]+|NaN))?(?:: ([^,]+))?(?: valid (\d+)ms)?(?: rests (\d+)ms)?(?: after (\d+)ms)?(, the publisher leaves)?$/;

/** 'bids 12.00 valid 30000ms after 200ms', 'declines: no credit', 'takes no more rests 30000ms', 'accepts 20.00, the publisher leaves'. */
function readAnswer(text: string, at: number): ScriptedAnswer {
  const [, word, price, reason, valid, rests, delay, leaves] = ANSWER.exec(text) ?? wrong('an answer', text);
  const outcome = OUTCOMES[word as keyof typeof OUTCOMES];
  return {
    outcome,
    sent: word !== 'unreachable' && word !== 'times out unsent',
    reasons: reason ? [reason] : [],
    delayMs: outcome === 'timeout' ? Number.MAX_SAFE_INTEGER : Number(delay ?? 5),
    ...(price === undefined ? {} : { price: parseMoney(price) ?? Number.NaN }),
    ...(valid ? { expiresAt: at + Number(valid) } : {}),
    ...(word === 'takes no more' ? { limited: true } : {}),
    ...(rests ? { restsUntil: at + Number(rests) } : {}),
    ...(word === 'breaks off' ? { unclear: true } : {}),
    ...(leaves ? { publisherGone: true } : {}),
  };
}

/** 'passed', 'refused: landline', 'error', 'timeout', or 'paused' for a service that is. */
export function readVerdict(text: string): OutsideVerdict {
  const [, word, reason] = /^(passed|refused|error|timeout|paused)(?:: (.+))?$/.exec(text) ?? wrong('a verdict', text);
  if (word === 'paused') return { outcome: 'error', reason: 'service-paused' };
  return { outcome: word as OutsideVerdict['outcome'], ...(reason && { reason }) };
}

/** A decision in the words of an Expectation, to compare with one. */
export function tellDecision(decision: Decision): Required<Expectation> {
  return {
    status: decision.status,
    reason: decision.reason ?? '',
    says: explain(decision.why),
    sold: decision.sales.map((sale) => `${sale.buyerTierId} at ${formatMoney(sale.revenue)} pays ${formatMoney(sale.payout)}`),
    offers: decision.offers.map((offer) => `${offer.buyerTierId} at ${formatMoney(offer.bid)} pays ${formatMoney(offer.payout)}`),
    promised: (decision.promisedSales ?? []).map(({ payout }) => `pays ${formatMoney(payout)}`),
    calls: decision.attempts.map((attempt) => `${attempt.buyerTierId} ${attempt.leg}`),
    errors: decision.errors.map((error) => error.message),
    said: decision.steps.filter(({ code }) => /^(promotion|variant)-/.test(code)).map((step) => explain(step)),
    why: Object.fromEntries(decision.verdicts.map((verdict) => [verdict.buyerTierId, tellVerdict(verdict)])),
  };
}

function tellVerdict({ outcome, filterReasonKey, why }: Decision['verdicts'][number]): string {
  return `${outcome}${filterReasonKey ? ` ${filterReasonKey}` : ''}: ${explain(why)}`;
}
