/** What is still written of a lead whose person was erased. */
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { DOTS } from './mask.ts';
import { openIfSound } from './stored-fields.ts';

/** Whether its person was taken out of it already. The lead is held until the transaction ends, so that it is not erased meanwhile. */
export async function isPersonGone(tx: Db, keys: OrganizationKeys, leadId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('lead')
    .select('fields')
    .where('organization_id', '=', keys.organizationId)
    .where('id', '=', leadId)
    .forShare()
    .executeTakeFirst();
  if (!row) return false;
  const stored = openIfSound(keys, leadId, row.fields);
  // Of one that was damaged nobody can tell: no word is kept of it.
  return stored === undefined || stored.erased !== undefined;
}

/** Of somebody who was erased nobody can tell any more which words are theirs. */
export const withoutWords = (text: string): string => (text === '' ? '' : DOTS);

/** What is kept of a text that is written about a lead, in the transaction that stores it. */
export async function keptWords(tx: Db, keys: OrganizationKeys, leadId: string, text: string): Promise<string> {
  return text !== '' && (await isPersonGone(tx, keys, leadId)) ? withoutWords(text) : text;
}
