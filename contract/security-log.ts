/** Who signed in, how, from where and what came of it, and what was refused to whom (decision 0044). */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { SECURITY_FACTORS, SECURITY_KINDS, SECURITY_OUTCOMES } from './security-words.ts';

export const securityKind = z.enum(SECURITY_KINDS);
export const securityOutcome = z.enum(SECURITY_OUTCOMES);
export const securityFactors = z.enum(SECURITY_FACTORS);

const instant = z.iso.datetime({ offset: true });
const securityLogFilters = z.object({
  userId: z.string().max(60).optional(),
  kind: securityKind.optional(),
  /** `not-done`: whatever did not go well. */
  outcome: z.union([securityOutcome, z.literal('not-done')]).optional(),
  /** Included; `to` is the first instant after the span. */
  from: instant.optional(),
  to: instant.optional(),
});

export const securityLogQuery = securityLogFilters.extend({
  /** A cursor: lines before this one. */
  before: z.string().max(60).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** All that the filters find as a file, asked for by a hidden form. */
export const securityLogDownload = securityLogFilters.extend(csvForm.shape);

/** Whom the log can be narrowed to: everybody who is or was on the team. */
export const securityLogChoices = z.object({
  status: z.literal(true),
  people: z.array(z.object({ _id: z.string(), name: z.string() })),
});
export type SecurityLogChoices = z.infer<typeof securityLogChoices>;

export const securityLineView = z.object({
  _id: z.string(),
  at: z.string(),
  /** Null where a link named nobody that is known. */
  userId: z.string().nullable(),
  userName: z.string(),
  /** Who did it, where that was somebody else. */
  byName: z.string().nullable(),
  kind: securityKind,
  outcome: securityOutcome,
  factors: securityFactors,
  network: z.string(),
  device: z.string(),
  /** The call: 'POST /api/v1/common/update', without what somebody typed. */
  call: z.string(),
  statusCode: z.number(),
  /** Of a refusal; '' of everything else. */
  code: z.string(),
  /** What of a refused call was missing; null where the code says it. */
  missing: z.string().nullable(),
  /** How many just like it came in the same minute. */
  more: z.number(),
});
export type SecurityLineView = z.infer<typeof securityLineView>;

export const securityLogAnswer = z.object({
  status: z.literal(true),
  lines: z.array(securityLineView),
  /** Where the next page begins; null at the end. */
  older: z.string().nullable(),
  /** How far back a search came that is not through. ISO 8601. */
  lookedTo: z.string().nullable(),
});
export type SecurityLogAnswer = z.infer<typeof securityLogAnswer>;
