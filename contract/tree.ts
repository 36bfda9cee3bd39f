/** The ping tree of a campaign: live, as a draft, and as it was published before (flow-control). */
import { z } from 'zod';
import { sumText } from './money.ts';
import { reportingTimeZone } from './organization.ts';
import { lineText } from './person-name.ts';
import { note, publisherTierKind } from './tier.ts';
import { warningView } from './warning.ts';

export const groupMode = z.enum(['priority', 'highestPrice', 'auction', 'roundRobin', 'weighted']);

export const treeMember = z.strictObject({
  buyerTierId: z.string().max(60),
  weight: z.int().min(1).max(1_000_000).nullable().default(null),
});
export const treeGroup = z.strictObject({
  /** Kept over publishing, so that turns and reports go on; null for a group that is new. */
  _id: z.string().max(60).nullable().default(null),
  name: lineText(120),
  mode: groupMode,
  timeLimitMs: z.int().min(50).max(300_000).nullable().default(null),
  members: z.array(treeMember).max(500),
});
export const treeGroups = z.array(treeGroup).max(50);
export type TreeGroup = z.infer<typeof treeGroup>;

/** `state`: of the tree and its draft as they were read; whoever changed either meanwhile is not overwritten unseen. */
const state = z.string().max(64);
export const draftBody = z.strictObject({ groups: treeGroups, state });
export const discardBody = z.strictObject({ state });
export const publishBody = z.strictObject({ state, note: note.default('') });
export const rollBackTreeBody = z.strictObject({ versionId: z.string().max(60), state });

export const treeTierView = z.object({
  _id: z.string(),
  name: z.string(),
  buyerName: z.string(),
  status: z.string(),
  buyerStatus: z.string(),
  delivery: z.string(),
});
export const treeAnswer = z.object({
  status: z.literal(true),
  campaign: z.object({ _id: z.string(), name: z.string(), status: z.string(), verticalId: z.string(), version: z.int() }),
  live: treeGroups,
  draft: z.object({ groups: treeGroups, updatedAt: z.string(), updatedBy: z.string() }).nullable(),
  /** Another one as soon as the live tree or the draft is another. */
  state,
  /** The A/B test that splits the campaign's consumers now: only its part of them goes by the live tree. */
  test: z.object({ _id: z.string(), name: z.string() }).nullable(),
  /** The newest first. */
  versions: z.array(z.object({ _id: z.string(), publishedAt: z.string(), publishedBy: z.string(), note: z.string() })),
  publisherTiers: z.array(
    z.object({ _id: z.string(), name: z.string(), kind: publisherTierKind, publisherName: z.string(), status: z.string() }),
  ),
  /** The buyer tiers that stand in the live tree or the draft. */
  buyerTiers: z.array(treeTierView),
});
export type TreeTier = z.infer<typeof treeTierView>;
export type TreeAnswer = z.infer<typeof treeAnswer>;
/** The tree as it is after the change. */
export const treeChanged = treeAnswer.extend({ msg: z.string() });
export type TreeChanged = z.infer<typeof treeChanged>;

/** A tree that was published before, as it was. */
export const treeVersionAnswer = z.object({ status: z.literal(true), groups: treeGroups, buyerTiers: z.array(treeTierView) });
export type TreeVersionAnswer = z.infer<typeof treeVersionAnswer>;

export const flowQuery = z.object({ timeZone: reportingTimeZone.default('UTC') });
/** Today, in the reporting zone. */
export const flowAnswer = z.object({
  status: z.literal(true),
  /** Leads by how they ended: sold, unsold, invalid, duplicate, rejected, held, error; received for those still under way. */
  ends: z.record(z.string(), z.int()),
  publisherTiers: z.array(z.object({ _id: z.string(), leads: z.int(), sold: z.int() })),
  /** Leads that a buyer of the group was asked about. */
  groups: z.array(z.object({ _id: z.string(), leads: z.int() })),
  /** `leads`: those it was asked about; a ping and a post of one lead are two attempts. */
  buyerTiers: z.array(z.object({ _id: z.string(), leads: z.int(), attempts: z.int(), timeouts: z.int(), sold: z.int(), revenue: sumText })),
  /** Of the campaign, its publisher tiers, and the buyer tiers of its live tree and its draft; worst first. */
  warnings: z.array(warningView),
});
export type FlowAnswer = z.infer<typeof flowAnswer>;
