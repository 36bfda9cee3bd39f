/** Every record of a list, however long, as the list stood when it was asked for. */
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { isAnyOf, LIST_MOST, type Listing, listIds, listRows } from './record.sql.ts';
import type { RecordModel, Row } from './record-model.ts';

export interface Walk {
  db: Db;
  model: RecordModel;
  listing: Omit<Listing, 'skip' | 'limit' | 'fields'>;
  /** The right is asked for again with each page; throws when it is gone. */
  enter: () => Promise<SignedIn>;
  pageSize?: number;
}

/** What others change of its order or length meanwhile moves no other record out of it; what they remove or what no longer fits falls away. */
export async function* walkRecords({ db, model, listing, enter, pageSize = LIST_MOST }: Walk): AsyncGenerator<Row> {
  const person = await enter();
  const ids = await inTenant(db, person.organizationId, (tx) => listIds(tx, model, person, listing));
  const { sort: _, ...found } = listing;
  for (let begin = 0; begin < ids.length; begin += pageSize) {
    const wanted = ids.slice(begin, begin + pageSize);
    const still = await enter();
    const page = await inTenant(db, still.organizationId, (tx) =>
      listRows(tx, model, still, { ...found, conditions: [...(listing.conditions ?? []), isAnyOf(wanted)] }),
    );
    const byId = new Map(page.map((row) => [String(row.id), row]));
    for (const id of wanted) if (byId.has(id)) yield byId.get(id)!;
  }
}
