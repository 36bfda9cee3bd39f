/** Brings the help that comes with the product into the database. */
import { isDeepStrictEqual } from 'node:util';
import type { HelpText } from '#contract/help.ts';
import type { Db } from '#server/kit/database.ts';
import { type HelpChange, type HelpRow, listHelp, lockHelp, putHelp, type Shipped, setShipped } from './help.sql.ts';

const PRODUCT = 'Sluice';

/**
 * At every start: what is new is added, what nobody has changed follows the product, somebody's own words stay. What the product no longer
 * brings goes, unless somebody has made it their own.
 */
export async function loadHelp(db: Db, content: readonly HelpText[]): Promise<void> {
  if (isNothing(stepsOf(await listHelp(db), content))) return;
  await db.transaction().execute(async (tx) => {
    await lockHelp(tx);
    const { changes, remembered } = stepsOf(await listHelp(tx), content);
    await putHelp(tx, changes);
    for (const { row, shipped } of remembered) await setShipped(tx, row.kind, row.key, shipped);
  });
}

interface Steps {
  changes: HelpChange[];
  /** Of entries that are somebody's own. */
  remembered: { row: HelpRow; shipped: Shipped | null }[];
}

const isNothing = ({ changes, remembered }: Steps): boolean => changes.length + remembered.length === 0;
const nameOf = ({ kind, key }: { kind: string; key: string }): string => `${kind} ${key}`;

function stepsOf(rows: HelpRow[], content: readonly HelpText[]): Steps {
  const steps: Steps = { changes: [], remembered: [] };
  const known = new Map(rows.map((row) => [nameOf(row), row]));
  for (const text of content) {
    const row = known.get(nameOf(text));
    known.delete(nameOf(text));
    const shipped = { tags: text.tags, body: text.body };
    if (row && isDeepStrictEqual(row.shipped, shipped)) continue;
    // Something added here under the same name is somebody's own as well.
    if (row?.is_own) steps.remembered.push({ row, shipped });
    else steps.changes.push(broughtBy(text, shipped, row?.version ?? 0, false));
  }
  for (const row of known.values()) {
    if (row.shipped === null) continue;
    if (row.is_own) steps.remembered.push({ row, shipped: null });
    else steps.changes.push(broughtBy(row, null, row.version, true));
  }
  return steps;
}

function broughtBy(
  { kind, key, tags, body }: { kind: string; key: string; tags: string[]; body: unknown },
  shipped: Shipped | null,
  version: number,
  is_removed: boolean,
): HelpChange {
  return { kind, key, tags, body, version: version + 1, is_removed, shipped, is_own: false, changed_by: PRODUCT };
}
