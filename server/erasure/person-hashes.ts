/** By what an erased person is known again: keyed hashes of e-mail addresses and phone numbers, as intake reads them. */
import { EXPORT_MOST } from '#contract/data-request.ts';
import type { FieldConfig } from '#engine/plan.ts';
import { idsOf, listFound, listShared, type PersonSought } from '#server/data-request/find-person.sql.ts';
import { longNumbersOf } from '#server/data-request/own-value.ts';
import { findPlace, remembered } from '#server/data-request/vertical-place.ts';
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

export interface FoundHashes {
  /** What was sought, and the addresses and phone numbers of the leads that it found: new leads of theirs are refused by them. */
  refused: string[];
  /** Those, and the long numbers of these leads: refused calls and sample leads are known by them. */
  known: string[];
}

/**
 * Of a value that so many leads have, which is nobody's own, nothing but what was sought counts; nor does a value of the leads found that so many leads
 * have, such as a landline or none@example.com.
 */
export async function hashesOfFound(tx: Tx, keys: OrganizationKeys, sought: PersonSought): Promise<FoundHashes> {
  const { organizationId } = keys;
  const ids = idsOf(await listFound(tx, organizationId, sought, undefined, EXPORT_MOST + 1));
  const rows =
    ids.length === 0 || ids.length > EXPORT_MOST
      ? []
      : await tx
          .selectFrom('lead')
          .select(['id', 'vertical_id', 'fields'])
          .where('organization_id', '=', organizationId)
          .where('id', 'in', ids)
          .execute();
  const placeOf = remembered((id) => findPlace(tx, organizationId, id));
  const [addresses, numbers] = [new Set<string>(), new Set<string>()];
  for (const row of rows) {
    const [fields, place] = [fieldsIn(keys, row), await placeOf(row.vertical_id)];
    if (!place) continue;
    for (const hash of personHashes(keys, place.config.fields, fields)) addresses.add(hash);
    for (const number of longNumbersOf(place, fields)) numbers.add(keyedHash(keys, 'lookup', number));
  }
  const shared = await listShared(tx, organizationId, [...addresses, ...numbers], EXPORT_MOST);
  const own = (hashes: Set<string>) => [...hashes].filter((hash) => !shared.has(hash));
  const refused = [...new Set([...sought.hashes, ...own(addresses)])];
  return { refused, known: [...new Set([...refused, ...own(numbers)])] };
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
