/** A job that another node took over is that node's alone (the rest of its life: test/api/lists.test.ts, test/api/import-crash.test.ts). */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { lentDb } from '#server/kit/tenant.ts';
import { countWaiting, freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { buildWorld } from '#test/harness/world.ts';
import { insertJob, startJob } from './job.sql.ts';
import { JobFailed, type JobKind } from './job-kind.ts';
import { openJobRunner } from './job-runner.ts';

let database: TestDatabase;
let pool: ReturnType<typeof openPool>;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool(database.url, 6);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

it.each([
  ['in a sentence', new JobFailed('The file is none.')],
  ['for a reason of ours', new Error('ours')],
])('G8: a node that was frozen until another had its job does not end it, though its step fails %s', async (_, failure) => {
  const db = openDb(pool);
  const { organizationId } = await buildWorld(db);
  const job = { kind: 'frozen', name: 'X', subjectId: null, settings: {}, personId: newId() };
  const id = await insertJob(db, organizationId, job);
  await pool.query(`update job set status = 'waiting' where id = $1`, [id]);
  const [frozen, other] = [newId(), newId()];
  const taken: Promise<unknown>[] = [];
  const step = async (): Promise<never> => {
    // The other node gets the job at the very moment at which this one lets go of it.
    taken.push(pool.query('update job set lease_holder = $2 where id = $1', [id, other]));
    const waiting = () => countWaiting(pool);
    await expect.poll(waiting, { interval: 10, timeout: 20_000 }).toBe(1);
    throw failure;
  };
  // Who comes first once the row is free is for the database to say: here it is the other node.
  const after = async () => {
    await Promise.all(taken);
    return pool.connect();
  };
  const runner = openJobRunner({
    ...{
      db: lentDb(after),
      nodeId: frozen,
      kinds: [{ kind: 'frozen', may: () => true, step }],
      keysOf: async () => ({}) as OrganizationKeys,
    },
    onError: () => {},
  });
  runner.wake();
  await expect.poll(() => taken.length, { timeout: 5_000 }).toBe(1);
  await runner.close();
  const { rows } = await pool.query('select status, lease_holder, failure from job where id = $1', [id]);
  expect(rows).toEqual([{ status: 'running', lease_holder: other, failure: null }]);
});

it('reliability: a long job holds up no job of another organization', async () => {
  const db = openDb(pool);
  const [long, short] = [(await buildWorld(db)).organizationId, (await buildWorld(db)).organizationId];
  const begin = async (organizationId: string) => {
    const id = await insertJob(db, organizationId, { kind: 'turns', name: 'X', subjectId: null, settings: {}, personId: newId() });
    await pool.query(`update job set status = 'waiting' where id = $1`, [id]);
    return id;
  };
  const ids = [await begin(long)];
  const turns: string[] = [];
  const step: JobKind['step'] = async (_, { organizationId, place }) => {
    turns.push(organizationId === long ? 'long' : 'short');
    const at = ((place as { at?: number }).at ?? 0) + 1;
    if (organizationId === long && at === 2) ids.push(await begin(short));
    return { place: { at }, bytes: 0, rows: 0, tally: {}, errors: [], isDone: organizationId === short || at === 4 };
  };
  const runner = openJobRunner({
    ...{ db, nodeId: newId(), kinds: [{ kind: 'turns', may: () => true, step }], keysOf: async () => ({}) as OrganizationKeys },
    ...{ onError: () => {}, turnMs: 0 },
  });
  runner.wake();
  const isDone = async () => (await pool.query(`select from job where id = any($1) and status = 'done'`, [ids])).rowCount === 2;
  await expect.poll(isDone, { timeout: 5_000 }).toBe(true);
  await runner.close();
  expect(turns).toEqual(['long', 'long', 'short', 'long', 'long']);
});

it('console §3: jobs of one subject whose kind says so go one after the other, in the order in which they were begun; others do not wait', async () => {
  const db = openDb(pool);
  const { organizationId } = await buildWorld(db);
  const [one, other] = [newId(), newId()];
  const turns: string[] = [];
  const begin = async (name: string, subjectId: string | null) => {
    const id = await insertJob(db, organizationId, { kind: 'lists', name, subjectId, settings: { name }, personId: newId() });
    return () => startJob(db, organizationId, id, { parts: 1, bytes: 1 });
  };
  // Made in one order, begun in another.
  const [late, early, elsewhere] = [await begin('late', one), await begin('early', one), await begin('elsewhere', other)];
  for (const go of [early, late, elsewhere]) await go();
  const step: JobKind['step'] = async (_, { settings, place }) => {
    turns.push((settings as { name: string }).name);
    const at = ((place as { at?: number }).at ?? 0) + 1;
    return { place: { at }, bytes: 0, rows: 0, tally: {}, errors: [], isDone: at === 2 };
  };
  const kinds: JobKind[] = [{ kind: 'lists', may: () => true, inTurn: true, step }];
  const runner = openJobRunner({
    ...{ db, nodeId: newId(), kinds, keysOf: async () => ({}) as OrganizationKeys },
    ...{ onError: () => {}, turnMs: 0 },
  });
  runner.wake();
  await expect.poll(() => turns.length, { timeout: 5_000 }).toBe(6);
  await runner.close();
  expect(turns.filter((name) => name !== 'elsewhere')).toEqual(['early', 'early', 'late', 'late']);
  expect(turns.lastIndexOf('elsewhere')).toBeLessThan(5);
});

it('reliability: jobs that wait take turns, whoever waited longest first', async () => {
  const db = openDb(pool);
  const { organizationId } = await buildWorld(db);
  const turns: string[] = [];
  for (const name of ['first', 'second']) {
    const id = await insertJob(db, organizationId, { kind: 'fair', name, subjectId: null, settings: { name }, personId: newId() });
    await pool.query(`update job set status = 'waiting' where id = $1`, [id]);
  }
  const step: JobKind['step'] = async (_, { settings, place }) => {
    turns.push((settings as { name: string }).name);
    const at = ((place as { at?: number }).at ?? 0) + 1;
    return { place: { at }, bytes: 0, rows: 0, tally: {}, errors: [], isDone: at === 2 };
  };
  const runner = openJobRunner({
    ...{ db, nodeId: newId(), kinds: [{ kind: 'fair', may: () => true, step }], keysOf: async () => ({}) as OrganizationKeys },
    ...{ onError: () => {}, turnMs: 0 },
  });
  runner.wake();
  await expect.poll(() => turns.length, { timeout: 5_000 }).toBe(4);
  await runner.close();
  expect(turns).toEqual(['first', 'second', 'first', 'second']);
});
