/** Samples of buyer tiers, opened; sealed as table and column, by their id. */
import { sql } from 'kysely';
import type { SampleAnswer, SampleExpected } from '#contract/answer-sample.ts';
import { type OrganizationKeys, openJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import type { KeptSample } from './judge-sample.ts';

export const SEALED_ANSWER = 'answer_sample.answer';
export const SEALED_EXPECTED = 'answer_sample.expected';

export interface StoredSample extends KeptSample {
  buyerTierId: string;
  name: string;
}

/** The living ones of these tiers, by name. */
export async function listSamples(
  db: Db,
  organizationId: string,
  buyerTierIds: string[],
  keys: () => OrganizationKeys,
): Promise<StoredSample[]> {
  if (buyerTierIds.length === 0) return [];
  const rows = await db
    .selectFrom('answer_sample')
    .select(['id', 'buyer_tier_id', 'name', 'leg', 'answer', 'expected'])
    .where('organization_id', '=', organizationId)
    .where('buyer_tier_id', '=', sql<string>`any(${buyerTierIds}::uuid[])`)
    .where('status', '=', 'active')
    .orderBy('name')
    .execute();
  return rows.map((row) => ({
    buyerTierId: row.buyer_tier_id,
    name: row.name,
    leg: row.leg as KeptSample['leg'],
    answer: openJson<SampleAnswer>(keys(), SEALED_ANSWER, row.id, row.answer),
    expected: openJson<SampleExpected>(keys(), SEALED_EXPECTED, row.id, row.expected),
  }));
}

/** Those of these tiers that have samples, with their endpoints as they are. */
export async function listSampledTiers(db: Db, organizationId: string, buyerTierIds: string[]) {
  const rows = await db
    .selectFrom('buyer_tier as t')
    .innerJoin('buyer as b', (join) => join.onRef('b.organization_id', '=', 't.organization_id').onRef('b.id', '=', 't.buyer_id'))
    .select(['t.id', 't.name', 't.endpoint', 'b.name as buyer_name'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', '=', sql<string>`any(${buyerTierIds}::uuid[])`)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('answer_sample as s')
          .select('s.id')
          .whereRef('s.organization_id', '=', 't.organization_id')
          .whereRef('s.buyer_tier_id', '=', 't.id')
          .where('s.status', '=', 'active'),
      ),
    )
    .orderBy('b.name')
    .orderBy('t.name')
    .execute();
  return rows.map(({ id, name, endpoint, buyer_name }) => ({ id, title: `${buyer_name}, ${name}`, endpoint: endpoint as unknown }));
}

/** Of every tier that has some, how many bytes they take sealed. */
export async function sizeSamples(db: Db, organizationId: string): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('answer_sample')
    .select(['buyer_tier_id', sql<number>`sum(octet_length(answer) + octet_length(expected))::float8`.as('bytes')])
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'active')
    .groupBy('buyer_tier_id')
    .execute();
  return new Map(rows.map(({ buyer_tier_id, bytes }) => [buyer_tier_id, bytes]));
}

export async function countSamples(db: Db, organizationId: string, buyerTierId: string): Promise<number> {
  const { count } = await db
    .selectFrom('answer_sample')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('organization_id', '=', organizationId)
    .where('buyer_tier_id', '=', buyerTierId)
    .where('status', '=', 'active')
    .executeTakeFirstOrThrow();
  return Number(count);
}
