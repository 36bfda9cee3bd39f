/** `npm run doctor` (reliability): what is wrong with an installation, in plain words, without changing anything of it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { examine, write } from '#server/doctor/examine.ts';
import { lookAtMachine, roomAt } from '#server/doctor/machine.ts';
import type { Config } from '#server/kit/config.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { PRODUCTION_CONFIG, TEST_CONFIG } from '#test/harness/config.ts';
import { emptyDatabase, freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { buildWorld } from '#test/harness/world.ts';

let database: TestDatabase;
let pool: pg.Pool;
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-doctor-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
beforeEach(async () => {
  database = await freshDatabase();
  pool = openPool(database.url, 2);
  await buildWorld(openDb(pool));
});
afterEach(async () => {
  await pool.end();
  await database.drop();
});

const say = async (more: Partial<Config> = {}, url = database.url) =>
  write(await examine({ ...TEST_CONFIG, dataDir: folder, ...more }, url));
const runs = (seen = 'now()') => pool.query(`insert into node (id, seen_at) values ($1, ${seen})`, [newId()]);

it('finds a database that is as it should be well, and leaves no trace in it', async () => {
  await runs();
  const before = await pool.query('select (select count(*) from change_log)::int as changes, (select count(*) from node)::int as nodes');
  const said = await say();
  expect(said).toContain('migrations are applied.');
  expect(said).toContain('SECRET_KEY opens the key of every organization (1).');
  expect(said).toContain('There is room for the leads of this month and the next.');
  expect(said).toContain('One node runs.');
  expect(
    (await pool.query('select (select count(*) from change_log)::int as changes, (select count(*) from node)::int as nodes')).rows,
  ).toEqual(before.rows);
  // The servers of tests do not wait for the disk, which it rightly minds; nothing else is bad.
  const bad = said.split('\n').filter((line) => line.startsWith(' BAD '));
  expect(bad.filter((line) => !/fsync|synchronous_commit|full_page_writes/.test(line))).toEqual([]);
});

it.each<[string, (url: string) => Promise<unknown>, string, Partial<Config>]>([
  ['another secret', async () => {}, 'SECRET_KEY does not open the key of any organization', { masterKey: { seals: Buffer.alloc(32, 7) } }],
  [
    'a migration that is missing',
    () => pool.query(`delete from migration where name like '0031%'`),
    'Migrations that are not applied: 1, 0031',
    {},
  ],
  [
    'a newer database',
    () => pool.query(`insert into migration (name, checksum) values ('9999-later.sql', 'x')`),
    'of a newer version: it has 9999-later.sql',
    {},
  ],
  [
    'an edited migration',
    () => pool.query(`update migration set checksum = 'x' where name like '0003%'`),
    'was changed after it had been applied',
    {},
  ],
])('tells of %s', async (_name, make, expected, config) => {
  await make(database.url);
  expect(await say(config)).toContain(expected);
});

it.each<[string, () => Promise<unknown>, string]>([
  [
    'a month without partitions',
    () =>
      pool
        .query(`select format('drop table %I', 'lead_' || to_char(now() at time zone 'UTC' + interval '1 month', 'YYYY_MM')) as text`)
        .then(({ rows }) => pool.query(rows[0].text)),
    'Partitions that are missing: 1, lead_',
  ],
  ['nodes that died', () => runs().then(() => runs(`now() - interval '5 minutes'`)), 'Nodes that died and are not cleared away: 1.'],
  ['no node', async () => {}, 'No node runs at the moment.'],
  [
    'reports that nobody counts',
    () =>
      pool.query(
        `insert into report_mark select id, uuid7_at(now() - interval '1 hour'), uuid7_at(now() - interval '1 hour') from organization`,
      ),
    'Reports have not been counted for 60 minutes.',
  ],
  [
    'a webhook that takes nothing',
    () =>
      pool.query(
        `insert into webhook (organization_id, id, vertical_id, name, url, events, failing_since) select organization_id, id, id, 'H', 'https://x.example', '{lead.sold}', now() - interval '2 hours' from vertical`,
      ),
    'Webhooks that have taken nothing for an hour: 1.',
  ],
])('tells of %s', async (_name, make, expected) => {
  await make();
  expect(await say()).toContain(expected);
});

it('tells of an empty database, and of one that cannot be reached', async () => {
  const empty = await emptyDatabase();
  expect(await say({}, empty.url)).toContain('The database is empty.');
  await empty.drop();
  expect(await say({}, 'postgres://nobody:word@127.0.0.1:9/none')).toMatch(/BAD {3}It could not be looked at: .*ECONNREFUSED/);
});

it('tells of production without a mail server, a domain or proxies, and of mail that is refused', async () => {
  const said = await say({ ...PRODUCTION_CONFIG, dataDir: folder, rootDomain: 'localhost', smtpUrl: undefined });
  for (const expected of ['SMTP_URL is not set', 'ROOT_DOMAIN is localhost', 'TRUSTED_PROXIES is empty']) expect(said).toContain(expected);
  expect(await say({ smtpUrl: 'smtp://127.0.0.1:9' })).toMatch(/The mail server does not take mail \(E[A-Z]+\)/);
  const mail = await smtp();
  const { port } = mail.address() as { port: number };
  expect(await say({ smtpUrl: `smtp://127.0.0.1:${port}` })).toContain('The mail server takes mail.');
  mail.close();
});

it('tells of a machine with little room, few files and an old Node', async () => {
  expect([2 ** 29, 2 ** 31, 2 ** 40].map((bytes) => roomAt('/data', bytes).level)).toEqual(['bad', 'warn', 'ok']);
  const limits = join(folder, 'limits');
  writeFileSync(limits, 'Max open files            256                  4096                 files\n');
  const found = await lookAtMachine({ ...TEST_CONFIG, dataDir: folder }, limits, '20.11.1');
  expect(found.map(({ level, what }) => `${level} ${what}`)).toEqual(
    expect.arrayContaining([
      'bad Node 20.11.1 is too old.',
      'warn 256 files and connections may be open at once; each lead under way takes some.',
    ]),
  );
});

/** A real SMTP conversation, as far as a look goes. */
function smtp(): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.write('220 mail.example\r\n');
    socket.on('data', (data) => socket.write(/^QUIT/i.test(String(data)) ? '221 bye\r\n' : '250 mail.example\r\n'));
  });
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}
