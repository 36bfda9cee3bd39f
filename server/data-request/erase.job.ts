/** Erases one consumer: leads first, then refused calls and sample leads that hold them; at the end the change log has the proof, with nothing of the person in it. */
import { normaliseLead } from '#engine/field.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import type { JobKind, JobStep, JobWork } from '#server/job/job-kind.ts';
import { keyedHash, openJson } from '#server/kit/crypto.ts';
import { SAMPLE } from '#server/lab/lab.sql.ts';
import { readPosted } from '#server/lead/mask-posting.ts';
import { isRefusal } from '#server/lead/posting.read.ts';
import type { KeptCall } from '#server/log/call.view.ts';
import type { Tx } from '#server/record/record-model.ts';
import { mayEverything, mayOpenSomewhere, pageVerticals } from '#server/session/session.policy.ts';
import { eraseCall, eraseLead } from './erase-lead.ts';
import { listToErase, type PersonSought } from './find-person.sql.ts';
import { erasedFields, findPlace, remembered, type VerticalPlace } from './vertical-place.ts';

export interface ErasureSettings extends PersonSought {
  reason: string;
  /** Leads that were found when it was asked for. */
  found: number;
}

type Place = { phase?: 'leads' | 'calls' | 'samples'; after?: string };

const PAGE = 'leadFlow-DataRequest';
const LEADS_OF_A_STEP = 20;
const CALLS_OF_A_STEP = 500;

export const erasure: JobKind = {
  kind: 'erasure',
  may: (person) => mayOpenSomewhere(person, PAGE),
  verticals: (person) => (mayEverything(person) ? undefined : pageVerticals(person, PAGE)),
  isSilent: true,
  step: eraseStep,
};

async function eraseStep(tx: Tx, work: JobWork): Promise<JobStep> {
  const { phase = 'leads', after } = work.place as Place;
  switch (phase) {
    case 'leads':
      return eraseLeads(tx, work, after);
    case 'calls':
      return eraseCalls(tx, work, after);
    case 'samples':
      return eraseSamples(tx, work);
  }
}

const stepped = (place: Place, rows: number, tally: Record<string, number>, isDone = false): JobStep => ({
  place,
  rows,
  tally: Object.fromEntries(Object.entries(tally).filter(([, count]) => count > 0)),
  bytes: 0,
  errors: [],
  isDone,
});

async function eraseLeads(tx: Tx, work: JobWork, after: string | undefined): Promise<JobStep> {
  const settings = work.settings as ErasureSettings;
  const ids = await listToErase(tx, work.organizationId, settings, after, LEADS_OF_A_STEP);
  const tally: Record<string, number> = {};
  const fieldsOf = erasedFields(tx, work.organizationId);
  for (const id of ids) {
    const done = await eraseLead(tx, work.keys, id, fieldsOf, { at: work.startedAt, jobId: work.id });
    for (const [word, count] of Object.entries(done)) tally[word] = (tally[word] ?? 0) + count;
  }
  // The ping of a lead is older than it, and may lie behind: it was found with it.
  const next: Place = ids.length < LEADS_OF_A_STEP ? { phase: 'calls' } : { phase: 'leads', after: ids.at(-1)! };
  return stepped(next, ids.length, tally);
}

/** Refused calls are found by no index: each of the organization is opened once. One whose body cannot be read holds what nobody can tell, and goes with its month. */
async function eraseCalls(tx: Tx, work: JobWork, after: string | undefined): Promise<JobStep> {
  const { hashes, verticalIds } = work.settings as ErasureSettings;
  const wanted = new Set(hashes);
  if (wanted.size === 0) return stepped({ phase: 'samples' }, 0, {});
  const rows = await tx
    .selectFrom('api_call as a')
    .innerJoin('publisher_tier as t', (join) =>
      join.onRef('t.organization_id', '=', 'a.organization_id').onRef('t.id', '=', 'a.publisher_tier_id'),
    )
    .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
    .select(['a.id', 'a.wire', 'a.lead_id', 'c.vertical_id'])
    .where('a.organization_id', '=', work.organizationId)
    .$if(after !== undefined, (select) => select.where('a.id', '>', after!))
    .orderBy('a.id')
    .limit(CALLS_OF_A_STEP)
    .execute();
  const vertical = remembered((id) => findPlace(tx, work.organizationId, id));
  let refusedCalls = 0;
  for (const row of rows) {
    if (row.lead_id !== null || !verticalIds.includes(row.vertical_id)) continue;
    const posting = readPosted(openJson<KeptCall>(work.keys, 'api_call.wire', row.id, row.wire));
    const place = await vertical(row.vertical_id);
    if (!place || isRefusal(posting) || !holds(work, place, posting.fields, wanted)) continue;
    await eraseCall(tx, work.keys, row.id);
    refusedCalls += 1;
  }
  return stepped(rows.length < CALLS_OF_A_STEP ? { phase: 'samples' } : { phase: 'calls', after: rows.at(-1)!.id }, rows.length, {
    refusedCalls,
  });
}

async function eraseSamples(tx: Tx, work: JobWork): Promise<JobStep> {
  const { hashes, verticalIds } = work.settings as ErasureSettings;
  const wanted = new Set(hashes);
  const rows = await tx
    .selectFrom('sample_lead')
    .select(['id', 'vertical_id', 'fields'])
    .where('organization_id', '=', work.organizationId)
    .where('vertical_id', 'in', verticalIds)
    .execute();
  const vertical = remembered((id) => findPlace(tx, work.organizationId, id));
  let samples = 0;
  for (const row of wanted.size === 0 ? [] : rows) {
    const place = await vertical(row.vertical_id);
    if (!place || !holds(work, place, openJson<Record<string, unknown>>(work.keys, SAMPLE, row.id, row.fields), wanted)) continue;
    await tx.deleteFrom('sample_lead').where('organization_id', '=', work.organizationId).where('id', '=', row.id).execute();
    samples += 1;
  }
  await prove(tx, work, { samples });
  return stepped({ phase: 'samples' }, rows.length, { samples }, true);
}

/** Whether one of its searchable values is the person's, as intake would have read it. */
function holds(
  { keys }: JobWork,
  { config, searchable }: VerticalPlace,
  values: Record<string, unknown>,
  wanted: ReadonlySet<string>,
): boolean {
  const { fields } = normaliseLead(config, values, true);
  return searchable.some((name) => fields[name] !== undefined && wanted.has(keyedHash(keys, 'lookup', fields[name])));
}

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
  const counts = { ...(job.tally as Record<string, number>), ...last };
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
      after: { reason, ...Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)) },
      rollsBack: null,
    },
  );
}
