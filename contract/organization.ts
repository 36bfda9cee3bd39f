/** What an organization is called, looks like and prefers (account §2, §9; console §3). */
import { z } from 'zod';
import { pageCatalogue } from './page.ts';

export const reportingTimeZone = z.enum(['UTC', 'America/New_York', 'Europe/London']);

/** Kept as organization.preferences; whatever is missing has its default. */
export const organizationPreferences = z.object({
  /** The reporting zone of members who have not chosen one of their own. */
  timeZone: reportingTimeZone.default('UTC'),
  /** $12.50 or USD 12.50. */
  currencyDisplay: z.enum(['symbol', 'code']).default('symbol'),
  /** The page value where members begin who may open it. */
  landingPage: z.enum(pageCatalogue.map((page) => page.value) as [string, ...string[]]).default('overview'),
  /** Whether the owner hears by mail who accepted or rejected an invitation. */
  securityNotices: z.boolean().default(true),
  /** Whether the owner hears by mail that a buyer tier keeps failing and is paused by its breaker. */
  breakerNotices: z.boolean().default(true),
  /** How many hours the link that leads a consumer on to the buyer stays open. */
  redirectHours: z.int().min(1).max(720).default(24),
});
export type OrganizationPreferences = z.infer<typeof organizationPreferences>;

/** What is missing or no longer known falls back to its default. */
export function readPreferences(stored: unknown): OrganizationPreferences {
  const read = organizationPreferences.safeParse(stored ?? {});
  return read.success ? read.data : organizationPreferences.parse({});
}

export const logoKind = z.enum(['standard', 'light']);
