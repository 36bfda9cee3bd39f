/** console §2 `{id}/trackProcess`: an import whose node is killed goes on at another, exactly where it was. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startImport, waitForJob } from '#test/harness/import.ts';
import { startNode } from '#test/harness/node.ts';
import { type Visitor, visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';

const ROWS = 60_000;
let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
let victim: ChildProcess | undefined;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool(database.url, 2);
});
afterAll(async () => {
  victim?.kill('SIGKILL');
  await pool.end();
  await database.drop();
});

/** Somebody who calls a node in another process. */
function far(port: number, cookie: string): Visitor {
  const call = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const isRaw = Buffer.isBuffer(body);
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: {
        cookie,
        'x-requested-with': 'sluice',
        ...(!isRaw && body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: isRaw ? new Uint8Array(body) : JSON.stringify(body) }),
    });
    return { statusCode: response.status, headers: Object.fromEntries(response.headers), json: await response.json() };
  };
  return {
    cookies: new Map(),
    post: (path, body, options = {}) => call('POST', path, body, options.headers),
    get: (path) => call('GET', path),
  };
}

it('G1: every row is taken once, however often a node dies meanwhile', async () => {
  const db = openDb(pool);
  const world = await buildWorld(db);
  const { email, password } = await buildUser(db, world.organizationId);
  const listId = newId();
  await pool.query(`insert into suppression_list (organization_id, id, name, holds) values ($1, $2, 'Large', 'email')`, [
    world.organizationId,
    listId,
  ]);
  const body = Array.from({ length: ROWS }, (_, n) => (n % 1000 === 999 ? 'nobody' : `person${n}@example.com`)).join('\n');
  let jobId: string | undefined;
  let done = 0;
  for (let killed = 0; killed < 2; killed++) {
    const child = fork(join(import.meta.dirname, '..', 'load', 'sluice.ts'), [database.url], {
      execPath: join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'node'),
    });
    victim = child;
    const { port } = await new Promise<{ port: number }>((resolve) => child.once('message', (one) => resolve(one as { port: number })));
    const signedIn = await fetch(`http://127.0.0.1:${port}/team-login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-requested-with': 'sluice' },
      body: JSON.stringify({ email, password }),
    });
    const visitor = far(port, signedIn.headers.get('set-cookie')!.split(';')[0]!);
    jobId ??= await startImport(visitor, { kind: 'suppressionImport', listId, body });
    while ((await rowsDone(jobId)) <= done) await new Promise((resolve) => setTimeout(resolve, 2));
    child.kill('SIGKILL');
    await new Promise((resolve) => child.once('exit', resolve));
    done = await rowsDone(jobId);
    expect(done).toBeLessThan(ROWS);
    // Its lease would be over by itself in a quarter of a minute.
    await pool.query('update job set lease_until = now() where id = $1', [jobId]);
  }
  const node = await startNode(database.url);
  const visitor = visit(node, { host: '127.0.0.1' });
  await visitor.post('/team-login', { email, password });
  const { job, errors } = await waitForJob(visitor, jobId!);
  const bad = ROWS / 1000;
  expect(job).toMatchObject({
    status: 'done',
    rowsDone: ROWS,
    errorCount: bad,
    bytesDone: body.length,
    tally: { added: ROWS - bad, known: 0 },
  });
  expect(errors.map(({ line }) => line)).toEqual(Array.from({ length: bad }, (_, n) => (n + 1) * 1000));
  const { rows } = await pool.query('select entry_count, (select count(*)::int from suppression_entry) as entries from suppression_list');
  expect(rows).toEqual([{ entry_count: ROWS - bad, entries: ROWS - bad }]);
  await node.close();
}, 120_000);

const rowsDone = async (jobId: string): Promise<number> =>
  (await pool.query('select rows_done from job where id = $1', [jobId])).rows[0].rows_done;
