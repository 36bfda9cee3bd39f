/** The eligibility checker (console §2, §7): which buyer tiers could take a lead now, and why not, opened by a token alone. */
import { z } from 'zod';
import { labField, labQuery } from './lab.ts';
import { lineText } from './person-name.ts';

const id = z.string().max(60);

/** `el_`, then the organization's id and 24 random bytes as base64url. */
export const ELIGIBILITY_TOKEN = /^el_[A-Za-z0-9_-]{54}$/;
export const ELIGIBILITY_DAYS = { least: 1, most: 365, usual: 30 } as const;
/** Checks a minute by one token. */
export const ELIGIBILITY_CHECKS = 60;

export const tokenParams = z.object({ token: z.string().max(80) });
/** `key`: a publisher tier that the token opens, by its id or by one of its posting keys. */
export const checkBody = z.object({
  key: z.string().min(1).max(200),
  lead: z
    .record(z.string().max(63), z.string().max(2000))
    .refine((map) => Object.keys(map).length <= 300, 'must be at most 300 fields')
    .default({}),
});

export const eligibilityPage = z.object({
  status: z.literal(true),
  organizationName: z.string(),
  verticalName: z.string(),
  expiresAt: z.string(),
  publisherTiers: z.array(z.object({ key: z.string(), name: z.string() })),
  fields: z.array(labField),
});
export type EligibilityPage = z.infer<typeof eligibilityPage>;

export const eligibilityAnswer = z.object({
  status: z.literal(true),
  asOf: z.string(),
  /** Whether the publisher tier itself would take the lead, and why not. */
  isTaken: z.boolean(),
  why: z.string().nullable(),
  errors: z.array(z.object({ field: z.string(), message: z.string() })),
  buyerTiers: z.array(
    z.object({
      name: z.string(),
      buyerName: z.string(),
      groupName: z.string(),
      isEligible: z.boolean(),
      filterReasonKey: z.int().nullable().describe('Of one that is eligible: what may keep it from a lead all the same; `why` says it.'),
      why: z.string().nullable(),
    }),
  ),
});
export type EligibilityAnswer = z.infer<typeof eligibilityAnswer>;

export const eligibilityTokenView = z.object({
  _id: z.string(),
  name: z.string(),
  publisherTiers: z.array(z.object({ _id: z.string(), name: z.string() })),
  createdBy: z.string(),
  createdAt: z.string(),
  expiresAt: z.string(),
  revokedAt: z.string().nullable(),
  usedAt: z.string().nullable(),
});
export type EligibilityTokenView = z.infer<typeof eligibilityTokenView>;
export const tokensAnswer = z.object({ status: z.literal(true), tokens: z.array(eligibilityTokenView) });
export const tokenAdd = labQuery
  .extend({
    name: lineText(120),
    publisherTierIds: z.array(id).min(1).max(100),
    days: z.int().min(ELIGIBILITY_DAYS.least).max(ELIGIBILITY_DAYS.most).default(ELIGIBILITY_DAYS.usual),
  })
  .strict();
/** `token` is told this once. */
export const tokenMade = z.object({ status: z.literal(true), msg: z.string(), token: z.string(), _id: z.string() });
