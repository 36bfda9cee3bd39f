/** How long a vertical keeps what is personal in its leads. */
import { z } from 'zod';

/** Days after which it goes; null keeps it for ever. */
export const keptDays = z.int().min(1).max(3650).nullable();

export const retentionPreviewBody = z.object({
  verticalId: z.uuid(),
  unsoldDays: keptDays,
  soldDays: keptDays,
  wireDays: keptDays,
});

/** No more leads than this are looked at for each rule. */
export const RETENTION_COUNTED = 10_000;

/** What such days would take away today: leads that lose their person, leads whose calls lose what was sent and answered, and refused calls that do. */
export const retentionPreview = z.object({
  status: z.literal(true),
  unsold: z.int(),
  sold: z.int(),
  wires: z.int(),
  refused: z.int(),
  /** Not all were looked at: there may be more. */
  isMore: z.boolean(),
});
export type RetentionPreview = z.infer<typeof retentionPreview>;
