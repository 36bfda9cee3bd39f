/** Keys of an organization itself, for programs of its own: shown once when made, kept as a hash. */
import { z } from 'zod';

export const organizationKeyView = z.object({
  _id: z.string(),
  name: z.string(),
  /** The first characters, to tell keys apart. */
  hint: z.string(),
  createdAt: z.string(),
  revokedAt: z.string().nullable(),
});
export type OrganizationKeyView = z.infer<typeof organizationKeyView>;
export const organizationKeysAnswer = z.object({ status: z.literal(true), keys: z.array(organizationKeyView) });
export const newOrganizationKeyBody = z.strictObject({ name: z.string().trim().min(1, 'is required').max(120) });
export const newOrganizationKeyAnswer = organizationKeysAnswer.extend({ msg: z.string(), key: z.string() });
export const organizationKeyRevokedAnswer = organizationKeysAnswer.extend({ msg: z.string() });
