/** What is set right at a buyer tier by a button instead of a form: by whoever may set the tier up, and the change log says who. */
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { lockRow } from '#server/record/record.sql.ts';
import type { Change } from '#server/record/record-change.ts';
import { nameOf, type Row } from '#server/record/record-model.ts';
import { buyerTier } from './buyer.models.ts';

/** The tier, locked until the change commits; 404 `buyer_tier_unknown` where it is not there for the person. */
export async function requireTierByHand({ tx, person }: Change, id: string): Promise<Row> {
  const row = isId(id) && buyerTier.mayWrite(person) ? await lockRow(tx, buyerTier, person, id) : undefined;
  if (!row || row.status === 'archived') throw new HttpError(404, 'buyer_tier_unknown', 'There is no such buyer tier in your reach.');
  return row;
}

export const noteByHand = ({ tx, person, address }: Change, row: Row, before: Row, after: Row): Promise<void> =>
  insertChange(tx, person, {
    ...{ address, model: 'buyerTier', recordId: String(row.id), recordName: nameOf(buyerTier, row), action: 'edit' },
    ...{ before, after, rollsBack: null },
  });
