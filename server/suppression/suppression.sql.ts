/** Suppression lists as tiers name them. */
import { sql } from 'kysely';
import type { SuppressionLists } from '#engine/compile-tier.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { readSuppressionList } from '#server/plan/configuration.sql.ts';
import type { Tx } from '#server/record/record-model.ts';

/** The lists that a tier names, held until the change commits, so that nobody archives one meanwhile; else 400. */
export async function requireLists(tx: Tx, organizationId: string, ids: readonly string[]): Promise<SuppressionLists> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .selectFrom('suppression_list')
    .select(['id', 'name', 'status', 'holds', 'field_name', 'form'])
    .where('organization_id', '=', organizationId)
    .where('id', 'in', [...new Set(ids)])
    .forShare()
    .execute();
  const known = new Map(rows.map((row) => [row.id, row]));
  const wrong = ids.find((id) => (known.get(id)?.status ?? 'archived') === 'archived');
  if (wrong !== undefined) {
    const archived = known.get(wrong);
    const message = archived ? `The list ${archived.name} is archived. Restore it, or leave it out.` : 'There is no such suppression list.';
    const code = archived ? 'suppression_list_archived' : 'suppression_list_unknown';
    throw new HttpError(400, code, message, { errors: [{ field: 'suppressionLists', message }] });
  }
  return new Map(rows.map((row) => [row.id, readSuppressionList(row)]));
}

/** One sentence for each tier that is not archived. */
export async function listTiersUsing(tx: Tx, organizationId: string, listId: string): Promise<string[]> {
  const { rows } = await sql<{ what: string }>`
    select 'Publisher tier ' || t.name || ' of ' || p.name as what from publisher_tier t join publisher p on p.organization_id = t.organization_id and p.id = t.publisher_id
      where t.organization_id = ${organizationId}::uuid and t.status <> 'archived' and ${listId}::uuid = any(t.suppression_lists)
    union all
    select 'Buyer tier ' || t.name || ' of ' || b.name from buyer_tier t join buyer b on b.organization_id = t.organization_id and b.id = t.buyer_id
      where t.organization_id = ${organizationId}::uuid and t.status <> 'archived' and ${listId}::uuid = any(t.suppression_lists)
    order by 1`.execute(tx);
  return rows.map(({ what }) => `${what} uses it.`);
}
