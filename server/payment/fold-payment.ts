/** What all that a processor said of one transaction comes to. */
import type { PaymentResult } from '#contract/payment.ts';
import type { Instant, Money } from '#engine/plan.ts';

export interface Reported {
  result: PaymentResult;
  /** Undefined where nothing was said of it. */
  amount: Money | undefined;
  /** Undefined where none was said: the payment's. */
  currency: string | undefined;
  reason: string;
  /** As the processor says, where it does. */
  happenedAt: Instant | undefined;
  receivedAt: Instant;
}

export interface FoldedPayment {
  result: PaymentResult;
  attemptedAt: Instant;
  amount: Money;
  currency: string;
  /** Undefined: nothing was given back, nothing was charged back. */
  refunded: Money | undefined;
  chargedBack: Money | undefined;
  /** Why it was declined; empty where it was not. */
  reason: string;
}

export const NO_REASON = 'No reason given';

/** When it is taken to have happened: as the processor says, else when it came. */
const timeOf = ({ happenedAt, receivedAt }: Reported): Instant => happenedAt ?? receivedAt;
const isAttempt = ({ result }: Reported): boolean => result === 'approved' || result === 'declined';

/**
 * In the order in which they happened, those of one instant as they came: the last approval or decline stands, and of what went back the last
 * that was said of it since. A refund or chargeback of which no approval was heard implies one. The currency is that of the attempt that stands, of
 * `known` where it names none; what went back in another one is all of it, since amounts of two currencies are no sum. `reports` holds at least one.
 */
export function foldPayment(reports: readonly Reported[], known: string): FoldedPayment {
  const inOrder = reports.toSorted((a, b) => timeOf(a) - timeOf(b));
  const attemptAt = inOrder.findLastIndex(isAttempt);
  const attempt = inOrder[attemptAt];
  const since = inOrder.slice(attemptAt + 1);
  const refund = since.findLast(({ result }) => result === 'refunded');
  const chargeback = since.findLast(({ result }) => result === 'chargeback');
  const isDeclined = attempt?.result === 'declined' && since.length === 0;
  // What was approved, however it was declined before or since.
  const approval = inOrder.findLast(({ result, amount }) => result === 'approved' && amount !== undefined);
  const currency = attempt ? (attempt.currency ?? known) : (since.findLast((one) => one.currency !== undefined)?.currency ?? known);
  const partOf = (back: Reported | undefined) => ((back?.currency ?? currency) === currency ? back?.amount : undefined);
  const stated = attempt?.amount ?? approval?.amount ?? Math.max(refund?.amount ?? 0, chargeback?.amount ?? 0);
  return {
    result: inOrder.at(-1)!.result,
    attemptedAt: timeOf(inOrder.find(isAttempt) ?? inOrder[0]!),
    ...{ amount: stated, currency },
    // One that names no amount gave all of it back.
    refunded: refund && (partOf(refund) ?? stated),
    chargedBack: chargeback && (partOf(chargeback) ?? stated),
    reason: isDeclined ? attempt.reason || NO_REASON : '',
  };
}

/** Whether it says what was said before: with the same time, or with none on either side. */
export const isSame = (a: Reported, b: Reported): boolean =>
  a.result === b.result && a.amount === b.amount && a.currency === b.currency && a.reason === b.reason && a.happenedAt === b.happenedAt;
