/** Payments that processors report back: the call they make, and the report of them (console §2 "payment-processor-stats"). */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { moneyText, sumText } from './money.ts';
import { reportKey, reportQuery, rowQuery, spanView } from './report.ts';
import { isStorable } from './storable.ts';

export const paymentResult = z.enum(['approved', 'declined', 'refunded', 'chargeback']);
export type PaymentResult = z.infer<typeof paymentResult>;

/** Calls a minute of one processor. */
export const PAYMENT_CALLS_A_MINUTE = 600;
/** Payments of one call. */
export const MOST_PAYMENTS = 200;
/** What can be said of one transaction. */
export const MOST_REPORTS = 50;

/** Of a longer number, or one with decimals, the digits that came are not those that are read: two ids would be one. */
const isExact = (value: string | number): boolean => typeof value === 'string' || Number.isSafeInteger(value);

const word = (longest: number) =>
  z
    .union([z.string(), z.number()], 'must be a text')
    .refine(isExact, 'is a number that cannot be read to its last digit: send it as a text, in quotes')
    .transform(String)
    .pipe(z.string().trim().max(longest).refine(isStorable, 'holds a NUL character, or half of one that takes two'));

/** An empty parameter of a query or form is one that was left out. */
const optional = <Type extends z.ZodType>(type: Type) =>
  z.preprocess((value) => (value === null || (typeof value === 'string' && value.trim() === '') ? undefined : value), type.optional());

/** ISO 8601 with an offset, or seconds or milliseconds since 1970. Milliseconds since 1970. */
const instant = z
  .union([z.string(), z.number().transform(String)])
  .transform((text) => {
    if (/^\d{10}$/.test(text)) return Number(text) * 1000;
    if (/^\d{13}$/.test(text)) return Number(text);
    return z.iso.datetime({ offset: true }).safeParse(text).success ? Date.parse(text) : Number.NaN;
  })
  .refine(Number.isFinite, 'must be a time such as 2026-11-27T14:05:00Z, or seconds since 1970');

export const paymentCall = z.object({
  transactionId: word(200)
    .pipe(z.string().min(1, 'is required'))
    .describe('Your own id of the transaction: the same one again is the same payment.'),
  result: z
    .string('is required: approved, declined, refunded or chargeback')
    .transform((text) => text.trim().toLowerCase())
    .pipe(z.enum(paymentResult.options, 'must be approved, declined, refunded or chargeback')),
  reason: optional(word(1_000)).describe('Why it was declined, refunded or charged back, in your words; 120 characters of it are kept.'),
  amount: optional(
    z.union([z.string(), z.number().transform(String)]).pipe(
      z
        .string()
        .trim()
        .regex(/^\d{1,9}(\.\d{1,4})?$/, 'must be an amount such as 12.50'),
    ),
  ).describe('Of a refund or chargeback: what went back in all.'),
  currency: optional(
    z
      .string()
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{3}$/, 'must be a currency such as USD'),
  ).describe('Three letters; the organization’s own when left out.'),
  bin: optional(word(40)).describe('The first six to eight digits of the card number. Of a longer one no more than eight are read.'),
  leadId: optional(word(200)).describe('Our id of the lead, the buyer’s, or the value of any field that leads are found by.'),
  at: optional(instant).describe('When it happened: ISO 8601 with an offset, or seconds or milliseconds since 1970; now when left out.'),
});
export type PaymentCall = z.infer<typeof paymentCall>;

/** A payment, a list of them, or `{"payments": [...]}`; each is read by itself. */
export const paymentBody = z
  .union([z.array(z.unknown()), z.record(z.string(), z.unknown())])
  .describe('One payment, or many as {"payments": [...]}.');

export const takenPayment = z.object({
  transactionId: z.string(),
  /** taken: it is new, or says something new. same: it was said before, and changes nothing. refused: it cannot be read; `msg` says why. */
  outcome: z.enum(['taken', 'same', 'refused']),
  /** The lead it was joined to. */
  leadId: z.string().nullable(),
  msg: z.string(),
});
export type TakenPayment = z.infer<typeof takenPayment>;
export const paymentAnswer = z.object({
  status: z.literal(true),
  taken: z.number().int(),
  same: z.number().int(),
  refused: z.number().int(),
  /** In the order in which they came. */
  payments: z.array(takenPayment),
});
export type PaymentAnswer = z.infer<typeof paymentAnswer>;

/** The address that a processor reports to, below the origin of the console. */
export const paymentAddressAnswer = z.object({ status: z.literal(true), path: z.string() });
export const paymentAddressRenewed = paymentAddressAnswer.extend({ msg: z.string() });

