/** Third-party services: how one is asked about a lead, and how a tier asks it (P2C, third-party validation). */
import { z } from 'zod';
import { checkEndpoint } from './endpoint.check.ts';
import { legConfig } from './endpoint.ts';
import { preCheck } from './pre-check.ts';

/**
 * One call, made of what a buyer's post is made of, or a check of our own that calls nobody. Of an answer only outcome and reasons count:
 * accepted is passed, rejected and duplicate are refused, everything else is a failure of the service.
 */
export const serviceEndpoint = z
  .strictObject({ post: legConfig.optional(), check: preCheck.optional() })
  .superRefine(({ post }, context) => void (post && checkEndpoint({ post }, context)))
  .refine(({ post }) => post?.body.format !== 'mail', {
    path: ['post', 'body', 'format'],
    message: 'A mail brings no answer about the lead.',
  })
  .refine(({ post, check }) => (post === undefined) !== (check === undefined), 'must be a call (post) or a check, and not both');
export type ServiceEndpoint = z.infer<typeof serviceEndpoint>;

export const SERVICE_TIME_LIMIT_MS = { least: 50, most: 30_000 } as const;

/** onFailure: what it means for the lead when the service fails, is too slow or is paused. */
export const outsideCheck = z.strictObject({
  serviceId: z.uuid(),
  timeLimitMs: z.int().min(SERVICE_TIME_LIMIT_MS.least).max(SERVICE_TIME_LIMIT_MS.most),
  onFailure: z.enum(['pass', 'refuse']),
});
export type OutsideCheckRule = z.infer<typeof outsideCheck>;
