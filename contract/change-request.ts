/** What a portal's member asks to have changed: it waits for somebody who sets up. */
import { z } from 'zod';
import type { PortalKind } from './portal.ts';
import { TEXT_LIMIT } from './tier.ts';

/** What may be asked for, by side, model and field. Prices are those of a fixed price; returns go by a call of their own. */
export const ASKABLE: Record<PortalKind, Record<string, readonly string[]>> = {
  buyer: {
    buyer: ['caps'],
    buyerTier: ['status', 'caps', 'hours', 'pauseDates', 'price'],
    contact: ['firstName', 'lastName', 'job', 'email', 'phone'],
  },
  publisher: {
    publisherTier: ['status', 'caps', 'pauseDates', 'ipAllow'],
    contact: ['firstName', 'lastName', 'job', 'email', 'phone'],
  },
};

export const requestModel = z.enum(['buyer', 'buyerTier', 'publisherTier', 'contact', 'leadReturn']);
export const requestStatus = z.enum(['open', 'approved', 'declined', 'withdrawn']);
export type RequestStatus = z.infer<typeof requestStatus>;
const word = z.string().trim().max(TEXT_LIMIT);

/** POST /api/console/portal/requests. `data`: values by field, as the generic data calls take them. */
export const askBody = z.strictObject({
  model: requestModel.exclude(['leadReturn']),
  _id: z.string().max(60),
  data: z.record(z.string().max(60), z.unknown()),
  note: word.default(''),
});

const values = z.record(z.string(), z.unknown());
export const portalRequest = z.object({
  _id: z.string(),
  at: z.string(),
  model: requestModel,
  /** A record of the company's own, or a lead. */
  recordId: z.string(),
  recordName: z.string(),
  before: values,
  after: values,
  note: z.string(),
  status: requestStatus,
  askedBy: z.string(),
  decidedAt: z.string().nullable(),
  answer: z.string(),
});
export type PortalRequest = z.infer<typeof portalRequest>;

export const REQUESTS_ON_A_PAGE = 50;
export const portalRequestsQuery = z.object({ page: z.coerce.number().int().min(1).max(1000).default(1) });
export const portalRequestsAnswer = z.object({ status: z.literal(true), rows: z.array(portalRequest), total: z.number().int() });
export type PortalRequestsAnswer = z.infer<typeof portalRequestsAnswer>;
export const askedAnswer = z.object({ status: z.literal(true), msg: z.string(), request: portalRequest });

/** What who decides is shown. */
export const changeRequest = portalRequest.extend({
  company: z.object({ kind: z.enum(['buyer', 'publisher']), _id: z.string(), name: z.string() }),
  decidedBy: z.string().nullable(),
  /** The asked fields as they are now; of a return nothing. */
  current: values,
  /** What is asked about was changed after it was asked. */
  isStale: z.boolean(),
  /** Of the record as it is now, to be sent back with an approval; null of a return. */
  version: z.number().int().nullable(),
  /** Why who asks cannot decide this one; '' where they can. */
  whyNot: z.string(),
});
export type ChangeRequest = z.infer<typeof changeRequest>;
export const changeRequestsQuery = portalRequestsQuery.extend({ which: z.enum(['open', 'decided']).default('open') });
export const changeRequestsAnswer = z.object({
  status: z.literal(true),
  rows: z.array(changeRequest),
  total: z.number().int(),
});
export type ChangeRequestsAnswer = z.infer<typeof changeRequestsAnswer>;
export const requestCountAnswer = z.object({ status: z.literal(true), open: z.number().int() });

/** `isConfirmed`: although what it is about was changed since. */
export const approveBody = z.strictObject({
  version: z.int().min(1).nullable(),
  isConfirmed: z.boolean().default(false),
  answer: word.default(''),
});
export const declineBody = z.strictObject({ answer: word.min(1, 'says why not') });
export const requestDecidedAnswer = z.object({ status: z.literal(true), msg: z.string() });
