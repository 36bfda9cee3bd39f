/** Our answer to a publisher: from the engine's decision to the shape of contract/posting.ts, as JSON or XML. */
import type { PostingAnswer } from '#contract/posting.ts';
import { payoutOf } from '#engine/conclude.ts';
import type { Decision, Explanation, ExplanationCode, PromisedSale } from '#engine/decision.ts';
import { explain } from '#engine/explain.ts';
import { formatMoney } from '#engine/money.ts';

export interface GivenAnswer {
  statusCode: number;
  answer: PostingAnswer;
}

export interface Answering {
  leadId: string;
  mode: 'full' | 'ping' | 'post';
  test: boolean;
  terse: boolean;
  /** Where the publisher sends the consumer of a sold lead. */
  redirectUrl: string | undefined;
  currency: string;
  elapsedMs: number;
  unknownFields: string[];
}

export function answerDecision(decision: Decision, about: Answering): GivenAnswer {
  const given = { ...outcomeOf(decision, about), elapsedMs: about.elapsedMs, ...named(about) };
  const warnings = about.unknownFields.map((name) => `The field ${name} is not known here; it was stored as it came.`);
  const answer: PostingAnswer = { ...given, ...(warnings.length > 0 && !about.terse && { warnings }) };
  if (about.test && answer.status === 'accepted') return { statusCode: 200, answer: { ...answer, status: 'test' } };
  return { statusCode: statusCodeOf(answer), answer };
}

function named(about: Answering): Partial<PostingAnswer> {
  return about.mode === 'ping' ? { pingId: about.leadId } : { leadId: about.leadId };
}

function outcomeOf(decision: Decision, about: Answering): PostingAnswer {
  const reason = decision.reason && !about.terse ? { reason: decision.reason } : {};
  const told = (status: PostingAnswer['status'], code: string): PostingAnswer => ({
    status,
    code,
    ...reason,
    ...(!about.terse && {
      msg: SAID_OF_PRICES[decision.why.code] ?? explain(withoutTheirWords(decision.why), { currency: about.currency }),
    }),
  });
  switch (decision.status) {
    case 'sold':
      return sold(decision, about);
    case 'bid':
      return bid(decision, about);
    case 'invalid':
      return { ...told('invalid', 'lead_invalid'), errors: decision.errors };
    case 'duplicate':
      return told('duplicate', 'lead_duplicate');
    case 'rejected':
      return told('rejected', decision.why.code === 'person-erased' ? 'lead_person_erased' : 'lead_rejected');
    case 'unsold':
      return told('rejected', 'lead_unsold');
    case 'noBid':
      return told('rejected', 'ping_no_bid');
    case 'held':
      return told('queued', 'lead_held');
    case 'error':
      return told('error', 'lead_error');
  }
}

/** What buyers bid and pay, and how far their caps and balances go, is between us and them. */
const SAID_OF_PRICES: Partial<Record<ExplanationCode, string>> = {
  'held-no-price': 'A buyer accepted; the lead is held until its price is settled.',
  'held-price-refused': 'A buyer accepted; the lead is held until its price is settled.',
  'held-price-too-low': 'A buyer accepted; the lead is held until its price is settled.',
  'held-price-over-cap': 'A buyer accepted; the lead is held until its price is settled.',
};

/** What a buyer or a service said or did not say, and what lists are called, is for the organization; the publisher hears what it came to. */
const KEPT_TO_US: ReadonlySet<string> = new Set(['reason', 'reasons', 'silent', 'list']);

function withoutTheirWords({ code, params }: Explanation): Pick<Explanation, 'code' | 'params'> {
  const own = Object.entries(params).filter(([name]) => !KEPT_TO_US.has(name));
  return { code, params: Object.fromEntries(own) };
}

function sold(decision: Decision, about: Answering): PostingAnswer {
  const payout = payoutOf(decision);
  return {
    status: 'accepted',
    code: 'lead_sold',
    ...(!about.terse && { price: formatMoney(payout), currency: about.currency }),
    ...(about.redirectUrl !== undefined && { redirectUrl: about.redirectUrl }),
  };
}

function bid(decision: Decision, about: Answering): PostingAnswer {
  // A test ping is told a price, but no buyer has offered it.
  const best = decision.offers[0];
  return {
    status: 'accepted',
    code: 'ping_bid',
    price: formatMoney(best?.payout ?? payoutOf(decision)),
    currency: about.currency,
    ...(best && { expiresAt: timeOf(best) }),
    ...(decision.promisedSales && !about.terse && { bids: decision.promisedSales.map(bidOf) }),
  };
}

const timeOf = ({ expiresAt }: PromisedSale): string => new Date(expiresAt).toISOString();
const bidOf = (sale: PromisedSale) => ({ price: formatMoney(sale.payout), expiresAt: timeOf(sale) });

function statusCodeOf(answer: PostingAnswer): number {
  switch (answer.status) {
    case 'invalid':
      return 422;
    case 'error':
      return 500;
    case 'queued':
      return 202;
    default:
      return 200;
  }
}

export function renderXml(answer: PostingAnswer): string {
  const { bids, errors, warnings, ...plain } = answer;
  const rows = Object.entries(plain).filter(([, value]) => value !== undefined);
  const parts = rows.map(([name, value]) => element(name, String(value)));
  if (bids)
    parts.push(
      `<bids>${bids.map((one) => `<bid>${element('price', one.price)}${element('expiresAt', one.expiresAt)}</bid>`).join('')}</bids>`,
    );
  if (errors)
    parts.push(
      `<errors>${errors.map((error) => `<error>${element('field', error.field)}${element('message', error.message)}</error>`).join('')}</errors>`,
    );
  if (warnings) parts.push(`<warnings>${warnings.map((warning) => element('warning', warning)).join('')}</warnings>`);
  return `<?xml version="1.0" encoding="UTF-8"?><response>${parts.join('')}</response>`;
}

function element(name: string, text: string): string {
  return `<${name}>${escapeXml(text)}</${name}>`;
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&apos;' };

/** Characters that XML 1.0 cannot hold at all are dropped. */
function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters XML 1.0 forbids
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '').replace(/[&<>"']/g, (character) => ESCAPES[character]!);
}
