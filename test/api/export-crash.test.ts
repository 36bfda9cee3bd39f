/** console §3 data-mgmt/outbound: a feed and an export whose node is killed go on at another, exactly where they were. */
import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportContent } from '#contract/export.ts';
import { openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

const LEADS = 6_000;
let database: TestDatabase;
let pool: ReturnType<typeof openPool>;
let world: World;
let userId: string;
let victim: ChildProcess | undefined;
let buyer: ScriptedBuyer;
let system: ScriptedBuyer;

/** A node in a process of its own, at work. */
async function startVictim(): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, '..', 'load', 'sluice.ts'), [database.url], {
    execPath: join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'node'),
  });
  victim = child;
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}
async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await new Promise((resolve) => child.once('exit', resolve));
}
async function until(found: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await found())) await new Promise((resolve) => setTimeout(resolve, 2));
}

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool(database.url, 2);
  buyer = await startBuyer();
  system = await startBuyer(() => ({ hang: true }));
  const node = await startNode(database.url);
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  ({ userId } = await buildUser(node.db, world.organizationId));
  await node.planBook.reload(world.organizationId);
  const { leadId } = (await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` })).json;
  await node.close();
  // Copies of one lead, a second apart up to a quarter of an hour ago; no field of them is asked for, which are bound to the one.
  await pool.query(
    `with made as (insert into lead select l.organization_id, uuid7_at(now() - interval '15 minutes' - n * interval '1 second'), l.region_id, l.vertical_id, l.campaign_id,
        l.publisher_id, l.publisher_tier_id, l.sub_id, l.mode, l.test, l.ping_id, l.node_id, l.fields, l.state from lead l, generate_series(1, $2::int) n where l.id = $1
        returning organization_id, id)
      insert into lead_result select m.organization_id, m.id, r.vertical_id, r.campaign_id, r.publisher_tier_id, r.test, r.status, r.reason, r.revenue, r.payout, r.margin,
        r.sale_count, r.attempt_count, r.duplicate_of, r.elapsed_ms, r.buyers_ms, r.store_ms, r.finished_at, r.verdicts, r.explained, r.wires from made m, lead_result r where r.lead_id = $1`,
    [leadId, LEADS],
  );
}, 60_000);
afterAll(async () => {
  victim?.kill('SIGKILL');
  await pool.end();
  await Promise.all([buyer.close(), system.close()]);
  await database.drop();
});

it('a feed whose node dies while it sends is sent by the next, which says that it may have come twice', async () => {
  const feedId = newId();
  await pool.query(
    `insert into export_feed (organization_id, id, vertical_id, name, schedule, content, destination, covered_to, began_at)
      values ($1, $2, $3, 'Feed', '{"every":"hour","minute":0}', $4, $5, now() - interval '5 hours', now() - interval '5 hours')`,
    [
      ...[world.organizationId, feedId, world.verticalId, JSON.stringify(exportContent.parse({ columns: ['leadId'] }))],
      JSON.stringify({ kind: 'http', url: `${system.url}/leads` }),
    ],
  );
  const child = await startVictim();
  await until(() => system.calls.length === 1);
  await kill(child);
  system.answer(() => ({ status: 204 }));
  // Its lease would be over by itself in a minute.
  await pool.query('update export_run set taken_until = now()');
  const node = await startNode(database.url);
  await until(async () => (await pool.query(`select from export_run where state = 'sent'`)).rowCount === 1);
  const { rows } = await pool.query('select * from export_run');
  expect(rows).toMatchObject([{ feed_id: feedId, tries: 1, failure: null, remark: expect.stringContaining('may have come twice') }]);
  expect(system.calls.map(({ headers }) => headers['x-sluice-delivery'])).toEqual([rows[0].id, rows[0].id]);
  expect(system.calls[1]!.body).toBe(system.calls[0]!.body);
  const told = system.calls[1]!.body.split('\r\n').slice(1, -1);
  const expected = await pool.query('select count(*)::int as n from lead where uuid7_instant(id) < $1 and uuid7_instant(id) >= $2', [
    ...[rows[0].to_at, rows[0].from_at],
  ]);
  expect(told.length).toBe(expected.rows[0].n);
  expect(new Set(told).size).toBe(told.length);
  expect(told.length).toBeGreaterThan(1_000);
  await node.close();
}, 120_000);

it('an export whose node dies goes on where it was: every lead once, in order', async () => {
  const [jobId, now] = [newId(), Date.now()];
  const content = exportContent.parse({ columns: ['leadId'] });
  const settings = { content, from: new Date(now - 86_400_000).toISOString(), to: new Date(now).toISOString(), reason: '', address: '' };
  await pool.query(
    `insert into export_file (organization_id, id, vertical_id, name, format, unmasked, kept_until) values ($1, $2, $3, 'x.csv', 'csv', false, now() + interval '7 days')`,
    [world.organizationId, jobId, world.verticalId],
  );
  await pool.query(
    `insert into job (organization_id, id, kind, status, name, subject_id, settings, person_id) values ($1, $2, 'export', 'waiting', 'x.csv', $3, $4, $5)`,
    [world.organizationId, jobId, world.verticalId, JSON.stringify(settings), userId],
  );
  const rowsDone = async () => (await pool.query('select rows_done from job where id = $1', [jobId])).rows[0].rows_done as number;
  const child = await startVictim();
  await until(async () => (await rowsDone()) > 0);
  await kill(child);
  expect(await rowsDone()).toBeLessThan(LEADS + 1);
  await pool.query('update job set lease_until = now() where id = $1', [jobId]);
  const node = await startNode(database.url);
  await until(async () => (await pool.query(`select from job where id = $1 and status = 'done'`, [jobId])).rowCount === 1);
  const { rows } = await pool.query('select lead_ids from export_part where file_id = $1 order by part', [jobId]);
  const ids = rows.flatMap((row) => row.lead_ids as string[]);
  expect(ids.length).toBe(LEADS + 1);
  expect(ids).toEqual([...new Set(ids)].toSorted());
  await node.close();
}, 120_000);
