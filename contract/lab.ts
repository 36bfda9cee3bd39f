/** The testing lab (page key 27): one lead through the real engine, with real or simulated buyers, and samples to do it with. */
import { z } from 'zod';
import { leadView } from './lead.ts';
import { moneyText } from './money.ts';
import { lineText } from './person-name.ts';
import { treeChoice } from './replay.ts';
import { amountText, margin, testValues } from './tier.ts';
import { groupMode } from './tree.ts';

const id = z.string().max(60);
export const labQuery = z.object({ region: z.string().max(60), vertical: z.string().max(60) });

/** What a person typed, by field name; the engine normalises and checks it as it does a publisher's. */
const values = z
  .record(z.string().max(63), z.string().max(2000))
  .refine((map) => Object.keys(map).length <= 300, 'must be at most 300 fields');

/** Samples of a vertical: all of them are told at once, to whoever opens its lab. */
export const SAMPLE_LEADS_MOST = 100;
const SAMPLE_LETTERS = 50_000;
const sampleValues = values.refine(
  (map) => Object.values(map).reduce((letters, value) => letters + value.length, 0) <= SAMPLE_LETTERS,
  `must be at most ${SAMPLE_LETTERS} characters together`,
);

/** buys: at its price, or at the one that is set. silent: no answer within the time limit. recorded: the last answer it gave, read by its rules as they are now. */
export const simulatedSays = z.enum(['buys', 'rejects', 'silent', 'error', 'recorded']);
export type SimulatedSays = z.infer<typeof simulatedSays>;
const paid = amountText.refine((text) => Number(text) > 0, 'must be more than 0');
export const simulatedAnswer = z.strictObject({ buyerTierId: id, says: simulatedSays, price: paid.nullable().default(null) });
export type SimulatedAnswer = z.infer<typeof simulatedAnswer>;

export const sendBody = z.strictObject({
  publisherTierId: id,
  fields: values,
  /** A past lead whose values stand where `fields` has none. Only for simulated buyers. */
  leadId: id.nullable().default(null),
  change: treeChoice.default({ tree: 'published' }),
  buyers: z.enum(['real', 'simulated']),
  /** Of simulated buyers; kept for the next time. A tier that is not named buys. */
  answers: z.array(simulatedAnswer).max(500).default([]),
  /** What simulated third-party services say. */
  services: z.enum(['passed', 'refused']).default('passed'),
});
export type SendBody = z.infer<typeof sendBody>;

/** `lead`: as the page of a lead tells it. `isStored`: with real buyers it is kept, as a test. */
export const sendAnswer = z.object({ status: z.literal(true), lead: leadView, isStored: z.boolean() });
export type SendAnswer = z.infer<typeof sendAnswer>;

export const sampleView = z.object({ _id: z.string(), name: z.string(), fields: z.record(z.string(), z.string()), version: z.int() });
export type SampleView = z.infer<typeof sampleView>;
export const sampleAdd = labQuery.extend({ name: lineText(120), fields: sampleValues }).strict();
export const sampleEdit = z.strictObject({ name: lineText(120), fields: sampleValues, version: z.int() });
export const sampleRemove = z.strictObject({ version: z.int() });
export const sampleChanged = z.object({ status: z.literal(true), msg: z.string(), _id: z.string() });

/** A field of the vertical, to be filled in. */
export const labField = z.object({
  fieldName: z.string(),
  fieldHumanName: z.string(),
  type: z.string(),
  required: z.boolean(),
  options: z.array(z.string()).nullable(),
  isPersonal: z.boolean(),
  /** A value to try things with: plausible, never anybody's. */
  sample: z.string(),
});

export type LabField = z.infer<typeof labField>;

/** Everything the page needs to offer its choices. */
export const labAnswer = z.object({
  status: z.literal(true),
  fields: z.array(labField),
  campaigns: z.array(
    z.object({
      _id: z.string(),
      name: z.string(),
      hasDraft: z.boolean(),
      /** As they are set now, for a replay that tries others. */
      settings: z.object({ margin, floor: moneyText.nullable(), maxSales: z.int(), timeLimitMs: z.int() }),
      /** A running A/B test, of which lab and replay know nothing: they go by the trees. */
      isTested: z.boolean(),
      versions: z.array(z.object({ _id: z.string(), publishedAt: z.string(), note: z.string() })),
      testValues: testValues.nullable(),
      publisherTiers: z.array(z.object({ _id: z.string(), name: z.string(), publisherName: z.string(), status: z.string() })),
    }),
  ),
  samples: z.array(sampleView),
  mayReadLeads: z.boolean(),
  mayPublish: z.boolean(),
});
export type LabAnswer = z.infer<typeof labAnswer>;

/** Which tree of a campaign; `version` with its id. */
export const labTreeQuery = z.object({ tree: z.enum(['published', 'draft', 'version']).default('published'), versionId: id.optional() });

export const labTier = z.object({
  _id: z.string(),
  name: z.string(),
  buyerName: z.string(),
  status: z.string(),
  /** null where it bids. */
  fixedPrice: moneyText.nullable(),
  /** What it says when its buyer is simulated, as it was set last. */
  says: simulatedSays,
  price: moneyText.nullable(),
  /** Where its requests tell the buyer of a test (endpoint.test-flag.ts). */
  testFlags: z.object({ ping: z.array(z.string()).nullable(), post: z.array(z.string()) }),
});
export type LabTier = z.infer<typeof labTier>;

/** The buyer tiers that stand in a tree, in its order. */
export const labTreeAnswer = z.object({
  status: z.literal(true),
  groups: z.array(z.object({ name: z.string(), mode: groupMode, buyerTiers: z.array(labTier) })),
});
export type LabTreeAnswer = z.infer<typeof labTreeAnswer>;

/** A past lead, to be tried again: what of it may be shown. */
export const pastLeadAnswer = z.object({
  status: z.literal(true),
  publisherTierId: z.string(),
  fields: z.record(z.string(), z.object({ value: z.string(), isMasked: z.boolean() })),
});
export type PastLeadAnswer = z.infer<typeof pastLeadAnswer>;
