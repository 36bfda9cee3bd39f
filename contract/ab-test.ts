/** A/B tests: a campaign's consumers split over variants of it, and what came of each. Money is a decimal text. */
import { z } from 'zod';
import { moneyText, sumText } from './money.ts';
import { lineText } from './person-name.ts';
import { amountText, margin, note } from './tier.ts';
import { treeGroups } from './tree.ts';

const id = z.string().max(60);

/** What decides: what buyers pay per lead, or what we keep of it. */
export const testMetric = z.enum(['revenue', 'margin']);
export type TestMetric = z.infer<typeof testMetric>;

/** Where a variant's tree is taken from when the test is saved; from then on it is the variant's own. kept: as the variant has it already. */
export const treeSource = z.discriminatedUnion('from', [
  z.strictObject({ from: z.literal('kept') }),
  z.strictObject({ from: z.literal('draft') }),
  z.strictObject({ from: z.literal('version'), versionId: id }),
]);
export type TreeSource = z.infer<typeof treeSource>;

/** What is null is as in the live campaign; the first variant is the control and changes nothing. */
export const variantBody = z.strictObject({
  _id: id.nullable().default(null),
  name: lineText(60),
  sharePercent: z.int().min(1).max(99),
  tree: treeSource.nullable().default(null),
  margin: margin.nullable().default(null),
  floor: amountText.nullable().default(null),
  /** The publishers' prices in percent of what their tiers say. */
  pricePercent: z.number().min(1).max(500).nullable().default(null),
});
export type VariantBody = z.infer<typeof variantBody>;

const testFields = {
  name: lineText(120),
  notes: note.default(''),
  metric: testMetric.default('revenue'),
  /** The smallest change worth finding, in percent of the control's. */
  minimumEffect: z.number().min(0.1).max(500).default(10),
  variants: z.array(variantBody).min(2).max(5),
};
export const abTestAdd = z.strictObject({ campaignId: id, ...testFields });
export const abTestEdit = z.strictObject({ ...testFields, version: z.int() });
export const abTestStep = z.strictObject({ version: z.int() });
/** `state`: of the campaign's tree and draft, as they were read (contract/tree.ts). */
export const abTestPromote = z.strictObject({ variantId: id, version: z.int(), state: z.string().max(64) });

export const abTestStatus = z.enum(['draft', 'running', 'stopped', 'archived']);
export type AbTestStatus = z.infer<typeof abTestStatus>;

export const abTestBoardQuery = z.object({ region: z.string().max(60), vertical: z.string().max(60) });

const sourceView = z.object({ _id: id, publishedAt: z.string(), note: z.string() });

export const abTestBoard = z.object({
  status: z.literal(true),
  /** The newest first; those thrown away are left out. */
  tests: z.array(
    z.object({
      _id: id,
      name: z.string(),
      campaignId: id,
      campaignName: z.string(),
      status: abTestStatus,
      variants: z.array(z.string()),
      leads: z.int(),
      plannedLeads: z.int().nullable(),
      startedAt: z.string().nullable(),
      stoppedAt: z.string().nullable(),
      promoted: z.string().nullable(),
    }),
  ),
  /** Campaigns that can be tested, with the trees that a variant can take. */
  campaigns: z.array(z.object({ _id: id, name: z.string(), draftAt: z.string().nullable(), versions: z.array(sourceView) })),
});
export type AbTestBoard = z.infer<typeof abTestBoard>;

const interval = z.object({ low: z.number(), high: z.number() }).nullable();

export const variantView = z.object({
  _id: id,
  name: z.string(),
  sharePercent: z.int(),
  isControl: z.boolean(),
  /** Its own tree, in words: groups with their mode and the names of their buyer tiers. */
  tree: z
    .object({
      from: z.string(),
      groups: z.array(z.object({ name: z.string(), mode: z.string(), tiers: z.array(z.string()) })),
      /** The same as flow control has them: to go on with there. */
      own: treeGroups,
    })
    .nullable(),
  margin: margin.nullable(),
  floor: moneyText.nullable(),
  pricePercent: z.number().nullable(),
  /** Whether the live campaign sells just so already. */
  isLive: z.boolean(),
});
export type VariantView = z.infer<typeof variantView>;

/** Of leads that reached the tree. */
export const variantResult = z.object({
  variantId: id,
  /** One consumer may send several leads; they are taken together, because it is consumers that are split. */
  consumers: z.int(),
  leads: z.int(),
  sold: z.int(),
  revenue: sumText,
  payout: sumText,
  margin: sumText,
  /** Revenue, and margin, per lead. */
  epl: sumText,
  marginPerLead: sumText,
  /** Against the control; null for the control, and where there is too little to say. */
  against: z
    .object({
      /** Of the metric that decides, in percent of the control's; null where the control earns nothing. */
      liftPercent: z.number().nullable(),
      /** Of the metric, in currency units. once: Welch, right for a single look; anytime: right at every look, and what decides. */
      difference: z.number(),
      once: interval,
      anytime: interval,
      /** Of the accept rate, in parts of 1: Newcombe, right for a single look. */
      acceptRate: interval,
      verdict: z.enum(['better', 'worse', 'open']),
    })
    .nullable(),
});
export type VariantResult = z.infer<typeof variantResult>;

export const abTestAnswer = z.object({
  status: z.literal(true),
  test: z.object({
    _id: id,
    version: z.int(),
    name: z.string(),
    notes: z.string(),
    status: abTestStatus,
    metric: testMetric,
    minimumEffect: z.number(),
    plannedLeads: z.int().nullable(),
    campaignId: id,
    campaignName: z.string(),
    startedAt: z.string().nullable(),
    startedBy: z.string().nullable(),
    stoppedAt: z.string().nullable(),
    stoppedBy: z.string().nullable(),
    promotedVariantId: id.nullable(),
    variants: z.array(variantView),
  }),
  /** One a variant, in their order; empty before the start. */
  results: z.array(variantResult),
  /** Confidence of each interval: 95 % for all comparisons together. */
  alpha: z.number(),
  /** Leads of the whole test that the minimum effect needs, by what is known now; null where nothing is known yet. */
  leadsNeeded: z.int().nullable(),
  leadsPerDay: z.number(),
  /** Why nobody is split though it runs: what the engine says is wrong with it. */
  problem: z.string().nullable(),
  /** Where leads fell more unevenly than luck explains. */
  splitDoubt: z.object({ likelihood: z.number() }).nullable(),
  /** What of the live campaign was changed while it ran. */
  changes: z.array(z.object({ at: z.string(), by: z.string(), what: z.string() })),
  /** Another one as soon as the live tree or its draft is another. */
  state: z.string(),
  /** Whether the person may publish a tree here. */
  mayPromote: z.boolean(),
});
export type AbTestAnswer = z.infer<typeof abTestAnswer>;
export const abTestChanged = abTestAnswer.extend({ msg: z.string() });