const count = z.number().int();
export const paymentMeasures = z.object({
  attempts: count,
  /** Those that were refunded or charged back later too. */
  approved: count,
  declined: count,
  refunds: count,
  chargebacks: count,
  /** In the organization's currency alone. */
  approvedAmount: sumText,
  refundedAmount: sumText,
  chargedBackAmount: sumText,
});
export type PaymentMeasures = z.infer<typeof paymentMeasures>;

export const paymentDimension = z.enum([
  'processor',
  'move',
  'bin',
  'reason',
  'campaign',
  'publisher',
  'publisherTier',
  'buyer',
  'buyerTier',
]);
export type PaymentDimension = z.infer<typeof paymentDimension>;

const id = z.string().max(60).optional();
const narrowed = {
  /** Empty: payments of none, as they have no lead, or their lead no buyer. */
  ...{ campaignId: id, publisherId: id, publisherTierId: id, buyerId: id, buyerTierId: id },
  processorId: id,
  /** 0 to 4; 0 is no BIN. */
  move: z
    .string()
    .regex(/^[0-4]$/, 'must be 0 to 4')
    .optional(),
  /** Empty: without one. */
  bin: z
    .string()
    .regex(/^(\d{6,8})?$/, 'must be six to eight digits')
    .optional(),
  /** Why it was declined, to the letter; empty: it was not. */
  reason: z.string().max(120).optional(),
};
export const paymentReportQuery = reportQuery
  .pick({ region: true, vertical: true, timeZone: true, from: true, to: true, beforeFrom: true, beforeTo: true, unit: true })
  .extend({ ...narrowed, ...rowQuery, by: paymentDimension.default('processor') });
export const paymentReportDownload = paymentReportQuery.extend(csvForm.shape);

const point = z.object({ at: z.string(), now: paymentMeasures });
export const paymentReportAnswer = z.object({
  status: z.literal(true),
  asOf: z.string(),
  span: spanView,
  before: spanView,
  total: paymentMeasures,
  totalBefore: paymentMeasures,
  by: z.array(paymentDimension).length(1),
  /** In the order that was asked for, the first of them where there are many. `before` where it was asked for, also of what had something in that span alone. */
  rows: z.array(z.object({ keys: z.array(reportKey).length(1), now: paymentMeasures, before: paymentMeasures.optional() })),
  rowCount: count,
  series: z.array(point),
  seriesBefore: z.array(point),
  /** What was approved in other currencies, which no sum holds. */
  otherCurrencies: z.array(z.object({ currency: z.string(), approved: count, approvedAmount: sumText })),
  /** Whether the vertical has a processor, and whether one ever reported. */
  hasProcessors: z.boolean(),
  hasPayments: z.boolean(),
  processors: z.array(reportKey),
});
export type PaymentReportAnswer = z.infer<typeof paymentReportAnswer>;

export const PAYMENTS_SHOWN = 50;
export const paymentListQuery = paymentReportQuery.pick({ region: true, vertical: true, timeZone: true, from: true, to: true }).extend({
  ...narrowed,
  result: paymentResult.optional(),
  /** The processor's id of the transaction, to the letter, or our id of the lead; found in any span. */
  q: z.string().trim().min(1, 'is empty: leave it out').max(200).optional(),
  before: z.string().max(100).optional(),
});
export const paymentListDownload = paymentListQuery.omit({ before: true }).extend(csvForm.shape);
export const paymentView = z.object({
  _id: z.string(),
  transactionId: z.string(),
  processor: z.string(),
  attemptedAt: z.string(),
  result: paymentResult,
  amount: moneyText,
  refunded: moneyText.nullable(),
  chargedBack: moneyText.nullable(),
  currency: z.string(),
  reason: z.string(),
  bin: z.string(),
  move: count,
  leadId: z.string().nullable(),
  publisher: z.string(),
  buyer: z.string(),
  /** In the order in which they came; one that says the same again is none. */
  reports: z.array(
    z.object({
      result: paymentResult,
      amount: moneyText.nullable(),
      reason: z.string(),
      happenedAt: z.string().nullable(),
      receivedAt: z.string(),
    }),
  ),
});
export type PaymentView = z.infer<typeof paymentView>;
export const paymentListAnswer = z.object({
  status: z.literal(true),
  payments: z.array(paymentView),
  /** What to ask for as `before` to go on; null at the end. */
  older: z.string().nullable(),
  /** A page looks at so many payments and no more: how far back this one came, where it ended before its span did. */
  lookedTo: z.string().nullable(),
});
export type PaymentListAnswer = z.infer<typeof paymentListAnswer>;
