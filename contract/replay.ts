/** Replay: stored leads once more through a campaign's tree as it is and through a changed one. Money is a decimal text. */
import { z } from 'zod';
import { sumText } from './money.ts';
import { amountText, margin } from './tier.ts';
import { treeGroups } from './tree.ts';

const id = z.string().max(60);
const instant = z.iso.datetime({ offset: true });

/** So many leads one replay takes at most. */
export const REPLAY_LEADS_MOST = 1_000_000;
/** So many replays of an organization wait or run at once. */
export const REPLAYS_OPEN_MOST = 3;

/** published: the live tree. version: an earlier one. */
export const treeChoice = z.discriminatedUnion('tree', [
  z.strictObject({ tree: z.literal('published') }),
  z.strictObject({ tree: z.literal('draft') }),
  z.strictObject({ tree: z.literal('version'), versionId: id }),
]);
export type TreeChoice = z.infer<typeof treeChoice>;

/** What is tried beside the tree; what is null or left out is as it is now. */
export const triedSettings = z.strictObject({
  margin: margin.nullable().default(null),
  floor: amountText.nullable().default(null),
  maxSales: z.int().min(1).max(20).nullable().default(null),
  timeLimitMs: z.int().min(100).max(300_000).nullable().default(null),
  buyerTiers: z
    .array(
      z.strictObject({
        _id: id,
        status: z.enum(['active', 'paused']).nullable().default(null),
        /** Only of a tier that has a fixed price. */
        price: amountText.nullable().default(null),
        floor: amountText.nullable().default(null),
      }),
    )
    .max(500)
    .default([]),
});
export type TriedSettings = z.infer<typeof triedSettings>;

/** habit: as often as the tier accepted over the span, at its mean price, drawn by lead and tier. rejects: it says no. */
export const unrecordedRule = z.enum(['habit', 'rejects']);

export const replayBody = z.strictObject({
  campaignId: id,
  /** null: every publisher tier of the campaign. */
  publisherTierId: id.nullable().default(null),
  /** [from, to) */
  from: instant,
  to: instant,
  change: treeChoice,
  settings: triedSettings.default({ margin: null, floor: null, maxSales: null, timeLimitMs: null, buyerTiers: [] }),
  unrecorded: unrecordedRule.default('habit'),
});
export type ReplayBody = z.infer<typeof replayBody>;

export const replayStatus = z.enum(['waiting', 'running', 'done', 'failed', 'cancelled']);

const sums = { sales: z.int(), revenue: sumText, payout: sumText, margin: sumText };
export type ReplayStatus = z.infer<typeof replayStatus>;

/** Of one of the three: what really happened, the published tree replayed, the changed one replayed. */
export const replayFigures = z.object({
  ...sums,
  leads: z.int(),
  sold: z.int(),
  statuses: z.record(z.string(), z.int()),
  reasons: z.array(z.object({ reason: z.string(), label: z.string(), leads: z.int() })),
});
export type ReplayFigures = z.infer<typeof replayFigures>;

/** Leads that one of the two trees sells and the other does not; the first few by id. */
const movedLeads = z.object({ leads: z.int(), ids: z.array(z.string()) });

const tierFigures = z.object({ ...sums, asked: z.int(), ends: z.record(z.string(), z.int()) });
const groupFigures = z.object({ ...sums, asked: z.int() });
const three = <T extends z.ZodType>(figures: T) => z.object({ really: figures, published: figures, changed: figures });

/** How many answers of simulated buyers were on record, drawn by the rule, and of tiers nobody asked in the span. */
const sources = z.object({ recorded: z.int(), drawn: z.int(), unknown: z.int() });

export const replayResult = z.object({
  ...three(replayFigures).shape,
  /** Leads that came as pings and were never posted, which are left out. */
  pingsLeftOut: z.int(),
  /** Buyer tiers of whose answers none is on record in the span, by name. */
  neverAsked: z.array(z.string()),
  gained: movedLeads,
  lost: movedLeads,
  buyerTiers: z.array(z.object({ _id: z.string(), name: z.string(), buyerName: z.string(), ...three(tierFigures).shape })),
  groups: z.array(z.object({ _id: z.string(), name: z.string(), ...three(groupFigures).shape })),
  sources: z.object({ published: sources, changed: sources }),
  leadsPerSecond: z.number(),
});
export type ReplayResult = z.infer<typeof replayResult>;

export const replayView = z.object({
  _id: z.string(),
  status: replayStatus,
  campaign: z.object({ _id: z.string(), name: z.string() }),
  publisherTierName: z.string().nullable(),
  from: z.string(),
  to: z.string(),
  change: treeChoice,
  settings: triedSettings,
  unrecorded: unrecordedRule,
  startedBy: z.string(),
  createdAt: z.string(),
  endedAt: z.string().nullable(),
  total: z.int(),
  done: z.int(),
  failure: z.string().nullable(),
  /** Margin of the changed tree less that of the published one; null until it is done. */
  marginChange: sumText.nullable(),
});
export type ReplayView = z.infer<typeof replayView>;

/** The newest first. */
export const replaysAnswer = z.object({ status: z.literal(true), replays: z.array(replayView) });
export type ReplaysAnswer = z.infer<typeof replaysAnswer>;
export const replayAnswer = z.object({
  status: z.literal(true),
  replay: replayView,
  /** Slugs of where it belongs. */
  place: z.object({ region: z.string(), vertical: z.string() }),
  result: replayResult.nullable(),
  /** The trees that were replayed. */
  published: treeGroups,
  changed: treeGroups,
  /** Of a replayed draft: whether it is the same still; gone: published or thrown away since. null where no draft was replayed. */
  draft: z.enum(['same', 'changed', 'gone']).nullable(),
  mayPublish: z.boolean(),
  mayReadLeads: z.boolean(),
});
export type ReplayAnswer = z.infer<typeof replayAnswer>;
export const replayStarted = z.object({ status: z.literal(true), msg: z.string(), replayId: z.string() });
export type ReplayStarted = z.infer<typeof replayStarted>;
