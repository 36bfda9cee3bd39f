/** The reading half of a leg: prepared once, then pure from a buyer's response to what it means. */
import type { BidsRule, CaptureRule, Locator, PriceRule, ResponseRules, TimeRule } from '#contract/endpoint.ts';
import type { Answer } from '#engine/effect.ts';
import { parseMoney } from '#engine/money.ts';
import type { Instant, Money } from '#engine/plan.ts';
import { LONGEST_REST_MS } from '#engine/rest.ts';
import { compileOutcomes, type Judgement, type ReadOutcome } from './judge-outcome.ts';
import { compileLocator, compilePath, firstText, type Locate } from './locate.ts';
import { type BreakPoint, headerOf, type OpenedAnswer, openAnswer } from './open-answer.ts';
import { readPrice } from './read-price.ts';
import { compileRedirect } from './read-redirect.ts';
import { readRetryAfter, readTime } from './read-time.ts';
import type { BuildInput, WarningCode, WireResponse, WireWarning } from './wire.ts';

/** What an answer says, before the shell adds `sent` and `elapsedMs`. */
export interface Reading extends Omit<Answer, 'sent' | 'elapsedMs' | 'outcome'> {
  outcome: ReadOutcome;
  warnings: WireWarning[];
  /** What the body was read as. */
  readAs: 'json' | 'xml' | 'form' | 'delimited' | 'text';
  /** Which outcome rule decided. */
  rule?: number;
  broke?: BreakPoint;
  /** The body as text, for the attempt log. */
  text: string;
}
/** No more of a reason is kept or shown; cut only when it holds no secret any more, of which half would stay. */
export const REASON_LETTERS = 300;
export type Read = (response: WireResponse, input: BuildInput) => Reading;
type Warn = (code: WarningCode, at?: string) => void;

/** `baseUrl` is the leg's own address, for relative redirects. Never throws on an answer, whatever it holds. */
export function compileReading(rules: ResponseRules, baseUrl: string): Read {
  const judge = compileOutcomes(rules);
  const price = compilePrice(rules.price, rules.bids);
  const captures = compileCaptures(rules.captures);
  const reasons = compileReasons(rules.reasons, rules.reasonMap);
  const redirect = compileRedirect(rules.redirect, baseUrl);
  const expiry = compileTime(rules.expiry);
  const retryAfter = compileTime(rules.retryAfter);
  return (response, input) => {
    const answer = openAnswer(response, rules);
    const reading: Reading = { outcome: 'error', reasons: [], captures: {}, warnings: [], readAs: answer.document.kind, text: answer.text };
    const warn: Warn = (code, at) => void reading.warnings.push(at === undefined ? { code } : { code, at });
    for (const code of answer.warnings) warn(code);
    if (answer.broke) reading.broke = answer.broke;
    takeOutcome(reading, judge(answer), answer, rules, warn);
    Object.assign(reading.captures, captures(answer));
    takePrice(reading, price(answer, input, warn), warn);
    reading.reasons.push(...reasons(answer));
    const url = reading.outcome === 'accepted' ? redirect(answer, input, reading.captures, warn, response.url) : undefined;
    if (url !== undefined) reading.redirectUrl = url;
    const expiresAt = expiry(answer, input.context.now, () => warn('expiry-unreadable'));
    if (expiresAt !== undefined) reading.expiresAt = expiresAt;
    takeLimit(
      reading,
      answer,
      retryAfter(answer, input.context.now, () => undefined),
      input.context.now,
      warn,
    );
    return reading;
  };
}

function takeOutcome(reading: Reading, judged: Judgement, answer: OpenedAnswer, rules: ResponseRules, warn: Warn): void {
  reading.outcome = judged.outcome;
  if (judged.rule !== undefined) reading.rule = judged.rule;
  const isEmpty = answer.text.trim() === '';
  if (isEmpty) warn('empty-body');
  if (judged.rule === undefined) {
    const fault = soapFault(answer);
    if (isEmpty || fault !== undefined) reading.outcome = 'error';
    if (fault !== undefined) warn('soap-fault');
    reading.reasons.push(
      ...(fault !== undefined ? [fault] : []),
      ...(isEmpty
        ? ['no answer']
        : answer.broke
          ? [`unreadable answer: ${answer.broke.message}, line ${answer.broke.line} column ${answer.broke.column}`]
          : []),
    );
    warn('no-rule-matched');
  } else if (judged.outcome === 'accepted' && rules.outcomes[judged.rule]!.when.some((test) => test.is === 'contains')) {
    warn('substring-rule', String(judged.rule));
  }
}

