/** DATABASE_REPLICA_URL (engine.md): reports and logs read from a real streaming copy of the database, and from the database itself where that is away or behind. */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { getPriority, tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { migrate } from '#db/migrate.ts';
import { type EmbeddedServer, startEmbeddedPostgres } from '#server/kit/embedded-postgres.ts';
import { openReaders, preferReplica } from '#server/kit/replica.ts';
import { openTenants, type Tenants } from '#server/kit/tenant.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';
import { TEST_SETTINGS } from '#test/harness/scratch.ts';

const DAY_MS = 86_400_000;

let folder: string;
let primary: EmbeddedServer;
let replica: EmbeddedServer;
let node: TestNode;
let buyer: ScriptedBuyer;
let office: Office;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-replica-'));
  primary = await startEmbeddedPostgres(join(folder, 'primary'), TEST_SETTINGS);
  const url = primary.url('sluice');
  await run(primary.url('postgres'), 'create database sluice');
  await migrate(url);
  replica = await copy(primary);
  buyer = await startBuyer();
  node = await startNode(url, { databaseReplicaUrl: replica.url('sluice') });
  office = await openOffice(node, buyer);
});
afterAll(async () => {
  await node.close();
  await buyer.close();
  await replica.leave();
  await primary.leave();
  rmSync(folder, { recursive: true, force: true });
});

/** A second server that follows the first: its files, taken while it runs, and where to hear of the rest. */
async function copy(of: EmbeddedServer): Promise<EmbeddedServer> {
  const [from, to] = ['primary', 'replica'].map((name) => join(folder, name)) as [string, string];
  const client = new pg.Client({ connectionString: of.url('postgres') });
  await client.connect();
  await client.query(`select pg_backup_start('copy', true)`);
  mkdirSync(to);
  cpSync(join(from, 'password'), join(to, 'password'));
  // With its owner: as root the server runs as another user. What vanishes meanwhile comes with the log.
  spawnSync('cp', ['-a', join(from, 'cluster'), to]);
  rmSync(join(to, 'cluster', 'postmaster.pid'));
  const { rows } = await client.query('select labelfile from pg_backup_stop(false)');
  await client.end();
  const { hostname, port, username, password } = new URL(of.url('postgres'));
  writeFileSync(join(to, 'cluster', 'backup_label'), rows[0].labelfile);
  writeFileSync(join(to, 'cluster', 'standby.signal'), '');
  return startEmbeddedPostgres(to, {
    ...TEST_SETTINGS,
    primary_conninfo: `host=${hostname} port=${port} user=${username} password=${password}`,
    hot_standby: 'on',
  });
}

async function run(url: string, text: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(text).finally(() => client.end());
}

const atReplica = (text: string) => run(replica.url('sluice'), text);
const today = () => {
  const from = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS);
  return new URLSearchParams({ from: from.toISOString(), to: new Date(from.getTime() + DAY_MS).toISOString() });
};
async function sold(): Promise<number> {
  const { statusCode, json } = await office.get(`/api/console/reports/inbound?region=us&vertical=payday&${today()}`);
  expect([statusCode, json.msg]).toEqual([200, undefined]);
  return json.total.sold;
}

it('are asked of the copy, which takes what is new as it comes', async () => {
  await office.lead('replica1@example.com');
  await expect.poll(sold, { timeout: 10_000 }).toBe(1);
  // While the copy stands still, what it is asked stands still.
  await atReplica('select pg_wal_replay_pause()');
  await office.lead('replica2@example.com');
  expect(await sold()).toBe(1);
  const logged = await office.get('/api/console/logs/attempts?region=us&vertical=payday');
  expect(logged.json.rows).toHaveLength(1);
  // What must not be old is asked of the database itself.
  expect((await office.get('/api/console/leads?region=us&vertical=payday')).json.rows).toHaveLength(2);
  await atReplica('select pg_wal_replay_resume()');
  await expect.poll(sold, { timeout: 10_000 }).toBe(2);
});

it('are asked of the database while the copy is further behind than they may be, and of the copy again afterwards', async () => {
  await atReplica('select pg_wal_replay_pause()');
  await office.lead('replica3@example.com');
  const tenants = openTenants(primary.url('sluice'), 2);
  const told: string[] = [];
  let now = Date.now();
  const readers = preferReplica(tenants, replica.url('sluice'), { max: 2, onAway: (why) => told.push(why), now: () => now, behindS: 0.2 });
  const leads = async () => {
    // Long enough for it to be looked at again.
    now += 11_000;
    return (await readers.of(office.world.organizationId).selectFrom('lead').select('id').execute()).length;
  };
  await expect.poll(leads, { timeout: 5_000, interval: 300 }).toBe(3);
  expect(told.at(-1)).toBe('it is more than 0.2 s behind');
  await atReplica('select pg_wal_replay_resume()');
  await expect
    .poll(
      async () => {
        const before = told.length;
        return (await leads()) === 3 && told.length === before;
      },
      { timeout: 5_000, interval: 300 },
    )
    .toBe(true);
  await readers.close();
  await tenants.close();
});

it('are asked of the database when the copy has gone', async () => {
  await replica.leave();
  await office.lead('replica4@example.com');
  expect(await sold()).toBe(4);
});

it('without a replica, what reports ask gives way to what leads need: its server process is nice, and no other is', async () => {
  const [readers, tenants] = [openReaders(primary.url('sluice'), 2), openTenants(primary.url('sluice'), 2)];
  const processOf = async (of: Tenants) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(of.of(office.world.organizationId));
    return rows[0]!.pid;
  };
  const [reader, other] = [await processOf(readers), await processOf(tenants)];
  expect(getPriority(reader)).toBe(10);
  expect(getPriority(other)).toBeLessThan(10);
  // Where Linux shares the processors among groups, each server process is one.
  const group = `/proc/${reader}/autogroup`;
  if (existsSync(group) && readFileSync(group, 'utf8') !== '')
    await vi.waitFor(() => expect(readFileSync(group, 'utf8')).toMatch(/nice 10$/m), 3_000);
  await Promise.all([readers.close(), tenants.close()]);
});
