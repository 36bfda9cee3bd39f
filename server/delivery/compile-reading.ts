/** The reading half of a leg: prepared once, then pure from a buyer's response to what it means. */
import type { BidsRule, CaptureRule, Locator, PriceRule, ResponseRules, TimeRule } from '#contract/endpoint.ts';
import type { Answer } from '#engine/effect.ts';
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
    takePrice(reading, price(answer, warn), warn);
    reading.reasons.push(...reasons(answer));
    const url = reading.outcome === 'accepted' ? redirect(answer, input, reading.captures, warn) : undefined;
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
    if (isEmpty) reading.outcome = 'error';
    reading.reasons.push(
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

interface PriceFound {
  price: Money;
  captures: Record<string, string>;
}

function takePrice(reading: Reading, found: PriceFound | undefined, warn: Warn): void {
  if (!found) return;
  reading.price = found.price;
  Object.assign(reading.captures, found.captures);
  if (found.price <= 0) warn('price-not-positive');
}

function compilePrice(
  rule: PriceRule | undefined,
  bids: BidsRule | undefined,
): (answer: OpenedAnswer, warn: Warn) => PriceFound | undefined {
  const fromBids = bids && compileBids(bids, rule ?? {});
  const places = (rule?.at ?? []).map(compileLocator);
  return (answer, warn) => {
    const best = fromBids?.(answer, warn);
    if (best || !rule) return best;
    const price = combinePrices(places, answer, rule, warn);
    return price === undefined ? undefined : { price, captures: {} };
  };
}

/** The highest bid of the list, with what stands beside it. */
function compileBids(
  rule: BidsRule,
  notation: Omit<PriceRule, 'at' | 'combine'>,
): (answer: OpenedAnswer, warn: Warn) => PriceFound | undefined {
  const list = compilePath(rule.list);
  const pricePath = compilePath(rule.price);
  const beside = Object.entries(rule.captures ?? {}).map(([name, path]) => ({ name, path: compilePath(path) }));
  return (answer, warn) => {
    let best: PriceFound | undefined;
    for (const item of answer.document.each(list)) {
      const price = pricesOf(item.find(pricePath), notation, warn)[0];
      if (price === undefined || (best && best.price >= price)) continue;
      const captures = beside.flatMap(({ name, path }) =>
        item
          .find(path)
          .slice(0, 1)
          .map((text) => [name, text] as const),
      );
      best = { price, captures: Object.fromEntries(captures.filter((pair): pair is [string, string] => pair[1] !== null)) };
    }
    return best;
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
