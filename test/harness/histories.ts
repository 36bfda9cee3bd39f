/** What was imported, exported, sent by feeds and told by webhooks, without any of it having been done: the newest last. */
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { buildUser } from './world.ts';

const each = <Row>(count: number, of: (at: number) => Row): Row[] => Array.from({ length: count }, (_, at) => of(at));
const tomorrow = () => new Date(Date.now() + 86_400_000);

/** Begun by somebody of the organization; `of` says of each what the test says. */
export async function insertJobs(db: Db, organizationId: string, count: number, of: (at: number) => object): Promise<string[]> {
  const { userId } = await buildUser(db, organizationId);
  const jobs = each(count, (at) => ({
    ...{ organization_id: organizationId, id: newId(), kind: 'suppressionImport', status: 'done', name: 'file.csv', subject_id: null },
    ...{ settings: '{}', person_id: userId, ...of(at) },
  }));
  await db.insertInto('job').values(jobs).execute();
  return jobs.map(({ id }) => id);
}

/** Imports that replaced a list. */
export const insertImports = (db: Db, organizationId: string, count: number, of: (at: number) => object): Promise<string[]> =>
  insertJobs(db, organizationId, count, (at) => ({
    ...{ settings: JSON.stringify({ mode: 'replace' }), tally: JSON.stringify({ added: 1204, known: 7 }), error_count: 3, ...of(at) },
  }));

/** Exports of 42 leads each, without their files. */
export const insertExports = (db: Db, organizationId: string, verticalId: string, count: number): Promise<string[]> =>
  insertJobs(db, organizationId, count, (at) => ({
    ...{ kind: 'export', subject_id: verticalId, name: `leads-us-payday ${at}`, tally: JSON.stringify({ exported: 42 }) },
  }));

/** Runs that were sent, and one, the oldest, that is tried again tomorrow. */
export async function insertRuns(db: Db, organizationId: string, feedId: string, count: number): Promise<void> {
  const runs = each(count, (at) => ({
    ...{ organization_id: organizationId, id: newId(), feed_id: feedId, from_at: new Date(at * 1000), to_at: new Date(at * 2000) },
    ...{ due_at: tomorrow(), row_count: at, byte_count: at * 10, tries: 1, last_at: new Date(), elapsed_ms: 250, remark: 'Made anew.' },
    ...(at === 0 ? { state: 'due', failure: '=refused by "them"' } : { state: 'sent', failure: null }),
  }));
  await db.insertInto('export_run').values(runs).execute();
}

/** Calls that were taken, and one, the oldest, that is tried again tomorrow. */
export async function insertCalls(db: Db, organizationId: string, webhookId: string, count: number): Promise<void> {
  const calls = each(count, (at) => ({
    ...{ organization_id: organizationId, id: newId(), webhook_id: webhookId, lead_id: newId(), event: 'lead.sold' },
    ...{ made_at: new Date(), due_at: tomorrow(), tries: 1, last_at: new Date(), elapsed_ms: 12.3 },
    ...(at === 0 ? { state: 'due', failure: '=no answer', status_code: null } : { state: 'told', failure: null, status_code: 204 }),
  }));
  await db.insertInto('webhook_call').values(calls).execute();
}
