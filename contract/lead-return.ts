/** Returns: a buyer gives back a lead it bought, with a reason, within its days; the sale itself stays as it was. */
import { z } from 'zod';
import { buyerReference } from './buyer-reference.ts';
import { moneyText, sumText } from './money.ts';
import { storable } from './storable.ts';

const reason = storable(z.string().trim().min(1, 'is required').max(100));
export const RETURN_NOTE_MOST = 500;
const note = storable(z.string().trim().max(RETURN_NOTE_MOST)).default('');
/** Left out: the whole price. */
const amount = z
  .string()
  .regex(/^\d{1,9}(\.\d{1,4})?$/, 'must be an amount such as 12.50')
  .optional();

/** What an organization takes as a reason: one a line, no two alike. */
export const returnReasons = z
  .array(z.string().trim().min(1, 'must not be empty').max(100))
  .min(1, 'needs at least one reason')
  .max(30, 'has at most 30 reasons')
  .refine((all) => new Set(all.map((one) => one.toLowerCase())).size === all.length, 'must not hold a reason twice');

/** POST /api/console/leads/{id}/return */
export const returnBody = z.strictObject({ saleIndex: z.int().min(0).max(19), reason, note, amount });

export const returnView = z.object({
  reason: z.string(),
  note: z.string(),
  /** What the buyer got back, what the publisher gave back, and what the house bears. */
  revenue: sumText,
  payout: sumText,
  margin: sumText,
  via: z.enum(['console', 'csv', 'api', 'portal']),
  userName: z.string().nullable(),
  returnedAt: z.string(),
});
export type ReturnView = z.infer<typeof returnView>;
export const returnedAnswer = z.object({ status: z.literal(true), msg: z.string(), returned: returnView });

export const RETURN_LINES_MOST = 1000;

/** POST /api/console/returns: a buyer's file. Each line stands for itself, and is told what became of it. */
export const returnFileBody = z.strictObject({
  region: z.string().max(60),
  vertical: z.string().max(60),
  buyerId: z.string().max(60),
  /** CSV with a header: lead (our lead id or the buyer's reference), reason, and maybe amount and note. */
  text: z.string().min(1).max(500_000),
});
export const returnLine = z.object({
  /** As an editor counts them; the header is line 1. */
  line: z.number().int(),
  lead: z.string(),
  leadId: z.string().nullable(),
  isReturned: z.boolean(),
  /** The code of a refusal; null when returned. */
  code: z.string().nullable(),
  msg: z.string(),
  revenue: moneyText.nullable(),
});
export type ReturnLine = z.infer<typeof returnLine>;
export const returnFileAnswer = z.object({
  status: z.literal(true),
  msg: z.string(),
  returned: z.number().int(),
  lines: z.array(returnLine),
});

/** POST /api/v1/returns, with the buyer's return key. */
export const returnCall = z
  .strictObject({
    leadId: storable(z.string().max(60)).optional().describe('Our id of the lead.'),
    reference: buyerReference.optional().describe('Your own id of the lead, as you answered it when you bought.'),
    reason: reason.describe('One of the reasons that are agreed on; a refusal lists them.'),
    amount: amount.describe('What to give back, up to the price; the whole price when left out.'),
    note,
  })
  .refine((call) => (call.leadId === undefined) !== (call.reference === undefined), { message: 'name the lead by leadId or by reference' });
export const returnCallAnswer = z.object({
  status: z.literal(true),
  leadId: z.string(),
  reason: z.string(),
  amount: moneyText,
  currency: z.string(),
  returnedAt: z.string(),
});
