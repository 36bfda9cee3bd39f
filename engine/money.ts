/**
 * Exact money: an integer count of ten-thousandths (see Money in plan.ts). No function here uses a fraction of a number.
 * Rounding is always named by the caller: what we owe is rounded down, what we must keep is rounded up, so that a
 * payout can never exceed revenue less margin because of a rounding.
 */
import type { Money } from './plan.ts';

/** down: towards zero. up: away from zero. half: to the nearest, a half away from zero. */
export type Rounding = 'down' | 'up' | 'half';

export const MONEY_MAX: Money = 9_999_999_999_999;

const DECIMAL = /^(-?)(\d{1,9})(?:\.(\d{1,4}))?$/;
/** Percents have at most four fraction digits; 100 % is one million steps. */
const PERCENT_STEPS = 10_000;

/** '12.5' -> 125000. Undefined unless it is a plain decimal of at most 9 integer and 4 fraction digits (console §5). */
export function parseMoney(text: string): Money | undefined {
  const parts = DECIMAL.exec(text);
  if (!parts) return undefined;
  const amount = Number(parts[2]) * 10_000 + Number((parts[3] ?? '').padEnd(4, '0'));
  return parts[1] && amount ? -amount : amount;
}

/** What sums of the database come to; such a one may have more digits than an amount. Throws RangeError beyond exact arithmetic. */
export function parseSum(text: string): Money {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d{1,4}))?$/.exec(text) ?? [];
  const amount = checked(Number(whole) * 10_000 + Number(fraction.padEnd(4, '0')));
  return sign && amount ? -amount : amount;
}

/** A sum of the database of whatever size, as formatMoney writes amounts: '1500000000000.5000' -> '1500000000000.50'. */
export function tellSum(text: string): string {
  const [, whole, fraction = ''] = /^(-?\d+)(?:\.(\d{1,4}))?/.exec(text) ?? [];
  if (whole === undefined) throw new RangeError('No sum of money.');
  return `${whole}.${fraction.padEnd(4, '0').replace(/0{1,2}$/, '')}`;
}

/** 125000 -> '12.50': at least two, at most four fraction digits. */
export function formatMoney(amount: Money): string {
  const digits = Math.abs(amount).toString().padStart(5, '0');
  const fraction = digits.slice(-4).replace(/0{1,2}$/, '');
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -4)}.${fraction}`;
}

/** Whether something from outside is a whole amount within bounds; NaN, fractions, texts and giants are not. */
export function isMoney(value: unknown): value is Money {
  return Number.isSafeInteger(value) && Math.abs(value as number) <= MONEY_MAX;
}

export function addMoney(...amounts: Money[]): Money {
  return checked(amounts.reduce((sum, amount) => sum + amount, 0));
}

/** Exact `percent` of an amount; percent is read to four decimals. */
export function percentOf(amount: Money, percent: number, rounding: Rounding): Money {
  const product = BigInt(amount) * BigInt(Math.round(percent * PERCENT_STEPS));
  return Number(divide(product, BigInt(100 * PERCENT_STEPS), rounding));
}

function divide(product: bigint, by: bigint, rounding: Rounding): bigint {
  const whole = product / by;
  const rest = product % by;
  if (rest === 0n || rounding === 'down') return whole;
  const away = product < 0n ? -1n : 1n;
  if (rounding === 'up') return whole + away;
  return rest * 2n * away >= by ? whole + away : whole;
}

/** Sums of many sales stay exact to nine thousand billion; beyond that the books are wrong and nobody may go on. */
function checked(amount: number): Money {
  if (!Number.isSafeInteger(amount)) throw new RangeError('A sum of money is beyond exact arithmetic.');
  return amount;
}
