/**
 * A configuration to take along: everything an organization has set up, in one JSON document that names things by their own names and
 * slugs instead of ids, so that it can be read by people and imported elsewhere. Secrets and posting keys are never in it.
 */
import { z } from 'zod';
import { SAMPLES_MOST, sampleAnswer, sampleExpected, sampleLeg, sampleName } from './answer-sample.ts';
import { outsideCheck } from './service.ts';
import { treeGroup, treeMember } from './tree.ts';

const name = z.string().min(1).max(200);
const fields = z.record(z.string().max(60), z.unknown());
/** The slugs of region and vertical: "us/payday". */
const place = z.string().regex(/^[a-z0-9-]+\/[a-z0-9-]+$/, 'must be region/vertical, by their slugs');

/** A service of the tier's own vertical, by its name. */
const namedCheck = outsideCheck.omit({ serviceId: true }).extend({ service: name }).optional();

/** Suppression lists of a tier, by name. */
const namedLists = z.array(name).max(20).default([]);

/** For whom a promotion is, as `target` of the model, by names. */
const namedTarget = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('publisherTier'), publisher: name, tier: name }),
  z.strictObject({ kind: z.literal('subId'), subId: name }),
  z.strictObject({ kind: z.literal('publisher'), publisher: name }),
  z.strictObject({ kind: z.literal('campaign'), campaign: name }),
]);

/** GET /api/v1/configuration/export: with the samples of buyer tiers, unless they are left out. */
export const exportQuery = z.object({ samples: z.enum(['true', 'false']).default('true') });

export const configurationDocument = z.strictObject({
  format: z.literal('sluice-configuration'),
  version: z.literal(1),
  regions: z.array(z.strictObject({ slug: name, name, country: z.string() })).max(100),
  verticals: z.array(z.strictObject({ place, name, primaryField: name, fields: z.array(fields).max(1000) })).max(500),
  /** `secrets` names those that have to be written again. */
  services: z
    .array(z.strictObject({ name, place, data: fields, secrets: z.array(name).default([]) }))
    .max(5000)
    .default([]),
  /** What they hold; entries are never in the document. */
  suppressionLists: z
    .array(z.strictObject({ name, data: fields }))
    .max(1000)
    .default([]),
  buyers: z.array(z.strictObject({ name, data: fields })).max(5000),
  buyerTiers: z
    .array(
      z.strictObject({
        name,
        buyer: name,
        place,
        data: fields,
        thirdParty: namedCheck,
        suppressionLists: namedLists,
        secrets: z.array(name).default([]),
        /** Answers of the buyer, and what the endpoint must read in them. */
        samples: z
          .array(z.strictObject({ name: sampleName, leg: sampleLeg, answer: sampleAnswer, expected: sampleExpected }))
          .max(SAMPLES_MOST)
          .default([]),
      }),
    )
    .max(20_000),
  campaigns: z
    .array(
      z.strictObject({
        name,
        place,
        data: fields,
        groups: z
          .array(
            treeGroup
              .omit({ _id: true, members: true })
              .extend({ members: z.array(z.strictObject({ buyer: name, tier: name, weight: treeMember.shape.weight })).max(500) }),
          )
          .max(50),
      }),
    )
    .max(5000),
  publishers: z.array(z.strictObject({ name, affiliateId: name, data: fields })).max(5000),
  publisherTiers: z
    .array(z.strictObject({ name, publisher: name, campaign: name, place, data: fields, p2c: namedCheck, suppressionLists: namedLists }))
    .max(20_000),
  promotions: z
    .array(z.strictObject({ name, place, for: namedTarget, data: fields }))
    .max(5000)
    .default([]),
  contacts: z.array(z.strictObject({ company: name, kind: z.enum(['publisher', 'buyer']), data: fields })).max(20_000),
  /** What stayed behind, in sentences: it belongs to something that is archived. */
  notes: z.array(z.string().max(1000)).max(20_000).default([]),
});
export type NamedTarget = z.infer<typeof namedTarget>;
export type NamedCheck = NonNullable<z.infer<typeof namedCheck>>;
export type ConfigurationDocument = z.infer<typeof configurationDocument>;

export const importBody = z.strictObject({
  document: z.unknown(),
  /** True: says what would happen, and changes nothing. */
  dryRun: z.boolean().default(false),
});
export const importAnswer = z.object({
  status: z.literal(true),
  msg: z.string(),
  added: z.record(z.string(), z.int()),
  /** What was there already, and stays as it is. */
  kept: z.record(z.string(), z.int()),
  /** What a person has to do afterwards, in sentences. */
  notes: z.array(z.string()),
});
export type ImportAnswer = z.infer<typeof importAnswer>;
