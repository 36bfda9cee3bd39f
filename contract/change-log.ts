/** Who changed what, when and from where (design: change-logs-mgmt). */
import { z } from 'zod';
import { csvForm } from './csv.ts';

const instant = z.iso.datetime({ offset: true });
const changeLogFilters = z.object({
  model: z.string().max(60).optional(),
  recordId: z.string().max(60).optional(),
  userId: z.string().max(60).optional(),
  search: z.string().max(200).optional(),
  /** Included; `to` is the first instant after the span. */
  from: instant.optional(),
  to: instant.optional(),
});

export const changeLogQuery = changeLogFilters.extend({
  /** A cursor: changes before this one. */
  before: z.string().max(60).optional(),
  limit: z.coerce.number().int().min(1).max(200).default(50),
});

/** All that the filters find as a file, asked for by a hidden form. */
export const changeLogDownload = changeLogFilters.extend(csvForm.shape);

/** What the log can be narrowed to: models that are logged, and everybody who ever changed something. */
export const changeLogChoices = z.object({
  status: z.literal(true),
  models: z.array(z.object({ model: z.string(), label: z.string() })),
  people: z.array(z.object({ _id: z.string(), name: z.string() })),
});
export type ChangeLogChoices = z.infer<typeof changeLogChoices>;

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
  action: z.enum(['add', 'edit', 'remove', 'restore', 'order', 'publish', 'look', 'erase']),
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
  /** How far back a search came that is not through; null where it found enough, or came to the end. ISO 8601. */
  lookedTo: z.string().nullable(),
});
export type ChangeLogAnswer = z.infer<typeof changeLogAnswer>;

export const rollBackBody = z.strictObject({ _id: z.string().max(60) });
