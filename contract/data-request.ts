/** Data-subject requests (design: page key 6): what is held of one consumer, who saw which field of it, handed out or erased. */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { leadRow } from './lead.ts';

/** A lead id, or the whole value of a searchable field in any spelling. It travels in a body: addresses are logged by proxies. */
const q = z.string().trim().min(1).max(200);
const reason = z.string().trim().min(3).max(200);

export const REQUEST_PAGE = 25;
export const EXPORT_MOST = 1_000;
/** Refused calls that a search shows. */
export const CALLS_SHOWN = 50;
/** What has to be typed before anything is erased. */
export const ERASE_WORD = 'ERASE';

export const findPersonBody = z.strictObject({
  q,
  /** A cursor: leads before this one. */
  before: z.string().max(60).optional(),
});

export const seenBy = z.object({
  /** 'Northgate Loans, Northgate $30'. */
  who: z.string(),
  what: z.enum(['ping', 'post', 'lost', 'check']),
  at: z.string(),
  /** The fields whose values were sent, by the names people know, and by their own, in the same order: two may be called the same. */
  fields: z.array(z.string()),
  fieldNames: z.array(z.string()),
});
export type SeenBy = z.infer<typeof seenBy>;

const keptField = z.object({ fieldName: z.string(), label: z.string(), value: z.string() });

export const heldLead = z.object({
  lead: leadRow,
  verticalName: z.string(),
  regionSlug: z.string(),
  verticalSlug: z.string(),
  /** Masked. */
  fields: z.array(keptField),
  seenBy: z.array(seenBy),
  /** What of it is kept beside the lead itself; null where some of it was damaged: then neither that, nor its fields, nor who saw them can be told. */
  held: z
    .object({ attempts: z.int(), checks: z.int(), lateAnswers: z.int(), notices: z.int(), calls: z.int(), link: z.boolean() })
    .nullable(),
  erasedAt: z.string().nullable(),
});
export type HeldLead = z.infer<typeof heldLead>;

/** A sample lead of the testing lab that holds the person; values are masked. */
export const heldSample = z.object({ _id: z.string(), name: z.string(), verticalName: z.string(), fields: z.array(keptField) });
export type HeldSample = z.infer<typeof heldSample>;

/** A call that made no lead and holds the person, with the code of its refusal; values are masked, none where the body cannot be read. */
export const heldCall = z.object({
  _id: z.string(),
  at: z.string(),
  publisherName: z.string(),
  publisherTierName: z.string(),
  verticalName: z.string(),
  code: z.string(),
  fields: z.array(keptField),
});
export type HeldCall = z.infer<typeof heldCall>;

/** `searchedTo`: how far back calls were looked through, where that is not all of them; erasing looks through all. ISO 8601. */
export const heldBeside = z.object({ samples: z.array(heldSample), calls: z.array(heldCall), searchedTo: z.string().nullable() });
export type HeldBeside = z.infer<typeof heldBeside>;

export const findPersonAnswer = z.object({
  status: z.literal(true),
  leads: z.array(heldLead),
  /** Of all pages, counted up to 1,000. */
  total: z.int(),
  older: z.string().nullable(),
  /** With the first page; null with others. */
  beside: heldBeside.nullable(),
  /** Since when this person is erased and refused; null where they are not. */
  refusedSince: z.string().nullable(),
});
export type FindPersonAnswer = z.infer<typeof findPersonAnswer>;

export const exportPersonBody = z.strictObject({ q, reason, format: z.enum(['json', 'csv']) });
export type ExportPersonBody = z.infer<typeof exportPersonBody>;
/** The same as CSV, sent by a hidden form: in its body, and never in an address. */
export const exportPersonForm = csvForm.omit({ columns: true }).extend({ q, reason });
export const erasePersonBody = z.strictObject({
  q,
  reason,
  confirm: z.literal(ERASE_WORD),
  /** The person's new leads are taken as before; else they are refused from now on, and nothing of them is kept. */
  mayComeAgain: z.boolean().default(false),
});
export const acceptAgainBody = z.strictObject({ q, reason });
export const acceptAgainAnswer = z.object({ status: z.literal(true), msg: z.string() });
export type AcceptAgainAnswer = z.infer<typeof acceptAgainAnswer>;
export const erasePersonAnswer = z.object({ status: z.literal(true), jobId: z.string(), msg: z.string() });
export type ErasePersonAnswer = z.infer<typeof erasePersonAnswer>;
