/** What the testing lab reads and keeps. Every query runs in the organization's tenant transaction or connection. */
import { sql } from 'kysely';
import type { SimulatedAnswer } from '#contract/lab.ts';
import { type OrganizationKeys, openJson, sealJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import type { Tx } from '#server/record/record-model.ts';

/** The last attempt at a buyer tier to which an answer came. */
export function findAnsweredAttempt(db: Db, organizationId: string, buyerTierId: string, leg: 'ping' | 'post') {
  return db
    .selectFrom('attempt')
    .select(['lead_id', 'attempt_index'])
    .where('organization_id', '=', organizationId)
    .where('buyer_tier_id', '=', buyerTierId)
    .where('leg', '=', leg)
    .where('status_code', 'is not', null)
    .orderBy('lead_id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export const SAMPLE = 'sample_lead.fields';

export interface Sample {
  id: string;
  vertical_id: string;
  name: string;
  fields: Record<string, string>;
  version: number;
}

export async function listSamples(tx: Db, keys: OrganizationKeys, verticalId: string): Promise<Sample[]> {
  const rows = await tx
    .selectFrom('sample_lead')
    .select(['id', 'vertical_id', 'name', 'fields', 'version'])
    .where('organization_id', '=', keys.organizationId)
    .where('vertical_id', '=', verticalId)
    .orderBy(sql`lower(name)`)
    .execute();
  return rows.map((row) => ({ ...row, fields: openJson<Record<string, string>>(keys, SAMPLE, row.id, row.fields) }));
}

export function lockSample(tx: Tx, organizationId: string, id: string) {
  return tx
    .selectFrom('sample_lead as s')
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 's.organization_id').onRef('v.id', '=', 's.vertical_id'))
    .select(['s.id', 's.name', 's.version', 's.vertical_id', 'v.region_id'])
    .where('s.organization_id', '=', organizationId)
    .where('s.id', '=', id)
    .forUpdate('s')
    .executeTakeFirst();
}

export async function insertSample(
  tx: Tx,
  keys: OrganizationKeys,
  sample: { verticalId: string; name: string; fields: Record<string, string> },
): Promise<string> {
  const id = newId();
  await tx
    .insertInto('sample_lead')
    .values({
      organization_id: keys.organizationId,
      id,
      vertical_id: sample.verticalId,
      name: sample.name,
      fields: sealJson(keys, SAMPLE, id, sample.fields),
    })
    .execute();
  return id;
}

export async function updateSample(
  tx: Tx,
  keys: OrganizationKeys,
  id: string,
  sample: { name: string; fields: Record<string, string> },
): Promise<void> {
  await tx
    .updateTable('sample_lead')
    .set((eb) => ({
      name: sample.name,
      fields: sealJson(keys, SAMPLE, id, sample.fields),
      version: eb('version', '+', 1),
      updated_at: new Date(),
    }))
    .where('organization_id', '=', keys.organizationId)
    .where('id', '=', id)
    .execute();
}

export async function deleteSample(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx.deleteFrom('sample_lead').where('organization_id', '=', organizationId).where('id', '=', id).execute();
}

/** From here on one after the other: of two that take one name, or the last place, at once the second is told. */
export async function lockSamplesOf(tx: Tx, organizationId: string, verticalId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`samples of ${organizationId} ${verticalId}`}, 0))`.execute(tx);
}

export async function countSamplesOf(tx: Tx, organizationId: string, verticalId: string): Promise<number> {
  const { samples } = await tx
    .selectFrom('sample_lead')
    .select(sql<number>`count(*)::int`.as('samples'))
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .executeTakeFirstOrThrow();
  return samples;
}

/** Whether another sample of the vertical is called that; upper and lower case are one. */
export async function isSampleNamed(
  tx: Tx,
  organizationId: string,
  verticalId: string,
  name: string,
  but: string | null,
): Promise<boolean> {
  const found = await tx
    .selectFrom('sample_lead')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst();
  return found !== undefined && found.id !== but;
}

/** As they were set last. Tiers must be the organization's own. */
export async function keepSimulatedAnswers(tx: Tx, organizationId: string, answers: readonly SimulatedAnswer[]): Promise<void> {
  if (answers.length === 0) return;
  await tx
    .insertInto('simulated_answer')
    .values(answers.map(({ buyerTierId, says, price }) => ({ organization_id: organizationId, buyer_tier_id: buyerTierId, says, price })))
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'buyer_tier_id'])
        .doUpdateSet({ says: (eb) => eb.ref('excluded.says'), price: (eb) => eb.ref('excluded.price') }),
    )
    .execute();
}

export function listLabCampaigns(tx: Db, organizationId: string, verticalId: string) {
  return tx
    .selectFrom('campaign as c')
    .leftJoin('tree_draft as d', (join) => join.onRef('d.organization_id', '=', 'c.organization_id').onRef('d.campaign_id', '=', 'c.id'))
    .select(['c.id', 'c.name', 'c.test_values', 'c.margin', 'c.floor', 'c.max_sales', 'c.time_limit_ms', 'd.campaign_id as draft_of'])
    .where('c.organization_id', '=', organizationId)
    .where('c.vertical_id', '=', verticalId)
    .where('c.status', '<>', 'archived')
    .orderBy('c.name')
    .execute();
}

/** These buyer tiers, in no order. */
export async function listLabTiers(tx: Db, organizationId: string, ids: string[]) {
  if (ids.length === 0) return [];
  return tx
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .leftJoin('simulated_answer as a', (join) =>
      join.onRef('a.organization_id', '=', 't.organization_id').onRef('a.buyer_tier_id', '=', 't.id'),
    )
    .select([
      't.id',
      't.name',
      't.status',
      't.price',
      't.delivery',
      't.endpoint',
      'b.name as buyer_name',
      'a.says',
      'a.price as told_price',
    ])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', 'in', ids)
    .execute();
}
