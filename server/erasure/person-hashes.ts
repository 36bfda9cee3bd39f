/** By what an erased person is known again: keyed hashes of e-mail addresses and phone numbers, as intake reads them. */
import { EXPORT_MOST } from '#contract/data-request.ts';
import type { FieldConfig } from '#engine/plan.ts';
import { listFound, type PersonSought } from '#server/data-request/find-person.sql.ts';
import { erasedFields } from '#server/data-request/vertical-place.ts';
import { keyedHash, type OrganizationKeys, Unreadable } from '#server/kit/crypto.ts';
import { openStoredFields } from '#server/lead/stored-fields.ts';
import type { Tx } from '#server/record/record-model.ts';

/** The hashes under which a lead may be refused; `fields` are normalised. */
export function personHashes(
  keys: OrganizationKeys,
  types: readonly Pick<FieldConfig, 'type' | 'fieldName'>[],
  fields: Readonly<Record<string, string>>,
): string[] {
  const values = types.flatMap(({ type, fieldName }) => (type === 'email' || type === 'phone' ? (fields[fieldName] ?? []) : []));
  return [...new Set(values)].map((value) => keyedHash(keys, 'lookup', value));
}

/** What was sought, and all addresses and numbers of the leads that it found; of a value that so many leads have, which is nobody's own, only that. */
export async function hashesOfFound(tx: Tx, keys: OrganizationKeys, sought: PersonSought): Promise<string[]> {
  const { organizationId } = keys;
  const ids = await listFound(tx, organizationId, sought, undefined, EXPORT_MOST + 1);
  const rows =
    ids.length === 0 || ids.length > EXPORT_MOST
      ? []
      : await tx
          .selectFrom('lead')
          .select(['id', 'vertical_id', 'fields'])
          .where('organization_id', '=', organizationId)
          .where('id', 'in', ids)
          .execute();
  const fieldsOf = erasedFields(tx, organizationId);
  const hashes = new Set(sought.hashes);
  for (const row of rows) {
    const fields = fieldsIn(keys, row);
    for (const hash of personHashes(keys, await fieldsOf(row.vertical_id), fields)) hashes.add(hash);
  }
  return [...hashes];
}

/** Of a lead that nobody can open there are none. */
function fieldsIn(keys: OrganizationKeys, row: { id: string; fields: Buffer }): Record<string, string> {
  try {
    return openStoredFields(keys, row.id, row.fields).fields;
  } catch (error) {
    if (error instanceof Unreadable) return {};
    throw error;
  }
}
