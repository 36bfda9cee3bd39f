/** An export, as a background job: a stretch of its span at each step, into a sealed file, as long as whoever asked for it may. */
import { setImmediate } from 'node:timers/promises';
import { CSV_MARK } from '#contract/csv.ts';
import type { ExportContent } from '#contract/export.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { JobFailed, type JobKind, type JobStep, type JobWork } from '#server/job/job-kind.ts';
import { idFloor, idInstant } from '#server/kit/ids.ts';
import { beyondTenant } from '#server/kit/tenant.ts';
import type { Tx } from '#server/record/record-model.ts';
import { mayEverything, mayOpenPageIn, mayOpenSomewhere, mayUnmask, pageVerticals } from '#server/session/session.policy.ts';
import { findPerson, type SignedIn } from '#server/session/session.sql.ts';
import { listExportFields, openRowWriter, showsPersons } from './export-columns.ts';
import { addPart, endFile, findFile, holdPersons } from './export-file.sql.ts';
import { nextLeadIds, readExportRows } from './export-rows.sql.ts';

export const EXPORT_PAGE = 'dataMgmt-Outbound';
export const EXPORT_JOB = 'export';

export interface ExportSettings {
  content: ExportContent;
  from: string;
  to: string;
  reason: string;
  /** Where it was asked from; for the change log. */
  address: string;
}

/** Leads looked at in a step. */
const LEADS_OF_A_STEP = 1_000;
/** Rows between two looks at what else there is to do. */
const YIELD_EVERY = 20;

type Place = { after?: string; part?: number };

export const exportJob: JobKind = {
  kind: EXPORT_JOB,
  may: (person) => mayOpenSomewhere(person, EXPORT_PAGE),
  maySubject: (person, verticalId) => verticalId !== null && mayOpenPageIn(person, EXPORT_PAGE, verticalId),
  subjects: (person) => (mayEverything(person) ? undefined : pageVerticals(person, EXPORT_PAGE)),
  step: exportStep,
};

async function exportStep(tx: Tx, work: JobWork): Promise<JobStep> {
  const { organizationId, keys, id, subjectId: verticalId } = work;
  const { content, from, to } = work.settings as ExportSettings;
  const place = work.place as Place;
  const [after, part] = [place.after ?? idFloor(Date.parse(from)), place.part ?? 0];
  await holdPersons(tx, organizationId);
  const file = await findFile(tx, organizationId, id);
  if (!file || file.erased_at) throw new JobFailed('A person in it was erased while it was made, so its file was deleted. Export again.');
  const fields = await listExportFields(tx, organizationId, verticalId!);
  const person = await beyondTenant(tx, (all) => findPerson(all, work.personId, organizationId));
  if (!mayStill(person, verticalId!, showsPersons(content, fields)))
    throw new JobFailed('Whoever started it may not export here any more, so its file was deleted.');
  const ids = await nextLeadIds(tx, { organizationId, verticalId: verticalId!, after, before: idFloor(Date.parse(to)) }, LEADS_OF_A_STEP);
  const rows = await readExportRows(tx, organizationId, verticalId!, ids, content, 'asked');
  const writer = openRowWriter(content, fields, keys);
  const lines = part === 0 ? [...(content.format === 'csv' ? [CSV_MARK] : []), writer.head] : [];
  for (const [at, row] of rows.entries()) {
    if (at % YIELD_EVERY === 0) await setImmediate();
    lines.push(writer.write(row));
  }
  const text = lines.join('');
  if (text !== '')
    await addPart(
      tx,
      keys,
      { id, keptUntil: file.kept_until },
      part,
      text,
      rows.map((row) => row.id),
    );
  const isDone = ids.length < LEADS_OF_A_STEP;
  if (isDone) await finish(tx, work, person!, file.name, Number(file.row_count) + rows.length);
  const reached = isDone ? Date.parse(to) : idInstant(ids.at(-1)!);
  return {
    place: { after: ids.at(-1) ?? after, part: text === '' ? part : part + 1 } satisfies Place,
    // Of its progress: how much of the span it is through, in seconds.
    bytes: Math.max(0, Math.round((reached - (place.after ? idInstant(place.after) : Date.parse(from))) / 1000)),
    rows: ids.length,
    tally: rows.length > 0 ? { exported: rows.length } : {},
    errors: [],
    isDone,
  };
}

/** Asked at every step, and before every part that is handed out. */
export const mayStill = (person: SignedIn | undefined, verticalId: string, personal: boolean): boolean =>
  person !== undefined && person.bound === null && mayOpenPageIn(person, EXPORT_PAGE, verticalId) && (!personal || mayUnmask(person));

async function finish(tx: Tx, { organizationId, id, subjectId, settings }: JobWork, person: SignedIn, name: string, rows: number) {
  await endFile(tx, organizationId, id);
  const { content, from, to, reason, address } = settings as ExportSettings;
  const fields = await listExportFields(tx, organizationId, subjectId!);
  if (!showsPersons(content, fields)) return;
  await insertChange(tx, person, {
    ...{ address, model: 'leadExport', recordId: id, recordName: name, action: 'look', before: {}, rollsBack: null },
    after: { reason, leads: rows, from, to, columns: content.columns.join(', ') },
  });
}
