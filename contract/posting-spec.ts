/** Posting specifications (design: page key 24): a page for a publisher, opened by a link, made from the vertical's fields and the tier's rules. */
import { z } from 'zod';
import { publisherTierKind } from './tier.ts';

export const POSTING_SPEC_PATH = '/posting-spec';

export const postingSpecsQuery = z.object({
  region: z.string().max(60),
  vertical: z.string().max(60),
  /** A part of the publisher's, tier's or campaign's name. */
  q: z.string().max(200).default(''),
  page: z.coerce.number().int().min(1).max(10_000).default(1),
});
export const SPECS_ON_A_PAGE = 50;

export const postingSpecRow = z.object({
  publisherTierId: z.string(),
  publisherTierName: z.string(),
  publisherId: z.string(),
  publisherName: z.string(),
  campaignName: z.string(),
  /** One that takes leads from landers alone has no keys and no specification. */
  kind: publisherTierKind,
  /** Whether posting is possible: the tier and its publisher are active. */
  isActive: z.boolean(),
  /** Keys that open today. */
  livingKeys: z.number().int(),
  /** Where the specification opens; null while it is switched off. */
  link: z.string().nullable(),
});
export type PostingSpecRow = z.infer<typeof postingSpecRow>;
export const postingSpecsAnswer = z.object({
  status: z.literal(true),
  rows: z.array(postingSpecRow),
  total: z.number().int(),
  /** Whether who asks may open the tiers themselves, where keys are made. */
  maySetUp: z.boolean(),
});
export type PostingSpecsAnswer = z.infer<typeof postingSpecsAnswer>;

/** `on` and `off` switch the link; `renew` makes it another, and opens it. */
export const postingSpecBody = z.strictObject({ change: z.enum(['on', 'off', 'renew']) });
export const postingSpecAnswer = z.object({ status: z.literal(true), msg: z.string(), link: z.string().nullable() });
export type PostingSpecAnswer = z.infer<typeof postingSpecAnswer>;
