/** A list as long as it is, page by page while it is read. */
import { setImmediate } from 'node:timers/promises';

/** Rows of a page that is read for a file. */
export const FILE_PAGE = 200;
/** Rows between two looks at what else there is to do: a lead that comes in does not wait for a whole page. */
const YIELD_EVERY = 20;

export interface WalkedPage<Row> {
  rows: readonly Row[];
  /** Where the next page begins; null at the end. */
  older: string | null;
}

/** `read` is asked for each page, and throws when the reader may read no further. */
export async function* walkPages<Row>(read: (before: string | undefined) => Promise<WalkedPage<Row>>): AsyncGenerator<Row> {
  let before: string | undefined;
  do {
    const { rows, older } = await read(before);
    for (const [at, row] of rows.entries()) {
      if (at % YIELD_EVERY === 0) await setImmediate();
      yield row;
    }
    before = older ?? undefined;
  } while (before);
}
