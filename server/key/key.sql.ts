/** Keys as they are kept: two tables of one shape, each beside its owner. */
import { sql } from 'kysely';
import type { KeyView } from '#contract/key.ts';
import { sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';

export interface KeyTable {
  table: 'posting_key' | 'return_key';
  owner: 'publisher_tier_id' | 'buyer_id';
}

/** The newest first. */
export async function listKeys(db: Db, organizationId: string, { table, owner }: KeyTable, ownerId: string): Promise<KeyView[]> {
  const { rows } = await sql<{ id: string; prefix: string; created_at: Date; expires_at: Date | null; revoked_at: Date | null }>`
    select id, prefix, created_at, expires_at, revoked_at from ${sql.table(table)}
      where organization_id = ${organizationId} and ${sql.ref(owner)} = ${ownerId} order by id desc`.execute(db);
  return rows.map((row) => ({
    _id: row.id,
    prefix: row.prefix,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at?.toISOString() ?? null,
    revokedAt: row.revoked_at?.toISOString() ?? null,
    isLiving: row.revoked_at === null && (row.expires_at === null || row.expires_at.getTime() > Date.now()),
  }));
}

export async function findKeyOwner(
  db: Db,
  organizationId: string,
  { table, owner }: KeyTable,
  id: string,
): Promise<{ ownerId: string; prefix: string } | undefined> {
  const { rows } = await sql<{ ownerId: string; prefix: string }>`
    select ${sql.ref(owner)} as "ownerId", prefix from ${sql.table(table)} where organization_id = ${organizationId} and id = ${id}`.execute(
    db,
  );
  return rows[0];
}

export async function insertKey(
  db: Db,
  organizationId: string,
  { table, owner }: KeyTable,
  { ownerId, key, prefix }: { ownerId: string; key: string; prefix: string },
): Promise<void> {
  await sql`insert into ${sql.table(table)} (organization_id, id, ${sql.ref(owner)}, key_hash, prefix)
    values (${organizationId}, ${newId()}, ${ownerId}, ${sha256(key)}, ${prefix})`.execute(db);
}

/** All of an owner's keys end then, unless they end sooner. */
export async function endKeys(db: Db, organizationId: string, { table, owner }: KeyTable, ownerId: string, endsAt: Date): Promise<void> {
  await sql`update ${sql.table(table)} set expires_at = ${endsAt}
    where organization_id = ${organizationId} and ${sql.ref(owner)} = ${ownerId} and revoked_at is null
      and (expires_at is null or expires_at > ${endsAt})`.execute(db);
}

export async function revokeKey(db: Db, organizationId: string, { table }: KeyTable, id: string): Promise<void> {
  await sql`update ${sql.table(table)} set revoked_at = now() where organization_id = ${organizationId} and id = ${id} and revoked_at is null`.execute(
    db,
  );
}
