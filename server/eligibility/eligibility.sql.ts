/** Links to the eligibility checker as they are kept. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import type { Tx } from '#server/record/record-model.ts';

/** So many are listed, those that open something before all others, then the newest. */
const LISTED = 200;
/** So many of a vertical open something at once: whoever looks sees all of them, and can revoke them. */
export const OPEN_TOKENS_MOST = 100;

const isOpen = sql<boolean>`revoked_at is null and expires_at > now()`;

/** Taken in turn, so that no two take the last place. */
export async function hasRoomForToken(tx: Tx, organizationId: string, verticalId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`eligibility links of ${organizationId} ${verticalId}`}, 0))`.execute(tx);
  const { open } = await tx
    .selectFrom('eligibility_token')
    .select(sql<number>`count(*)::int`.as('open'))
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .where(isOpen)
    .executeTakeFirstOrThrow();
  return open < OPEN_TOKENS_MOST;
}

export function listTokens(tx: Db, organizationId: string, verticalId: string) {
  return tx
    .selectFrom('eligibility_token')
    .select(['id', 'name', 'publisher_tier_ids', 'created_by', 'created_at', 'expires_at', 'revoked_at', 'used_at'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .orderBy(isOpen, 'desc')
    .orderBy('id', 'desc')
    .limit(LISTED)
    .execute();
}

export async function insertToken(
  tx: Tx,
  row: {
    organization_id: string;
    vertical_id: string;
    name: string;
    token_hash: Buffer;
    publisher_tier_ids: string[];
    created_by: string;
    expires_at: Date;
  },
): Promise<string> {
  const id = newId();
  await tx
    .insertInto('eligibility_token')
    .values({ ...row, id })
    .execute();
  return id;
}

export function lockToken(tx: Tx, organizationId: string, id: string) {
  return tx
    .selectFrom('eligibility_token as t')
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 't.organization_id').onRef('v.id', '=', 't.vertical_id'))
    .select(['t.id', 't.name', 't.vertical_id', 't.revoked_at', 'v.region_id'])
    .where('t.organization_id', '=', organizationId)
    .where('t.id', '=', id)
    .forUpdate('t')
    .executeTakeFirst();
}

export async function revokeToken(tx: Tx, organizationId: string, id: string): Promise<void> {
  await tx
    .updateTable('eligibility_token')
    .set({ revoked_at: new Date() })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}

/** The token that has this hash and opens something now; undefined for every other. */
export function findOpenToken(db: Db, organizationId: string, hash: Buffer, now: Date) {
  return db
    .selectFrom('eligibility_token')
    .select(['id', 'vertical_id', 'publisher_tier_ids', 'expires_at', 'used_at'])
    .where('organization_id', '=', organizationId)
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .where('revoked_at', 'is', null)
    .executeTakeFirst();
}

export async function noteUse(db: Db, organizationId: string, id: string, at: Date): Promise<void> {
  await db
    .updateTable('eligibility_token')
    .set({ used_at: at })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute();
}
