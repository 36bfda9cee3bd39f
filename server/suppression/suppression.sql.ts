/** Suppression lists as tiers name them. */
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
