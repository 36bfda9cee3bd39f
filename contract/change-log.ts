/** Who changed what, when and from where (design: change-logs-mgmt). */
import { z } from 'zod';

export const changeLogQuery = z.object({
  model: z.string().max(60).optional(),
  recordId: z.string().max(60).optional(),
  userId: z.string().max(60).optional(),
  search: z.string().max(200).optional(),
  /** A cursor: changes before this one. */
  before: z.string().max(60).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

export const changeView = z.object({
  _id: z.string(),
  at: z.string(),
  userId: z.string(),
  userName: z.string(),
  /** The network it came from. */
  network: z.string(),
  model: z.string(),
  /** For people: 'Buyer tier'. */
  modelLabel: z.string(),
  recordId: z.string(),
  recordName: z.string(),
  action: z.enum(['add', 'edit', 'remove', 'restore', 'order', 'publish']),
  /** Values of what changed, by field name. */
  before: z.record(z.string(), z.unknown()),
  after: z.record(z.string(), z.unknown()),
  rollsBack: z.string().nullable(),
  isRolledBack: z.boolean(),
  /** Why it cannot be taken back here at all, and what to do instead; null where it can. */
  final: z.string().nullable(),
});
export type ChangeView = z.infer<typeof changeView>;

export const changeLogAnswer = z.object({
  status: z.literal(true),
  changes: z.array(changeView),
  /** Where the next page begins; null at the end. */
  older: z.string().nullable(),
});
export type ChangeLogAnswer = z.infer<typeof changeLogAnswer>;

export const rollBackBody = z.strictObject({ _id: z.string().max(60) });
