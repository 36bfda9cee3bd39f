/** Keys of a publisher tier, to post leads with, and of a buyer, to return them with: shown once when made, kept as a hash. */
import { z } from 'zod';

export const keyView = z.object({
  _id: z.string(),
  /** The first characters, to tell keys apart. */
  prefix: z.string(),
  createdAt: z.string(),
  /** When it stops opening; null while it has no end. */
  expiresAt: z.string().nullable(),
  revokedAt: z.string().nullable(),
  isLiving: z.boolean(),
});
export type KeyView = z.infer<typeof keyView>;
export const keysAnswer = z.object({ status: z.literal(true), keys: z.array(keyView) });
/** With an overlap, the keys there are go on for so many hours; without one they stay as they are. */
export const newKeyBody = z.strictObject({ overlapHours: z.int().min(0).max(720).nullable().default(null) });
export const keyRevokedAnswer = keysAnswer.extend({ msg: z.string() });
export const newKeyAnswer = z.object({ status: z.literal(true), msg: z.string(), key: z.string(), keys: z.array(keyView) });
