/** The server logs (design: page key 13): every call to a buyer, and every call of publishers, as they went over the wire. */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { attemptView, leadStatus } from './lead.ts';
import { moneyText } from './money.ts';

const instant = z.iso.datetime({ offset: true });
const id = z.string().max(60);

/** An HTTP status, or a class of them. */
const httpStatus = z.string().regex(/^[1-5](\d\d|xx)$/, 'must be a status such as 404, or a class such as 5xx');

const logFilters = z.object({
  region: z.string().max(60),
  vertical: z.string().max(60),
  /** A lead id, or the whole value of a searchable field of the consumer. */
  q: z.string().max(200).optional(),
  /** [from, to). */
  from: instant.optional(),
  to: instant.optional(),
  test: z.enum(['true', 'false']).optional(),
  /** A part of what went over the wire, as the log shows it: masked. In any case; blanks do not count. */
  text: z.string().trim().min(2, 'must be two characters at least').max(200).optional(),
});
const paging = {
  /** A cursor: what is older than this. */
  before: z.string().max(60).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
  /** Of all that is found, the one call of this id. */
  only: z.string().max(60).optional(),
};

/** How a call to a buyer ended. */
export const loggedOutcome = z.enum(['sold', 'rejected', 'terrors', 'timeouts', 'bid']);
export type LoggedOutcome = z.infer<typeof loggedOutcome>;

const attemptFilters = logFilters.extend({
  campaignId: id.optional(),
  publisherId: id.optional(),
  publisherTierId: id.optional(),
  buyerId: id.optional(),
  buyerTierId: id.optional(),
  /** The status of the buyer's answer; `none`: it did not answer. */
  http: z
    .string()
    .regex(/^([1-9](\d\d|xx)|none)$/, 'must be a status such as 404, a class such as 5xx, or none')
    .optional(),
  outcome: loggedOutcome.optional(),
  leg: z.enum(['ping', 'post']).optional(),
  /** A part of what the buyer gave as its reason, in any case. */
  reason: z.string().max(200).optional(),
  /** Calls that took at least so many ms. */
  tookMs: z.coerce.number().int().min(1).max(600_000).optional(),
});
export const attemptLogQuery = attemptFilters.extend(paging);
export type AttemptLogQuery = z.infer<typeof attemptLogQuery>;
export const attemptLogDownload = attemptFilters.extend(csvForm.shape);

/** One call to a buyer. Instants are ISO 8601 UTC, times are ms. */
export const attemptLogRow = z.object({
  /** The lead's id and the number of the call. */
  _id: z.string(),
  leadId: z.string(),
  startedAt: z.string(),
  buyerName: z.string(),
  buyerTierId: z.string(),
  buyerTierName: z.string(),
  publisherName: z.string(),
  publisherTierName: z.string(),
  leg: z.enum(['ping', 'post']),
  outcome: loggedOutcome,
  /** Of the buyer's HTTP answer; null when none came. */
  statusCode: z.number().nullable(),
  elapsedMs: z.number(),
  connectMs: z.number().nullable(),
  waitMs: z.number().nullable(),
  readMs: z.number().nullable(),
  bid: moneyText.nullable(),
  price: moneyText.nullable(),
  /** What the buyer said, masked. */
  reason: z.string(),
  test: z.boolean(),
});
export type AttemptLogRow = z.infer<typeof attemptLogRow>;

const page = {
  status: z.literal(true),
  /** Where the next page begins; null at the end. */
  older: z.string().nullable(),
  /** A search looks at so much and no more: how far back this one came, where it ended before its span did. */
  lookedTo: z.string().nullable(),
};
export const attemptLogAnswer = z.object({ ...page, rows: z.array(attemptLogRow) });
export type AttemptLogAnswer = z.infer<typeof attemptLogAnswer>;

export const attemptLogEntry = z.object({
  status: z.literal(true),
  attempt: attemptView,
  leadId: z.string(),
  leadStatus,
  /** Why the lead ended as it did. */
  why: z.string(),
  /** Whether who asks may see it unmasked. */
  mayUnmask: z.boolean(),
});
export type AttemptLogEntry = z.infer<typeof attemptLogEntry>;

/** What became of a publisher's call: of one that made a lead the lead's status, else refused, answered again, or a question after a lead. */
export const callEnd = z.enum([...leadStatus.options, 'refused', 'replayed', 'asked']);
export type CallEnd = z.infer<typeof callEnd>;
export const callKind = z.enum(['full', 'ping', 'post', 'status']);
export type CallKind = z.infer<typeof callKind>;

const callFilters = logFilters.extend({
  /** Of a call that made no lead, the campaign that its tier has now. */
  campaignId: id.optional(),
  publisherId: id.optional(),
  publisherTierId: id.optional(),
  end: callEnd.optional(),
  call: callKind.optional(),
  /** The internal reason of the lead that the call made. */
  reason: z.string().max(80).optional(),
  /** The code of our answer to a call that was refused. */
  code: z
    .string()
    .regex(/^[a-z_]{1,60}$/)
    .optional(),
  /** The HTTP status of our answer to a call that was refused. */
  http: httpStatus.optional(),
});
export const callLogQuery = callFilters.extend(paging);
export type CallLogQuery = z.infer<typeof callLogQuery>;
export const callLogDownload = callFilters.extend(csvForm.shape);

export const callLogRow = z.object({
  _id: z.string(),
  at: z.string(),
  /** First characters of the key it came with; null where that was not kept yet. */
  keyPrefix: z.string().nullable(),
  publisherName: z.string(),
  publisherTierName: z.string(),
  call: callKind,
  method: z.string(),
  path: z.string(),
  end: callEnd,
  /** Of our answer; null while the lead is under way. */
  statusCode: z.number().nullable(),
  code: z.string().nullable(),
  /** Why a lead was not sold, or a call refused, in words. */
  reasonLabel: z.string().nullable(),
  elapsedMs: z.number(),
  leadId: z.string().nullable(),
  /** So many calls like this one came in the same ten seconds and are not kept one by one. */
  more: z.number().int(),
  test: z.boolean(),
});
export type CallLogRow = z.infer<typeof callLogRow>;
export const callLogAnswer = z.object({ ...page, rows: z.array(callLogRow) });
export type CallLogAnswer = z.infer<typeof callLogAnswer>;

export const callLogEntry = z.object({
  status: z.literal(true),
  contentType: z.string(),
  /** Address of the caller. */
  ip: z.string(),
  body: z.string(),
  answer: z.string(),
  mayUnmask: z.boolean(),
});
export type CallLogEntry = z.infer<typeof callLogEntry>;

/** Why somebody looks at a person's values; it stands in the change log. */
export const unmaskBody = z.strictObject({ reason: z.string().trim().min(3).max(200) });
