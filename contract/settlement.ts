/** Leads of which nobody knows whether the buyer has them, and answers that came too late: what is known, and how they are settled. */
import { z } from 'zod';
import { buyerReference } from './buyer-reference.ts';
import { moneyText, sumText } from './money.ts';
import { storable } from './storable.ts';

export const settlementOutcome = z.enum(['bought', 'notBought']);
export type SettlementOutcome = z.infer<typeof settlementOutcome>;

/** `buyerTierId`: those of one buyer tier; of one that is not there are none. */
export const toSettleQuery = z.object({
  region: z.string().max(60),
  vertical: z.string().max(60),
  buyerTierId: z.string().max(60).optional(),
});

export const TO_SETTLE_MOST = 200;

/** A price so many times what is known of it is asked again before it is said. */
const FAR_ABOVE_KNOWN = 10;

/** Decimals; false where nothing is known of the price. */
export const isFarAboveKnown = (price: string, known: string | null): boolean =>
  known !== null && Number(known) > 0 && Number(price) > FAR_ABOVE_KNOWN * Number(known);

export const toSettleItem = z.object({
  leadId: z.string(),
  buyerTierId: z.string(),
  buyerName: z.string(),
  buyerTierName: z.string(),
  publisherName: z.string(),
  publisherTierName: z.string(),
  test: z.boolean(),
  /** held: the lead waits for this. late: the buyer accepted after its time, and the lead went on without it. */
  kind: z.enum(['held', 'late']),
  receivedAt: z.string(),
  /** Since when it is uncertain. */
  since: z.string(),
  /** What the buyer answered, as far as it was heard: accepted, pending, timeout, error, unknown (our node died). */
  answer: z.string(),
  /** The whole of it, in words. */
  text: z.string(),
  /** Why what the buyer said later, that it bought, could not be taken. */
  refused: z.string().nullable(),
  /** What the buyer would pay, as far as is known. */
  price: moneyText.nullable(),
  /** When a pending sale is taken for none. */
  expiresAt: z.string().nullable(),
  /** Of other sales of this lead. */
  soldTo: z.array(z.string()),
});
export type ToSettleItem = z.infer<typeof toSettleItem>;
/** `total` counts them all, `items` has the oldest; `maySettle`: who asks may also say what became of them. */
export const toSettleAnswer = z.object({
  status: z.literal(true),
  total: z.number().int(),
  maySettle: z.boolean(),
  items: z.array(toSettleItem),
});
export type ToSettleAnswer = z.infer<typeof toSettleAnswer>;

const settledSale = z.strictObject({
  leadId: z.string().max(60),
  buyerTierId: z.string().max(60),
  /** What the buyer pays; needed where it bought. */
  price: z
    .string()
    .regex(/^\d{1,9}(\.\d{1,4})?$/, 'must be an amount such as 12.50')
    .optional(),
});
const settled = <Lead extends typeof settledSale>(lead: Lead) =>
  z
    .array(lead)
    .min(1)
    .max(TO_SETTLE_MOST)
    .refine(
      (leads) => new Set(leads.map(({ leadId, buyerTierId }) => `${leadId} ${buyerTierId}`)).size === leads.length,
      'must name each lead at each buyer tier once',
    );

/** POST /api/console/settlements: one or many, each settled by itself. `payout`: what was quoted; at any other the lead is left open. */
export const settleBody = z.strictObject({
  leads: settled(settledSale.extend({ outcome: settlementOutcome, payout: moneyText.optional() })),
});

/** POST /api/console/settlements/quote: what it would come to if these were bought, one after the other; nothing is settled. */
export const quoteBody = z.strictObject({ leads: settled(settledSale) });
export const quoteAnswer = z.object({
  status: z.literal(true),
  /** What the buyers would be billed, and what publishers would be paid of it, promotions that have room included. */
  revenue: sumText,
  payout: sumText,
  /** How many of the leads are sold already, so that this would be one more sale of each. */
  soldBefore: z.number().int(),
  /** Each by itself, in the order they were asked; what cannot be settled says why and counts in no sum. */
  leads: z.array(
    z.object({ leadId: z.string(), buyerTierId: z.string(), payout: moneyText.nullable(), code: z.string().nullable(), msg: z.string() }),
  ),
});
export type QuoteAnswer = z.infer<typeof quoteAnswer>;
export const settledLine = z.object({
  leadId: z.string(),
  buyerTierId: z.string(),
  isSettled: z.boolean(),
  code: z.string().nullable(),
  msg: z.string(),
});
export const settleAnswer = z.object({ status: z.literal(true), msg: z.string(), settled: z.number().int(), leads: z.array(settledLine) });
export type SettleAnswer = z.infer<typeof settleAnswer>;

/** Postbacks a minute of one buyer tier. */
export const POSTBACKS_A_MINUTE = 600;

/** GET or POST /api/v1/postback/{token}: a buyer that answered "pending" says what it decided. */
export const postbackCall = z
  .object({
    leadId: storable(z.string().max(60)).optional().describe('Our id of the lead.'),
    reference: buyerReference.optional().describe('Your own id of the lead, as you answered it to the post.'),
    outcome: z.enum(['sold', 'rejected']),
    price: z
      .union([z.string(), z.number().transform(String)])
      .pipe(z.string().regex(/^\d{1,9}(\.\d{1,4})?$/, 'must be an amount such as 12.50'))
      .optional()
      .describe('What you pay for it, as a text or a number; the agreed price when left out.'),
  })
  .refine((call) => (call.leadId === undefined) !== (call.reference === undefined), { message: 'name the lead by leadId or by reference' });
export const postbackAnswer = z.object({
  status: z.literal(true),
  leadId: z.string(),
  outcome: z.enum(['sold', 'rejected']),
  price: moneyText.nullable(),
});

/** The address of a buyer tier's postbacks, below the origin of the console. */
export const postbackAddressAnswer = z.object({ status: z.literal(true), path: z.string() });
export const postbackRenewedAnswer = postbackAddressAnswer.extend({ msg: z.string() });
