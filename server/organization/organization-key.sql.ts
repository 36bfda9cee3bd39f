/** Keys of organizations. */
import type { OrganizationKeyView } from '#contract/organization-key.ts';
import { sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';

/** Of which organization a key is; undefined for one that was revoked or never was. */
export async function findKeyOwner(db: Db, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('organization_key as k')
    .innerJoin('organization as o', 'o.id', 'k.organization_id')
    .select('k.organization_id')
    .where('k.key_hash', '=', sha256(key))
    .where('k.revoked_at', 'is', null)
    .where('o.status', '<>', 'suspended')
    .executeTakeFirst();
  return row?.organization_id;
}

/** The newest first. */
export async function listKeys(db: Db, organizationId: string): Promise<OrganizationKeyView[]> {
  const rows = await db
    .selectFrom('organization_key')
    .select(['id', 'name', 'hint', 'created_at', 'revoked_at'])
    .where('organization_id', '=', organizationId)
    .orderBy('id', 'desc')
    .limit(100)
    .execute();
  return rows.map((row) => ({
    _id: row.id,
    name: row.name,
    hint: row.hint,
    createdAt: row.created_at.toISOString(),
    revokedAt: row.revoked_at?.toISOString() ?? null,
  }));
}
