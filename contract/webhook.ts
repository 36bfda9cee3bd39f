/** Webhooks: an organization's own systems are told what becomes of its leads (docs/webhooks.md). */
import { z } from 'zod';
import { csvForm } from './csv.ts';

export const WEBHOOK_EVENTS = ['lead.sold', 'lead.notSold', 'lead.held', 'lead.settled', 'lead.returned'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const webhookUrl = z
  .string()
  .max(2000)
  .refine((text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' && !/[\s\p{Cc}]/u.test(text);
  }, 'must be an address that begins with https:// or http://, without a name or password in it');

export const webhookEvents = z
  .array(z.enum(WEBHOOK_EVENTS))
  .min(1, 'must name at least one event')
  .refine((events) => new Set(events).size === events.length, 'must name each event once');

export const webhookParams = z.object({ id: z.uuid() });
export const webhookSecret = z.object({ status: z.literal(true), secret: z.string() });
/** `msg` says what holds from now on. */
export const webhookRenewed = webhookSecret.extend({ msg: z.string() });
export const webhookToldAgain = z.object({ status: z.literal(true), msg: z.string() });

export const WEBHOOK_CALLS_SHOWN = 50;

export const webhookCall = z.object({
  _id: z.string(),
  event: z.string(),
  leadId: z.string(),
  madeAt: z.string(),
  /** due: it is tried (again); told: it was taken, with a code of 2xx; failed: it is tried no more. */
  state: z.enum(['due', 'told', 'failed']),
  tries: z.int(),
  lastAt: z.string().nullable(),
  /** When it is tried next; null where it is not. */
  nextAt: z.string().nullable(),
  statusCode: z.int().nullable(),
  failure: z.string().nullable(),
  elapsedMs: z.number().nullable(),
});
export type WebhookCallView = z.infer<typeof webhookCall>;

export const webhookCallsQuery = z.object({ before: z.uuid().optional() });
/** A hidden form that asks for all calls of a webhook. */
export const webhookCallsDownload = csvForm.extend({ webhookId: z.uuid() });
/** Newest first; `older` is where the next page begins. */
export const webhookCallsAnswer = z.object({ status: z.literal(true), calls: z.array(webhookCall), older: z.string().nullable() });
export type WebhookCallsAnswer = z.infer<typeof webhookCallsAnswer>;

export const webhookCallParams = z.object({ id: z.uuid(), callId: z.uuid() });

/** What the other side said to a call of a test. */
export const webhookTrial = z.object({
  status: z.literal(true),
  taken: z.boolean(),
  statusCode: z.int().nullable(),
  failure: z.string().nullable(),
  elapsedMs: z.number(),
});
export type WebhookTrial = z.infer<typeof webhookTrial>;
