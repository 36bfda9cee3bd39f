/** What a publisher gets back from the intake API, whatever happened; one shape for all calls (engine.md "Intake API"). */
import { z } from 'zod';
import { sumText } from './money.ts';

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
  price: sumText.optional(),
  currency: z.string().optional(),
  redirectUrl: z.string().optional(),
  /** Until when a bid holds. */
  expiresAt: z.string().optional(),
  bids: z
    .array(z.object({ price: sumText, expiresAt: z.string() }))
    .optional()
    .describe('Of a ping, where a lead may be sold to several buyers: what you would earn by each of them, the first one first.'),
  elapsedMs: z.number().optional(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })).optional(),
  /** Seconds after which to try again, with 429 and 503. */
  retry_after: z.number().optional(),
  /** Names of fields the vertical does not know; stored all the same. */
  warnings: z.array(z.string()).optional(),
});
export type PostingAnswer = z.infer<typeof postingAnswer>;

/** What a lead is posted as: the fields of the vertical beside members that steer the call. Also as form fields or XML. */
export const postingBody = z.looseObject({
  key: z.string().optional().describe('The posting key, where no header carries it.'),
  timeoutMs: z.int().min(1).max(300_000).optional().describe('How long the caller will wait, in ms; 60000 when left out.'),
  test: z.boolean().optional().describe('A test lead: nothing is sold, sent or counted.'),
  pingId: z.string().optional().describe('The ping that a post refers to.'),
  format: z.enum(['json', 'xml']).optional().describe('Format of the answer; by Accept when left out.'),
  landingPageId: z
    .string()
    .optional()
    .describe('The landing page that the lead came from (page-stats). One that is none of the publisher tier is kept as an unknown field.'),
  campaignId: z.string().optional().describe('Checked against the campaign of the key, where given.'),
});

/** Members of a posted lead that steer the call and are not lead fields. */
export const postingControls = ['key', 'timeoutMs', 'test', 'pingId', 'format', 'campaignId'] as const;

/** The longest a publisher may ask us to try, and what we assume when it does not say. */
export const LONGEST_TIMEOUT_MS = 300_000;
export const DEFAULT_TIMEOUT_MS = 60_000;
export const LARGEST_BODY_BYTES = 256 * 1024;
