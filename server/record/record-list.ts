/** A list of records as the generic data calls answer it: a page of it, how many there are in all, and whether that is all. */
import { countRows, LIST_MOST, type Listing, listRows } from './record.sql.ts';
import { type Change, forbidden } from './record-change.ts';
import { viewRecord } from './record-data.ts';
import type { RecordModel, Row } from './record-model.ts';

export async function listRecords(change: Pick<Change, 'tx' | 'person' | 'keys'>, model: RecordModel, listing: Listing = {}) {
  const { rows, total } = await readPage(change, model, listing);
  const isCut = (listing.skip ?? 0) + rows.length < total;
  return { status: true as const, data: rows.map((row) => viewRecord(model, row, change.keys, listing.fields)), total, isCut };
}

async function readPage(
  { tx, person }: Pick<Change, 'tx' | 'person'>,
  model: RecordModel,
  listing: Listing,
): Promise<{ rows: Row[]; total: number }> {
  if (!model.mayRead(person)) throw forbidden();
  const { skip = 0, limit = LIST_MOST, ...rest } = listing;
  if (model.mayReadRow) {
    // Which of these few the person sees is decided row by row, and only then counted.
    const seen = await listRows(tx, model, person, rest);
    return { rows: seen.slice(skip, skip + limit), total: seen.length };
  }
  const rows = await listRows(tx, model, person, listing);
  const isWhole = skip === 0 && rows.length < Math.min(limit, LIST_MOST);
  return { rows, total: isWhole ? rows.length : await countRows(tx, model, person, listing) };
}
