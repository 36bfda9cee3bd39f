/** Samples as the endpoint editor and the generic data calls know them. */
import { sql } from 'kysely';
import { z } from 'zod';
import { SAMPLES_MOST, sampleAnswer, sampleExpected, sampleLeg } from '#contract/answer-sample.ts';
import { openJson, sealJson } from '#server/kit/crypto.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { FieldContext, RecordField, RecordModel } from '#server/record/record-model.ts';
import { name, updatedAt, version } from '#server/record/shared-fields.ts';
import { maySetUp } from '#server/session/session.policy.ts';
import { countSamples, SEALED_ANSWER, SEALED_EXPECTED } from './sample.sql.ts';

/** A whole value, sealed: told to who reads the record, and in no log. */
const sealed = (column: string, sealedAs: string, write: z.ZodType): RecordField => ({
  column,
  kind: 'sealed',
  unlogged: true,
  required: true,
  write,
  store: (value: unknown, { recordId, keys }: FieldContext) => sealJson(keys(), sealedAs, recordId, value),
  read: (stored: Buffer, { recordId, keys }: FieldContext) => openJson(keys(), sealedAs, recordId, stored),
});

const isSetUp = (person: Parameters<typeof maySetUp>[0]) => maySetUp(person) !== false;

export const answerSample: RecordModel = {
  model: 'answerSample',
  label: 'Sample',
  table: 'answer_sample',
  organizationColumn: 'organization_id',
  parent: { model: 'buyerTier', field: 'buyerTierId', entityKey: 'samples' },
  // What the endpoint is judged by stays as it is until that is saved, and the other way round.
  locksParent: true,
  fields: {
    buyerTierId: { column: 'buyer_tier_id', kind: 'id', write: z.uuid(), required: true, fixed: true, refers: 'buyerTier' },
    name,
    status: { column: 'status', write: z.enum(['active']) },
    leg: { column: 'leg', write: sampleLeg, required: true, fixed: true },
    answer: sealed('answer', SEALED_ANSWER, sampleAnswer),
    expected: sealed('expected', SEALED_EXPECTED, sampleExpected),
    version,
    updatedAt,
  },
  verticalOf: sql`(select x.vertical_id from buyer_tier x where x.organization_id = t.organization_id and x.id = t.buyer_tier_id)`,
  mayRead: isSetUp,
  mayWrite: isSetUp,
  mayAdd: isSetUp,
  removal: 'archive',
  uniqueNames: [{ field: 'name', within: 'buyerTierId' }],
  async check(tx, { organizationId }, _changed, row, before) {
    if (before && before.status !== 'archived') return;
    if ((await countSamples(tx, organizationId, String(row.buyer_tier_id))) <= SAMPLES_MOST) return;
    throw new HttpError(409, 'sample_too_many', `A tier keeps at most ${SAMPLES_MOST} samples. Remove one that tells nothing new.`);
  },
  logged: true,
};