const FAULT = compilePath('Envelope.Body.Fault');
/** SOAP 1.1 §4.4 and SOAP 1.2 part 1 §5.4. */
const FAULT_WORDS = ['faultstring', 'Reason.Text', 'faultcode', 'Code.Value'].map(compilePath);

/** Why a SOAP service could not serve the call, in its own words; undefined where it did. No answer that no rule knows is a sale then. */
function soapFault({ document }: OpenedAnswer): string | undefined {
  if (document.kind !== 'xml') return undefined;
  const [fault] = document.each(FAULT);
  if (!fault) return undefined;
  const words = FAULT_WORDS.flatMap((path) => fault.find(path)).find((text) => text !== null && text.trim() !== '');
  return `SOAP fault: ${words?.trim() ?? 'without a reason'}`;
}

interface PriceFound {
  price: Money;
  captures: Record<string, string>;
}

const NOT_WORTH_IT = 'no bid is high enough';

function takePrice(reading: Reading, found: PriceFound | typeof NOT_WORTH_IT | undefined, warn: Warn): void {
  if (!found) return;
  if (found === NOT_WORTH_IT) {
    if (reading.outcome === 'accepted') reading.outcome = 'rejected';
    reading.reasons.push(found);
    return;
  }
  reading.price = found.price;
  Object.assign(reading.captures, found.captures);
  if (found.price <= 0) warn('price-not-positive');
}

type FindPrice = (answer: OpenedAnswer, input: BuildInput, warn: Warn) => PriceFound | typeof NOT_WORTH_IT | undefined;

function compilePrice(rule: PriceRule | undefined, bids: BidsRule | undefined): FindPrice {
  const fromBids = bids && compileBids(bids, rule ?? {});
  const places = (rule?.at ?? []).map(compileLocator);
  return (answer, input, warn) => {
    const taken = fromBids?.(answer, input, warn);
    if (taken || !rule) return taken;
    const price = combinePrices(places, answer, rule, warn);
    return price === undefined ? undefined : { price, captures: {} };
  };
}

/**
 * Of the bids that are worth taking the highest or all, with what stands beside them. Of all together a leg of no price, or of which something that is
 * captured is missing, is none: it could not be ordered. What is worth taking is asked of pings alone; a buyer that took the lead has it.
 */
function compileBids(rule: BidsRule, notation: Omit<PriceRule, 'at' | 'combine'>): FindPrice {
  const list = compilePath(rule.list);
  const pricePath = compilePath(rule.price);
  const beside = Object.entries(rule.captures ?? {}).map(([name, path]) => ({ name, path: compilePath(path) }));
  const least = rule.atLeast === undefined ? undefined : parseMoney(rule.atLeast);
  const takesAll = rule.take === 'all';
  return (answer, input, warn) => {
    const legs = answer.document.each(list).flatMap((item) => {
      const price = pricesOf(item.find(pricePath), notation, warn)[0];
      const captures = beside.flatMap(({ name, path }) => {
        const text = item.find(path)[0]?.trim();
        return text ? [[name, text] as const] : [];
      });
      return price === undefined ? [] : [{ price, captures: new Map(captures) }];
    });
    if (legs.length === 0) return undefined;
    const isWorthIt = ({ price, captures }: (typeof legs)[number]) =>
      (least === undefined || price >= least) && (!takesAll || (price > 0 && captures.size === beside.length));
    const worthIt = input.call.leg === 'ping' ? legs.filter(isWorthIt) : legs;
    if (worthIt.length === 0) return NOT_WORTH_IT;
    const taken = takesAll ? worthIt : [worthIt.reduce((best, one) => (one.price > best.price ? one : best))];
    const told = beside.flatMap(({ name }) => {
      const texts = taken.flatMap(({ captures }) => captures.get(name) ?? []);
      return texts.length === 0 ? [] : [[name, texts.join(',')] as const];
    });
    return { price: taken.reduce((sum, { price }) => sum + price, 0), captures: Object.fromEntries(told) };
  };
}

