/** Trying an endpoint while it is written: what would be sent, what an answer would mean, and one real test call. */
import { z } from 'zod';
import { hopView } from './hop.ts';
import { moneyText } from './money.ts';

const answered = z.enum(['ping', 'post']);
/** Beside those whose answer is read: the loss notice. */
const leg = z.enum(['ping', 'post', 'lost']);
/** Values of a lead as a publisher would send them. */
const lead = z.record(z.string().max(63), z.string().max(5000));
const wireRequest = z.object({
  method: z.string(),
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
});
const warning = z.object({ code: z.string(), at: z.string().nullable() });

/** `endpoint` is checked like a stored one; secrets stand in the preview as stars. */
export const previewBody = z.strictObject({ verticalId: z.string().max(60), endpoint: z.unknown(), leg, lead });
export const previewAnswer = z.object({ status: z.literal(true), request: wireRequest, warnings: z.array(warning) });
export type PreviewAnswer = z.infer<typeof previewAnswer>;

export const readAnswerBody = z.strictObject({
  endpoint: z.unknown(),
  leg: answered,
  statusCode: z.int().min(100).max(599).default(200),
  headers: z.record(z.string().max(100), z.string().max(4000)).default({}),
  body: z.string().max(500_000),
});
export const reading = z.object({
  outcome: z.string(),
  price: moneyText.nullable(),
  reasons: z.array(z.string()),
  redirectUrl: z.string().nullable(),
  expiresAt: z.string().nullable(),
  captures: z.record(z.string(), z.string()),
  /** What the body was read as, and which outcome rule decided (from 1); null for the otherwise. */
  readAs: z.string().nullable(),
  rule: z.int().nullable(),
  warnings: z.array(warning),
});
export type Reading = z.infer<typeof reading>;
export const readAnswerAnswer = z.object({ status: z.literal(true), reading });

/**
 * Whose stored secrets are used, those of a buyer tier or of a third-party service; without either there are none. `secrets` are written
 * for this call only, and stand before stored ones; those are not sent to an origin that the stored endpoint does not have.
 */
export const testCallBody = z.strictObject({
  verticalId: z.string().max(60),
  tierId: z.string().max(60).nullable().default(null),
  serviceId: z.string().max(60).nullable().default(null),
  endpoint: z.unknown(),
  secrets: z.record(z.string().regex(/^[A-Za-z_]\w{0,63}$/), z.string().max(4000)).default({}),
  leg,
  lead,
  /** The tier's own, so that the trial is as patient as a lead. */
  timeLimitMs: z.int().min(50).max(300_000).default(10_000),
});
export const testCallAnswer = z.object({
  status: z.literal(true),
  request: wireRequest,
  response: z.object({ statusCode: z.int(), headers: z.record(z.string(), z.string()), body: z.string() }).nullable(),
  /** Why the call was tried twice. */
  firstTry: z.string().nullable(),
  /** Redirects that were followed. */
  hops: z.array(hopView),
  /** Why there is no answer. */
  failure: z.string().nullable(),
  elapsedMs: z.number(),
  timeLimitMs: z.int(),
  /** No answer within the time limit. */
  isTimedOut: z.boolean(),
  reading: reading.nullable(),
});
export type TestCallAnswer = z.infer<typeof testCallAnswer>;
