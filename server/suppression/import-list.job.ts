/** Fills a suppression list from a file: values are normalised as those of leads are, and only their hashes are kept. */
import { type Importer, importStep } from '#server/import/import-step.ts';
import { JobFailed, type JobKind, type JobWork } from '#server/job/job-kind.ts';
import type { Tx } from '#server/record/record-model.ts';
import { beginGeneration, type NewEntry, putEntries, removeEarlier, removeEntries } from './entry.sql.ts';
import { type EntryList, entryProblem, findHashes, hashEntry, type KeptEntry } from './entry-hash.ts';
import { mayImportLists } from './suppression.policy.ts';
import { findFillableList } from './suppression.sql.ts';

interface ListContext {
  list: EntryList;
  /** Of entries that bring no day of their own. */
  expiresAt: Date | null;
}

const DAY_MS = 86_400_000;
const keyOf = ({ organizationId, subjectId }: JobWork) => ({ organizationId, listId: subjectId! });

/** A row is an entry: to be kept under each way in which it is read, or to be taken out wherever it stands. */
type Row = { add: NewEntry[] } | { remove: KeptEntry };

const importer: Importer<Row> = {
  async begin(tx, work, { mode }) {
    if (mode === 'replace') await beginGeneration(tx, keyOf(work));
  },
  context: findContext,
  read(cell, { keys }, { mode }, context) {
    const { list, expiresAt } = context as ListContext;
    if (mode === 'remove') {
      const kept = findHashes(keys, list, cell('value'));
      return kept ? { remove: kept } : entryProblem(list);
    }
    const hashes = hashEntry(keys, list, cell('value'));
    if (hashes.length === 0) return entryProblem(list);
    const day = cell('expires');
    if (day === '') return { add: hashes.map((hash) => ({ hash, expiresAt })) };
    return /^\d{4}-\d{2}-\d{2}$/.test(day) && !Number.isNaN(Date.parse(day))
      ? { add: hashes.map((hash) => ({ hash, expiresAt: new Date(Date.parse(day) + DAY_MS) })) }
      : 'has a day of expiry that is none: write 2027-03-31';
  },
  async store(tx, work, { mode }, rows) {
    if (mode === 'remove') {
      const kept = rows.flatMap((row) => ('remove' in row ? [row.remove] : []));
      const { removed, found } = await removeEntries(tx, keyOf(work), kept);
      return { removed, unknown: kept.length - found };
    }
    const entries = rows.flatMap((row) => ('add' in row ? row.add : []));
    const added = await putEntries(tx, keyOf(work), entries);
    return { added, known: entries.length - added };
  },
  removeRest: (tx, work, most) => removeEarlier(tx, keyOf(work), most),
};

async function findContext(tx: Tx, { organizationId, subjectId, startedAt }: JobWork): Promise<ListContext> {
  const found = await findFillableList(tx, organizationId, subjectId!);
  if (!found) throw new JobFailed('The list was archived meanwhile. Restore it and start the import again.');
  return { list: found.list, expiresAt: found.expiresAt(startedAt.getTime()) };
}

export const suppressionImport: JobKind = {
  kind: 'suppressionImport',
  may: mayImportLists,
  inTurn: true,
  step: (tx, work) => importStep(tx, work, importer),
};
