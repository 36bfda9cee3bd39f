/** Ranges of card numbers with their moves, and who takes cards: numbers that begin with 9 belong to no card network. */
import type { Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import { readBinDigits } from '#server/bin/bin-digits.ts';
import { newId } from '#server/kit/ids.ts';
import type { InsertedOrganization } from './insert-world.ts';

/** What consumers of the demo pay with: how many of a hundred have such a card, and how often it is declined. */
export const CARDS = [
  { bin: '990010', issuer: 'Harbour State Bank', type: 'debit', move: 3, share: 41, declined: 0.14 },
  { bin: '990020', issuer: 'Coastal Credit Union', type: 'credit', move: 3, share: 27, declined: 0.1 },
  { bin: '990030', issuer: 'Riverbend Savings', type: 'debit', move: 2, share: 17, declined: 0.27 },
  { bin: '990040', issuer: 'Prepaid Partners', type: 'prepaid', move: 1, share: 9, declined: 0.58 },
  { bin: '990050', issuer: '', type: '', move: undefined, share: 6, declined: 0.36 },
] as const;

export async function insertBins(tx: Transaction<Database>, inserted: InsertedOrganization): Promise<void> {
  const { id: organization_id, verticals, world } = inserted;
  for (const { bin, issuer, type, move } of CARDS) {
    if (move === undefined) continue;
    const id = newId();
    const { first: first_bin, last: last_bin, digits } = readBinDigits(bin)!;
    await tx.insertInto('bin_range').values({ organization_id, id, first_bin, last_bin, digits, issuer, type, country: 'us' }).execute();
    await tx.insertInto('bin_move').values({ organization_id, id: newId(), bin_range_id: id, move }).execute();
  }
  for (const { place, ...processor } of world.processors ?? [])
    await tx
      .insertInto('payment_processor')
      .values({ organization_id, id: newId(), vertical_id: verticals.get(place)!.verticalId, ...processor })
      .execute();
}
