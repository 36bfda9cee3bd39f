/** Erases one consumer as a job; at the end the change log has the proof, with nothing of the person in it. */
import { insertChange } from '#server/change-log/change-log.sql.ts';
import type { JobKind, JobStep, JobWork } from '#server/job/job-kind.ts';
import type { Tx } from '#server/record/record-model.ts';
import { mayEverything, mayOpenSomewhere, pageVerticals } from '#server/session/session.policy.ts';
import { type ErasePlace, erasePersonStep } from './erase-person.ts';
import type { PersonSought } from './find-person.sql.ts';

export interface ErasureSettings extends PersonSought {
  reason: string;
  /** Leads that were found when it was asked for. */
  found: number;
  /** Hashes by which the person is known in what is no lead; absent of jobs from before these were kept. */
  known?: string[];
}

const PAGE = 'leadFlow-DataRequest';

export const erasure: JobKind = {
  kind: 'erasure',
  may: (person) => mayOpenSomewhere(person, PAGE),
  verticals: (person) => (mayEverything(person) ? undefined : pageVerticals(person, PAGE)),
  isSilent: true,
  mustEnd: true,
  step: eraseStep,
};

async function eraseStep(tx: Tx, work: JobWork): Promise<JobStep> {
  const { organizationId, keys, id, startedAt } = work;
  const sought = work.settings as ErasureSettings;
  const erased = { organizationId, keys, sought, known: sought.known ?? sought.hashes, mark: { at: startedAt, jobId: id } };
  const { place, rows, tally } = await erasePersonStep(tx, erased, work.place as ErasePlace);
  const isDone = place === undefined;
  if (isDone) await prove(tx, work, tally);
  return { place: place ?? work.place, rows, tally: told(tally), bytes: 0, errors: [], isDone };
}

/** Without what there was none of. */
export const told = (tally: Record<string, number>): Record<string, number> =>
  Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0));

/** What was done, by whom and why, as the last act of it. */
async function prove(tx: Tx, { organizationId, id, settings }: JobWork, last: Record<string, number>): Promise<void> {
  const job = await tx
    .selectFrom('job as j')
    .innerJoin('app_user as u', 'u.id', 'j.person_id')
    .select(['j.tally', 'u.id as userId', 'u.first_name as firstName', 'u.last_name as lastName', 'u.email'])
    .where('j.organization_id', '=', organizationId)
    .where('j.id', '=', id)
    .executeTakeFirstOrThrow();
  const { reason, found } = settings as ErasureSettings;
  const counts = { ...(job.tally as Record<string, number>) };
  for (const [word, count] of Object.entries(last)) counts[word] = (counts[word] ?? 0) + count;
  await insertChange(
    tx,
    { organizationId, ...job },
    {
      address: '',
      model: 'personalData',
      recordId: id,
      recordName: 'one person, done',
      action: 'erase',
      before: { leads: found },
      after: { reason, ...told(counts) },
      rollsBack: null,
    },
  );
}
