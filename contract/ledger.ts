/** The books: what was entered for whom, and what it comes to. An amount is what the party's account gains by it. */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { moneyText, sumText } from './money.ts';
import { reportingTimeZone } from './organization.ts';

export const partyKind = z.enum(['buyer', 'publisher', 'house']);
export type PartyKind = z.infer<typeof partyKind>;
/** Who has a page, and statements. */
export const accountKind = partyKind.extract(['buyer', 'publisher']);
export type AccountKind = z.infer<typeof accountKind>;

/**
 * revenue: a buyer bought (its account falls). payout: a publisher earned. margin: the rest, for the house. return: a sale was given back.
 * adjustment: by hand, between a party and the house. payment: by hand, money that came in (+) or went out (-).
 */
export const entryKind = z.enum(['revenue', 'payout', 'margin', 'return', 'adjustment', 'payment']);
export type EntryKind = z.infer<typeof entryKind>;

const account = { partyKind: accountKind, partyId: z.string().max(60) };

/** POST /api/console/ledger/entries */
export const newEntryBody = z.strictObject({
  ...account,
  /** Made by who asks, once for what is meant once: the same again enters nothing, and is answered alike. */
  key: z.uuid().optional(),
  kind: entryKind.extract(['payment', 'adjustment']),
  /** What the account gains: a buyer's payment is more than nothing, a payment to a publisher less. */
  amount: z
    .string()
    .regex(/^-?\d{1,9}(\.\d{1,4})?$/, 'must be an amount such as 12.50')
    .refine((text) => Number(text) !== 0, 'must not be nothing'),
  note: z.string().trim().min(1, 'says what it is for').max(500),
});

/** GET /api/console/ledger/account: what a company's account stands at. */
export const accountQuery = z.object(account);
export const accountAnswer = z.object({
  status: z.literal(true),
  currency: z.string(),
  balance: sumText,
  /** Of a buyer with a limit: what posts under way may still cost it, and what is left to spend. */
  reserved: sumText.nullable(),
  left: sumText.nullable(),
});
export type AccountAnswer = z.infer<typeof accountAnswer>;
export const entryAddedAnswer = accountAnswer.extend({ msg: z.string() });

/** How long after its end a month may still change: a sale is entered at the time it was decided, and stored up to ten minutes later. */
export const PROVISIONAL_FOR_MS = 15 * 60_000;

/** "2026-11" */
export const monthText = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'must be a month such as 2026-11');

/** GET /api/console/ledger/statement: a company's account over a month of the reporting time zone. */
export const statementQuery = accountQuery.extend({ month: monthText, timeZone: reportingTimeZone.default('UTC') });
export const statementAnswer = z.object({
  status: z.literal(true),
  partyName: z.string(),
  organizationName: z.string(),
  currency: z.string(),
  month: z.string(),
  /** Sales of its last minutes may still be on their way into the books. */
  isProvisional: z.boolean(),
  /** [from, to): ISO instants at which the month begins and ends in the zone. */
  from: z.string(),
  to: z.string(),
  opening: sumText,
  closing: sumText,
  /** Sales and returns by tier. */
  groups: z.array(
    z.object({
      kind: entryKind.extract(['revenue', 'payout', 'return']),
      tierId: z.string(),
      tierName: z.string(),
      count: z.number().int(),
      amount: sumText,
    }),
  ),
  /** Payments and adjustments, each by itself, in order of time. */
  entries: z.array(
    z.object({
      _id: z.string(),
      at: z.string(),
      kind: entryKind.extract(['payment', 'adjustment']),
      amount: moneyText,
      note: z.string(),
      userName: z.string().nullable(),
    }),
  ),
});
export type StatementAnswer = z.infer<typeof statementAnswer>;

/** The same, every entry by itself, as CSV. */
export const statementDownload = statementQuery.omit({ timeZone: true }).extend(csvForm.shape);
