/** How the installation is, for super admins: its nodes, its database, what waits, and what somebody should look at. */
import { z } from 'zod';

const instant = z.iso.datetime();
/** Whole seconds. */
const seconds = z.number().int().nonnegative();

export const nodeView = z.object({
  _id: z.string(),
  /** Empty for one of a version that did not say. */
  version: z.string(),
  /** The machine it runs on. */
  host: z.string(),
  startedAt: instant,
  seenAt: instant,
  /** Whether its heartbeat is young enough. */
  isLiving: z.boolean(),
  /** The one that answers. */
  isThis: z.boolean(),
  /** Since it started. */
  leadsEnded: z.number().int(),
  leadsUnderWay: z.number().int(),
});
export type NodeView = z.infer<typeof nodeView>;

/** What can wait, in the order in which it is shown. */
export const QUEUES = ['mails', 'webhookCalls', 'jobs', 'feeds', 'reportHours', 'heldLeads', 'pendingSales'] as const;
export type QueueKey = (typeof QUEUES)[number];

export const queueView = z.object({
  key: z.enum(QUEUES),
  waiting: z.number().int(),
  /** There may be more than `waiting`: nobody counts on. */
  isMore: z.boolean(),
  /** How long what waits longest has waited, or has been due; null where nothing waits, and where nobody knows. */
  oldestSeconds: seconds.nullable(),
});
export type QueueView = z.infer<typeof queueView>;

export const checkView = z.object({
  /** bad: something does not work, or will not soon. warn: it works, and is not as it should be. */
  level: z.enum(['bad', 'warn', 'ok']),
  part: z.string(),
  what: z.string(),
  /** What to do, where something is to be done. */
  mend: z.string().nullable(),
});
export type CheckView = z.infer<typeof checkView>;

export const installationHealthAnswer = z.object({
  status: z.literal(true),
  /** When the figures were read; they are read anew every 15 seconds at most. */
  readAt: instant,
  nodes: z.array(nodeView),
  database: z.object({
    /** Of PostgreSQL. */
    version: z.string(),
    bytes: z.number(),
    connectionsActive: z.number().int(),
    connectionsIdle: z.number().int(),
    connectionsInTransaction: z.number().int(),
    connectionsMost: z.number().int(),
    longestTransactionSeconds: seconds.nullable(),
    /** Null without a replica; `behindSeconds` is null while it is away. */
    replica: z.object({ behindSeconds: seconds.nullable() }).nullable(),
    /** Months after this one for which every table has room; -1 when this month itself has none. */
    partitionMonths: z.number().int(),
  }),
  queues: z.array(queueView),
  /** The worst first. */
  checks: z.array(checkView),
});
export type InstallationHealth = z.infer<typeof installationHealthAnswer>;
