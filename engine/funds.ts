/**
 * What a buyer may still spend, as a cap: its counter holds what posts under way may cost, what it owes by its balance comes on top
 * (db/migrations/0016-money.sql, `book`), and the limit is what it may owe: nothing, where it pays in advance.
 */
import { type CompiledCap, wantedOf } from './cap.ts';
import type { Explanation } from './decision.ts';
import type { Refusal } from './effect.ts';
import { formatMoney } from './money.ts';
import type { Money } from './plan.ts';

export const fundsCounter = (buyerId: string): string => `${buyerId}:money:funds:ever`;

export function compileFunds(buyerId: string, limit: Money): CompiledCap {
  const counter = fundsCounter(buyerId);
  const shared = { counter, scopeId: buyerId, measure: 'money', period: 'funds', windowStartAt: null, resetsAt: null } as const;
  return { measure: 'money', claimAt: (_now, amount) => ({ ...shared, limit, amount }) };
}

/** `left` is less than nothing where the buyer owes more than it may. */
export function explainFundsRefusal({ claim, used }: Extract<Refusal, { by: 'cap' }>): Explanation {
  const { limit, amount } = wantedOf(claim);
  return { code: 'funds-short', params: { left: formatMoney(limit - used), price: amount === 0 ? null : formatMoney(amount) } };
}
