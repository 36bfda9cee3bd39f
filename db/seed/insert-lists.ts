/** A do-not-contact list that every publisher tier goes by, and some banks with their moves; the people of the demo are on no list, their banks in none. */
import type { Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import { hashEntry } from '#server/suppression/entry-hash.ts';

const OPTED_OUT = 250;
const LIST = { holds: 'email', form: 'plain', country: 'us', fields: [] } as const;

/** Numbers that are given out to no bank: the check digit is right, the first two digits are not. */
const BANKS = [
  { code: '130000006', name: 'Harbour State Bank', move: 3 },
  { code: '140000009', name: 'Prepaid Partners', move: 1 },
  { code: '150000002', name: 'Coastal Credit Union', move: 2 },
];

export async function insertLists(tx: Transaction<Database>, keys: OrganizationKeys): Promise<void> {
  const { organizationId: organization_id } = keys;
  const id = newId();
  const list = { name: 'Do not contact', notes: 'Opt-outs of all sites.', entry_count: OPTED_OUT };
  await tx
    .insertInto('suppression_list')
    .values({ organization_id, id, ...list, holds: LIST.holds })
    .execute();
  const entries = Array.from({ length: OPTED_OUT }, (_, n) => ({
    ...{ organization_id, list_id: id, generation: 0 },
    value_hash: hashEntry(keys, LIST, `opted.out.${n}@example.com`)[0]!,
  }));
  await tx.insertInto('suppression_entry').values(entries).execute();
  await tx
    .updateTable('publisher_tier')
    .set({ suppression_lists: [id] })
    .where('organization_id', '=', organization_id)
    .execute();
  const banks = BANKS.map((bank) => ({ organization_id, id: newId(), country: 'us', ...bank }));
  await tx.insertInto('bank').values(banks).execute();
}
