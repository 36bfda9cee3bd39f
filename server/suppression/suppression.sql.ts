/** Suppression lists as tiers name them. */
import type { SuppressionLists } from '#engine/compile-tier.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { readSuppressionList } from '#server/plan/configuration.sql.ts';
import type { Tx } from '#server/record/record-model.ts';
import type { EntryList } from './entry-hash.ts';

const DAY_MS = 86_400_000;

export interface FillableList {
  list: EntryList;
  /** Of entries that bring no day of their own; null where they stay. `nowMs` is when they were given. */
  expiresAt: (nowMs: number) => Date | null;
}

/** A list and all that its entries are read by; undefined when there is none or it is archived. Locked until the transaction ends where `lock` is given. */
export async function findFillableList(tx: Tx, organizationId: string, listId: string, lock = false): Promise<FillableList | undefined> {
  const row = await tx
    .selectFrom('suppression_list')
    .select(['holds', 'form', 'country', 'field_name', 'entry_days'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', listId)
    .where('status', '<>', 'archived')
    .$if(lock, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!row) return undefined;
  const fields = row.field_name === null ? [] : await findFieldsNamed(tx, organizationId, row.field_name);
  return {
    list: { holds: row.holds, form: row.form, country: row.country, fields } as EntryList,
    expiresAt: (nowMs) => (row.entry_days === null ? null : new Date(nowMs + row.entry_days * DAY_MS)),
  };
}

/** Of all verticals, the oldest first: a list of texts may be named by tiers of any of them. */
async function findFieldsNamed(tx: Tx, organizationId: string, fieldName: string): Promise<EntryList['fields']> {
  const rows = await tx
    .selectFrom('field as f')
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'f.organization_id').onRef('v.id', '=', 'f.vertical_id'))
    .innerJoin('region as r', (join) => join.onRef('r.organization_id', '=', 'v.organization_id').onRef('r.id', '=', 'v.region_id'))
    .select(['f.type', 'f.options', 'r.country'])
    .where('f.organization_id', '=', organizationId)
    .where('f.field_name', '=', fieldName)
    .where('v.status', '<>', 'archived')
    .orderBy('v.id')
    .execute();
  return rows.map(({ type, options, country }) => ({ type, country, ...(options && { options }) }) as EntryList['fields'][number]);
}

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
