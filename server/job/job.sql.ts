/** Background jobs as they are kept. */
import { sql } from 'kysely';
import { JOB_ERRORS_KEPT } from '#contract/job.ts';
import { dropParts } from '#server/export/export-file.sql.ts';
import { boundTo, type OrganizationKeys, open, seal } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import type { JobStep } from './job-kind.ts';

export interface NewJob {
  kind: string;
  name: string;
  subjectId: string | null;
  settings: unknown;
  personId: string;
}

export async function insertJob(db: Db, organizationId: string, job: NewJob): Promise<string> {
  const id = newId();
  await db
    .insertInto('job')
    .values({
      organization_id: organizationId,
      id,
      kind: job.kind,
      name: job.name,
      subject_id: job.subjectId,
      settings: JSON.stringify(job.settings),
      person_id: job.personId,
    })
    .execute();
  return id;
}

const boundPart = (organizationId: string, jobId: string, part: number) => boundTo(organizationId, 'job_part.body', `${jobId} ${part}`);

/** A part that comes again is the same part. */
export async function putPart(db: Db, keys: OrganizationKeys, jobId: string, part: number, body: Buffer): Promise<void> {
  const { organizationId } = keys;
  const sealed = seal(keys.data, boundPart(organizationId, jobId, part), body);
  await db
    .insertInto('job_part')
    .values({ organization_id: organizationId, job_id: jobId, part, body: sealed })
    .onConflict((conflict) => conflict.columns(['organization_id', 'job_id', 'part']).doUpdateSet({ body: sealed }))
    .execute();
}

export async function findPart(db: Db, keys: OrganizationKeys, jobId: string, part: number): Promise<Buffer | undefined> {
  const { organizationId } = keys;
  const row = await db
    .selectFrom('job_part')
    .select('body')
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', jobId)
    .where('part', '=', part)
    .executeTakeFirst();
  return row && open(keys.data, boundPart(organizationId, jobId, part), row.body);
}

/** Numbers of the parts that are there, in order. */
export async function listPartNumbers(db: Db, organizationId: string, jobId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('job_part')
    .select('part')
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', jobId)
    .orderBy('part')
    .execute();
  return rows.map(({ part }) => part);
}

/** What sealing adds to each part. */
const SEAL_BYTES = 29;

/** 0 where it is not there yet. */
export async function bytesOfPart(db: Db, organizationId: string, jobId: string, part: number): Promise<number> {
  const row = await db
    .selectFrom('job_part')
    .select(sql<number>`octet_length(body)`.as('sealed'))
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', jobId)
    .where('part', '=', part)
    .executeTakeFirst();
  return row ? row.sealed - SEAL_BYTES : 0;
}

/** A part of it came, by which it is `more` bytes larger. */
export async function noteHeard(db: Db, organizationId: string, jobId: string, more: number): Promise<void> {
  await db
    .updateTable('job')
    .set({ bytes: sql`bytes + ${more}`, heard_at: sql`clock_timestamp()` })
    .where('organization_id', '=', organizationId)
    .where('id', '=', jobId)
    .execute();
}

/** How many parts there are from 0 on without a gap, and what they come to. */
export async function sumParts(db: Db, organizationId: string, jobId: string): Promise<{ parts: number; bytes: number }> {
  const { rows } = await sql<{ parts: number; last: number | null; bytes: number }>`
    select count(*)::int as parts, max(part) as last, coalesce(sum(octet_length(body) - ${sql.lit(SEAL_BYTES)}), 0)::bigint as bytes
      from job_part where organization_id = ${organizationId}::uuid and job_id = ${jobId}::uuid`.execute(db);
  const { parts, last, bytes } = rows[0]!;
  return { parts: (last ?? -1) + 1 === parts ? parts : 0, bytes };
}

export function findJob(db: Db, organizationId: string, jobId: string) {
  return db.selectFrom('job').selectAll().where('organization_id', '=', organizationId).where('id', '=', jobId).executeTakeFirst();
}
export type JobRow = NonNullable<Awaited<ReturnType<typeof findJob>>>;

export function lockJob(db: Db, organizationId: string, jobId: string) {
  return db
    .selectFrom('job')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', jobId)
    .forUpdate()
    .executeTakeFirst();
}

