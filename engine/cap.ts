/** Caps compiled to claims on counters. */
import type { Explanation, FilterReasonKey } from './decision.ts';
import type { CapClaim, Refusal } from './effect.ts';
import { explainFundsRefusal } from './funds.ts';
import { formatMoney, isMoney } from './money.ts';
import type { CapConfig, CapMeasure, Instant, Money } from './plan.ts';
import { capWindowAt } from './window.ts';
import { isTimeZone } from './zone.ts';

export type CapOwner = 'publisherTier' | 'buyerTier' | 'buyer' | 'promotion';

export interface CompiledCap {
  measure: CapMeasure;
  /** The claim for the window `now` falls in. */
  claimAt(now: Instant, amount: number): CapClaim;
}

/** How much to take per measure; a measure left out is not claimed at all, 0 only asks for room. */
export interface CapAmounts {
  sent?: number;
  sold?: number;
  money?: Money;
}

const MEASURES: ReadonlySet<string> = new Set(['sold', 'sent', 'money']);
const PERIODS: ReadonlySet<string> = new Set(['hour', 'day', 'week', 'month', 'overall']);

/** Two caps that count in the same counter are one, the lower; a text instead of caps says what is wrong. */
export function compileCaps(scopeId: string, caps: CapConfig[]): CompiledCap[] | string {
  const wrong = caps.map(capProblem).find((problem) => problem !== undefined);
  if (wrong !== undefined) return wrong;
  const lowest = new Map<string, CapConfig>();
  for (const cap of caps) {
    const key = `${cap.measure} ${cap.period} ${cap.period === 'overall' ? '' : cap.timeZone}`;
    if (cap.limit < (lowest.get(key)?.limit ?? Number.POSITIVE_INFINITY)) lowest.set(key, cap);
  }
  return [...lowest.values()].map((cap) => compileCap(scopeId, cap));
}

function capProblem(cap: CapConfig): string | undefined {
  if (!MEASURES.has(cap.measure) || !PERIODS.has(cap.period)) return `a cap cannot count ${cap.measure} per ${cap.period}`;
  if (cap.period !== 'overall' && !isTimeZone(cap.timeZone)) return `the time zone ${cap.timeZone} of a cap does not exist`;
  if (!Number.isSafeInteger(cap.limit) || cap.limit < 0) return 'a cap limit must be a whole number, 0 or more';
  return undefined;
}

function compileCap(scopeId: string, cap: CapConfig): CompiledCap {
  const { measure, period, limit, timeZone } = cap;
  // The name of the current counter is made once per window, not per lead.
  let window = capWindowAt('overall', timeZone, 0);
  let counter = `${scopeId}:${measure}:${period}:ever`;
  const claimAt = (now: Instant, amount: number): CapClaim => {
    if (period !== 'overall' && !(window.windowStartAt !== null && window.windowStartAt <= now && now < window.resetsAt!)) {
      window = capWindowAt(period, timeZone, now);
      counter = `${scopeId}:${measure}:${period}:${new Date(window.windowStartAt!).toISOString()}`;
    }
    return { counter, scopeId, measure, period, windowStartAt: window.windowStartAt, resetsAt: window.resetsAt, limit, amount };
  };
  return { measure, claimAt };
}

/** Adds to `claims`; a counter that is already claimed (two zones whose windows coincide) keeps the lower limit and is taken once. */
export function addClaims(claims: CapClaim[], caps: readonly CompiledCap[], amounts: CapAmounts, now: Instant): void {
  for (const cap of caps) {
    const amount = amounts[cap.measure];
    if (amount === undefined) continue;
    const claim = cap.claimAt(now, amount);
    const twin = claims.find((other) => other.counter === claim.counter);
    if (twin) twin.limit = Math.min(twin.limit, claim.limit);
    else claims.push(claim);
  }
}

/** A claim of nothing that asks for room for so much. */
export function asking(claim: CapClaim, amount: number): CapClaim {
  return amount > 0 ? { ...claim, limit: claim.limit - amount + 1, asked: amount } : claim;
}

/** What a claim wants of which limit, as a person would say it. */
export function wantedOf({ limit, amount, asked }: CapClaim): Pick<CapClaim, 'limit' | 'amount'> {
  return asked === undefined ? { limit, amount } : { limit: limit + asked - 1, amount: asked };
}

/** console §4: 1 daily (and hourly), 2 weekly, 3 monthly, 5 overall; ours: 9 a breaker's probe, 10 the buyer's balance. */
export function capReasonKey(period: CapClaim['period']): FilterReasonKey {
  const keys = { hour: 1, day: 1, week: 2, month: 3, overall: 5, probe: 9, funds: 10 } as const;
  return keys[period];
}

export function explainCapRefusal(refusal: Extract<Refusal, { by: 'cap' }>, owner: CapOwner): Explanation {
  const { measure, period, windowStartAt, resetsAt } = refusal.claim;
  const { limit, amount } = wantedOf(refusal.claim);
  if (period === 'funds') return explainFundsRefusal(refusal);
  if (period === 'probe') return { code: 'breaker-probing', params: { openedAt: windowStartAt } };
  const shown = (figure: number) => (measure === 'money' && isMoney(figure) ? formatMoney(figure) : figure);
  return {
    code: 'cap-reached',
    params: { owner, measure, period, used: shown(refusal.used), limit: shown(limit), amount: shown(amount), resetsAt },
  };
}
