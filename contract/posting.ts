/** What a publisher gets back from the intake API, whatever happened; one shape for all calls (engine.md "Intake API"). */
import { z } from 'zod';
import { moneyText } from './money.ts';

export const postingStatus = z.enum(['accepted', 'rejected', 'duplicate', 'invalid', 'error', 'queued', 'test']);

export const postingAnswer = z.object({
  status: postingStatus,
  /** `<word>_<problem>`, stable; `lead_sold` when sold. */
  code: z.string(),
  /** For people; internal reasons keep the words of console §4. */
  reason: z.string().optional(),
  msg: z.string().optional(),
  leadId: z.string().optional(),
  pingId: z.string().optional(),
  /** What the publisher earns, e.g. "12.50". */
  price: moneyText.optional(),
  currency: z.string().optional(),
  redirectUrl: z.string().optional(),
  /** Until when a bid holds. */
  expiresAt: z.string().optional(),
  elapsedMs: z.number().optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** Seconds after which to try again, with 429 and 503. */
  retry_after: z.number().optional(),
  /** Names of fields the vertical does not know; stored all the same. */
  warnings: z.array(z.string()).optional(),
});
export type PostingAnswer = z.infer<typeof postingAnswer>;

/** Members of a posted lead that steer the call and are not lead fields. */
export const postingControls = ['key', 'timeoutMs', 'test', 'pingId', 'format', 'campaignId'] as const;

/** The longest a publisher may ask us to try, and what we assume when it does not say. */
export const LONGEST_TIMEOUT_MS = 300_000;
export const DEFAULT_TIMEOUT_MS = 60_000;
export const LARGEST_BODY_BYTES = 256 * 1024;