/** Nothing is heard of it afterwards: `heard_at` is when it was begun. Who begins another at the same moment waits, so that what commits later is later. */
export async function startJob(db: Db, organizationId: string, jobId: string, handedIn: { parts: number; bytes: number }): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`jobs begun by ${organizationId}`}, 0))`.execute(db);
  await db
    .updateTable('job')
    .set({ status: 'waiting', heard_at: sql`clock_timestamp()`, ...handedIn })
    .where('organization_id', '=', organizationId)
    .where('id', '=', jobId)
    .execute();
}

/** Ends it; what was handed in is not needed any more. */
export async function endJob(
  db: Db,
  organizationId: string,
  jobId: string,
  status: 'done' | 'failed' | 'cancelled',
  failure: string | null = null,
): Promise<void> {
  await db
    .updateTable('job')
    .set({ status, failure, ended_at: sql`clock_timestamp()`, lease_holder: null, lease_until: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', jobId)
    .execute();
  await db.deleteFrom('job_part').where('organization_id', '=', organizationId).where('job_id', '=', jobId).execute();
  if (status !== 'done') await dropParts(db, organizationId, jobId);
}

/** Kinds that are looked for, and those of them of which one job waits for another. */
export interface Claimed {
  kinds: readonly string[];
  inTurn: readonly string[];
}

/** Whether o, of the same kind and subject, comes before j: what has started, then what was begun earlier. */
const isBefore = sql<boolean>`(o.organization_id = j.organization_id and o.kind = j.kind and o.subject_id is not distinct from j.subject_id
  and o.status in ('waiting', 'running') and (o.status <> 'running', o.heard_at, o.id) < (j.status <> 'running', j.heard_at, j.id))`;

/** A job j that no node is at: it waits, was let go of, or its node was lost; and it is its turn. */
const isFree = ({ kinds, inTurn }: Claimed) =>
  sql<boolean>`(j.status in ('waiting', 'running') and j.kind = any(${kinds}::text[]) and (j.lease_until is null or j.lease_until < clock_timestamp())
    and not (j.kind = any(${inTurn}::text[]) and exists (select from job o where ${isBefore})))`;

/** The free job, of any organization, that has waited longest since a node was at it or it was made. Undefined when there is none. */
export async function claimJob(
  db: Db,
  nodeId: string,
  claimed: Claimed,
  leaseMs: number,
): Promise<{ organizationId: string; id: string; kind: string } | undefined> {
  const { rows } = await sql<{ organization_id: string; id: string; kind: string }>`
    update job set status = 'running', started_at = coalesce(started_at, clock_timestamp()), lease_holder = ${nodeId}::uuid,
      lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond'
    where (organization_id, id) in (
      select j.organization_id, j.id from job j where ${isFree(claimed)} order by coalesce(j.lease_until, j.created_at), j.id
        limit 1 for update of j skip locked
    ) returning organization_id, id, kind`.execute(db);
  const row = rows[0];
  return row && { organizationId: row.organization_id, id: row.id, kind: row.kind };
}

export async function hasFreeJob(db: Db, claimed: Claimed): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select exists (select from job j where ${isFree(claimed)}) as found`.execute(db);
  return rows[0]!.found;
}

/** By job: the one right before it, where it waits for one. */
export async function findAwaited(
  db: Db,
  organizationId: string,
  jobIds: readonly string[],
): Promise<Map<string, { id: string; name: string }>> {
  const { rows } = await sql<{ waiting: string; id: string; name: string }>`
    select j.id as waiting, b.id, b.name from job j cross join lateral (
      select o.id, o.name from job o where ${isBefore} order by (o.status <> 'running') desc, o.heard_at desc, o.id desc limit 1
    ) b where j.organization_id = ${organizationId}::uuid and j.id = any(${jobIds}::uuid[]) and j.status = 'waiting'`.execute(db);
  return new Map(rows.map(({ waiting, ...before }) => [waiting, before]));
}

/** Let go of as it is: whoever looks next may go on at once. */
export async function leaveJob(db: Db, organizationId: string, jobId: string, nodeId: string): Promise<void> {
  await db
    .updateTable('job')
    .set({ lease_until: sql`clock_timestamp()`, lease_holder: null })
    .where('organization_id', '=', organizationId)
    .where('id', '=', jobId)
    .where('lease_holder', '=', nodeId)
    .execute();
}