function combinePrices(places: readonly Locate[], answer: OpenedAnswer, rule: PriceRule, warn: Warn): Money | undefined {
  for (const locate of places) {
    const prices = pricesOf(locate(answer), rule, warn);
    if (prices.length === 0) continue;
    if (rule.combine === 'sum') return prices.reduce((sum, price) => sum + price, 0);
    return rule.combine === 'highest' ? Math.max(...prices) : prices[0];
  }
  return undefined;
}

const noPrice = new Set(['', '-', '--', 'null', 'nil', 'none', 'n/a', 'na', 'nan']);

function pricesOf(texts: readonly (string | null)[], notation: Omit<PriceRule, 'at' | 'combine'>, warn: Warn): Money[] {
  const prices: Money[] = [];
  for (const text of texts) {
    const read = text === null ? undefined : readPrice(text, notation);
    if (read) prices.push(read.price);
    if (read?.rounded) warn('price-rounded');
    if (!read && text !== null && !noPrice.has(text.trim().toLowerCase())) warn('price-unreadable');
  }
  return prices;
}

/** Ids are texts; what is not there is not captured. */
function compileCaptures(rules: Record<string, CaptureRule> | undefined): (answer: OpenedAnswer) => Record<string, string> {
  const compiled = Object.entries(rules ?? {}).map(([name, rule]) => ({ name, places: rule.at.map(compileLocator), join: rule.join }));
  return (answer) => {
    const captures: Record<string, string> = {};
    for (const { name, places, join } of compiled) {
      const text = join === undefined ? firstText(places, answer) : allTexts(places, answer).join(join);
      if (text) captures[name] = text;
    }
    return captures;
  };
}

function compileReasons(list: Locator[] | undefined, map: Record<string, string> | undefined): (answer: OpenedAnswer) => string[] {
  const places = (list ?? []).map(compileLocator);
  const words = new Map(Object.entries(map ?? {}));
  return (answer) => [...new Set(allTexts(places, answer))].slice(0, 20).map((text) => words.get(text) ?? text);
}

function allTexts(places: readonly Locate[], answer: OpenedAnswer): string[] {
  return places.flatMap((locate) => locate(answer)).flatMap((text) => (text === null || text.trim() === '' ? [] : [text.trim()]));
}

function compileTime(rule: TimeRule | undefined): (answer: OpenedAnswer, now: Instant, onBad: () => void) => Instant | undefined {
  if (!rule) return () => undefined;
  const places = rule.at.map(compileLocator);
  return (answer, now, onBad) => {
    const text = firstText(places, answer);
    const at = text === undefined ? undefined : readTime(text, rule, now);
    if (text !== undefined && at === undefined) onBad();
    return at;
  };
}

/**
 * 429 is a limit, not a fault: a refusal that says when to come back. So is any refusal with a time where the configuration says that a
 * time means that. What the buyer took, will decide later or has already is never one.
 */
function takeLimit(reading: Reading, answer: OpenedAnswer, fromRule: Instant | undefined, now: Instant, warn: Warn): void {
  const { status } = answer.response;
  if (reading.outcome !== 'rejected' && reading.outcome !== 'error') return;
  const restsUntil =
    fromRule ?? (status === 429 || status === 503 ? readRetryAfter(headerOf(answer.response, 'retry-after'), now) : undefined);
  if (restsUntil !== undefined && restsUntil > now) reading.restsUntil = Math.min(restsUntil, now + LONGEST_REST_MS);
  if (status !== 429 && fromRule === undefined) return;
  warn('rate-limited');
  reading.limited = true;
  reading.outcome = 'rejected';
  reading.reasons = reading.reasons.filter((reason) => reason !== 'no answer');
  if (reading.reasons.length === 0) reading.reasons = ['rate limited'];
}