/** How far it came, in the transaction of the step; the lease goes on. */
export async function noteStep(db: Db, organizationId: string, jobId: string, step: JobStep, leaseMs: number): Promise<void> {
  await sql`update job set place = ${JSON.stringify(step.place)}::jsonb, bytes_done = bytes_done + ${step.bytes}, rows_done = rows_done + ${step.rows},
      error_count = error_count + ${step.errors.length}, lease_until = clock_timestamp() + ${leaseMs} * interval '1 millisecond',
      tally = tally || (select coalesce(jsonb_object_agg(n.key, coalesce((tally ->> n.key)::bigint, 0) + n.value::bigint), '{}')
        from jsonb_each_text(${JSON.stringify(step.tally)}::jsonb) n)
    where organization_id = ${organizationId}::uuid and id = ${jobId}::uuid`.execute(db);
  await insertErrors(db, organizationId, jobId, step.errors);
}

async function insertErrors(db: Db, organizationId: string, jobId: string, errors: JobStep['errors']): Promise<void> {
  if (errors.length === 0) return;
  await sql`insert into job_error (organization_id, job_id, line, message)
    select ${organizationId}::uuid, ${jobId}::uuid, n.line, n.message
      from unnest(${errors.map(({ line }) => line)}::bigint[], ${errors.map(({ message }) => message)}::text[]) with ordinality as n (line, message, place)
      order by n.place
      limit greatest(0, ${JOB_ERRORS_KEPT} - (select count(*) from job_error where organization_id = ${organizationId}::uuid and job_id = ${jobId}::uuid))
    on conflict do nothing`.execute(db);
}

export async function listErrors(db: Db, organizationId: string, jobId: string): Promise<{ line: number; message: string }[]> {
  return db
    .selectFrom('job_error')
    .select(['line', 'message'])
    .where('organization_id', '=', organizationId)
    .where('job_id', '=', jobId)
    .orderBy('line')
    .execute();
}

export interface JobListing {
  kinds: string[];
  /** Kinds of which only those of some subjects are asked for. */
  narrowed: { kind: string; subjectIds: string[] }[];
  /** Kinds of which only those that reach into no other vertical are. */
  within: { kind: string; verticalIds: string[] }[];
  subjectId: string | undefined;
}

function selectJobs(db: Db, organizationId: string, { kinds, narrowed, within, subjectId }: JobListing) {
  let select = db.selectFrom('job').where('organization_id', '=', organizationId).where('kind', 'in', kinds);
  if (subjectId) select = select.where('subject_id', '=', subjectId);
  for (const { kind, subjectIds } of narrowed)
    select = select.where(sql<boolean>`(kind <> ${kind} or subject_id = any(${subjectIds}::uuid[]))`);
  for (const { kind, verticalIds } of within)
    select = select.where(sql<boolean>`(kind <> ${kind} or settings -> 'verticalIds' <@ ${JSON.stringify(verticalIds)}::jsonb)`);
  return select;
}

/** The newest first. */
export async function listJobs(db: Db, organizationId: string, { skip, limit, ...listing }: JobListing & { skip: number; limit: number }) {
  const select = selectJobs(db, organizationId, listing);
  const { total } = await select.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await select.selectAll().orderBy('id', 'desc').offset(skip).limit(limit).execute();
  return { rows, total };
}

/** The newest first, those before one of them: others that begin meanwhile move none out of its place. */
export const listJobsBefore = (
  db: Db,
  organizationId: string,
  { before, limit, ...listing }: JobListing & { before: string | undefined; limit: number },
): Promise<JobRow[]> =>
  selectJobs(db, organizationId, listing)
    .$if(before !== undefined, (query) => query.where('id', '<', before!))
    .selectAll()
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();

/** Whoever began to hand something in and was not heard of for so long, or did not come to its end in `withinMs`. */
export async function endForgotten(
  db: Db,
  { silentMs, withinMs }: { silentMs: number; withinMs: number },
  now = Date.now(),
): Promise<void> {
  const [heardBefore, begunBefore] = [silentMs, withinMs].map((ms) => new Date(now - ms)) as [Date, Date];
  const rows = await db
    .selectFrom('job')
    .select(['organization_id', 'id'])
    .where('status', '=', 'receiving')
    .where((where) => where.or([where('heard_at', '<', heardBefore), where('created_at', '<', begunBefore)]))
    .limit(100)
    .execute();
  for (const row of rows)
    await db.transaction().execute(async (tx) => {
      // It may have begun, or been gone on with, since it was found.
      const job = await lockJob(tx, row.organization_id, row.id);
      if (job?.status !== 'receiving' || (job.heard_at >= heardBefore && job.created_at >= begunBefore)) return;
      await endJob(tx, row.organization_id, row.id, 'failed', 'The file was never sent to its end. Start the import again.');
    });
}
