/** `npm run doctor` (reliability): what is wrong with an installation, in plain words, without changing anything of it. */
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { examine, write } from '#server/doctor/examine.ts';
import { lookAtMachine, roomAt } from '#server/doctor/machine.ts';
import type { Resolve } from '#server/doctor/names.ts';
import { insertErasure } from '#server/erasure/erasure.sql.ts';
import type { Erasure } from '#server/erasure/erasure.ts';
import { appendToRegister } from '#server/erasure/register-file.ts';
import { type Config, readConfig } from '#server/kit/config.ts';
import { unwrapKeys } from '#server/kit/crypto.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
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

/** Every name leads somewhere, unless a test says otherwise. */
const known: Resolve = async () => ({});
const dial = async () => Date.now() + 60 * 86_400_000;
const say = async (more: Partial<Config> = {}, url = database.url, resolve = known) =>
  write(await examine({ ...TEST_CONFIG, dataDir: folder, ...more }, url, { resolve, dial }));
const runs = (seen = 'now()') => pool.query(`insert into node (id, seen_at) values ($1, ${seen})`, [newId()]);

it('finds a database that is as it should be well, and leaves no trace in it', async () => {
  await runs();
  const before = await pool.query('select (select count(*) from change_log)::int as changes, (select count(*) from node)::int as nodes');
  const said = await say();
  expect(said).toContain('migrations are applied.');
  expect(said).toContain('SECRET_KEY opens the key of every organization (1).');
  expect(said).toContain('There is room for the leads of this month and the next.');
  expect(said).toContain('One node runs.');
  expect(said).toContain('runs as sluice_tenant, behind row-level security.');
  expect(said).toContain('The register knows every erasure (0).');
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
  [
    'a node of an older version',
    () => pool.query(`insert into node (id, last_migration) values ($1, '0040-erased-return-notes.sql')`, [newId()]),
    'Nodes of an older version than the database: 1.',
  ],
  ['a wall that was taken down', () => pool.query('alter table lead disable row level security'), 'without row-level security: 1.'],
  ['no node', async () => {}, 'No node runs at the moment.'],
  [
    'transactions that would not see how far reports are counted',
    () =>
      pool.query(
        `do $$ begin execute format('alter database %I set default_transaction_isolation = ''repeatable read''', current_database()); end $$`,
      ),
    'Transactions begin as repeatable read: no lead is taken.',
  ],
  [
    'reports that nobody counts',
    () =>
      pool.query(
        `insert into report_mark select id, uuid7_at(now() - interval '3 hours'), gen_random_uuid(), now() - interval '1 hour' from organization`,
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

it('tells of a secret that can be guessed, and of one that is being changed', async () => {
  const weak = readConfig({ APP_ENV: 'production', SECRET_KEY: 'secret'.repeat(8), SECRET_KEY_ALSO: 'x'.repeat(40) });
  const said = await say({
    appEnv: 'production',
    isSecretWeak: weak.isSecretWeak,
    masterKey: { ...TEST_CONFIG.masterKey, alsoOpens: weak.masterKey.seals },
  });
  expect(said).toContain('SECRET_KEY is made of a few letters over and over');
  expect(said).toContain('SECRET_KEY_ALSO is set');
  expect(readConfig({ SECRET_KEY: '0123456789abcdef'.repeat(2) }).isSecretWeak).toBe(false);
});

it('tells of names that lead nowhere, and of a name server that does not answer', async () => {
  const config = { ...PRODUCTION_CONFIG, dataDir: folder };
  const unknown =
    (isUnknown: (name: string) => boolean): Resolve =>
    async (name) => {
      if (isUnknown(name)) throw Object.assign(new Error(), { code: 'ENOTFOUND' });
    };
  const root = PRODUCTION_CONFIG.rootDomain;
  expect(
    await say(
      config,
      database.url,
      unknown(() => true),
    ),
  ).toContain(`${root} leads nowhere (ENOTFOUND).`);
  const onlyRoot = await say(
    config,
    database.url,
    unknown((name) => name !== root),
  );
  expect(onlyRoot).toContain(`Sub-domains of ${root} lead nowhere (ENOTFOUND).`);
  expect(onlyRoot).toContain(`Add a DNS record for *.${root}`);
  expect(await say(config)).toContain(`${root} and its sub-domains lead somewhere.`);
  expect(await say(config)).toContain(`The certificate of ${root} is good until`);
});

it('tells of a copy that cannot be read, and of one that is none', async () => {
  expect(await say({ databaseReplicaUrl: 'postgres://nobody:word@127.0.0.1:9/none' })).toMatch(
    /look {2}The copy cannot be read \(ECONNREFUSED\)/,
  );
  expect(await say({ databaseReplicaUrl: database.url })).toContain('a database that follows no other');
});

it('tells of an owner that may more than it needs, and of one that owns nothing', async () => {
  expect(await say({ databaseUrl: database.url })).toContain('a superuser of the whole server');
  const role = `other_${newId().slice(0, 8)}`;
  await pool.query(`create role ${role} login password 'only-for-this-test'; grant select on all tables in schema public to ${role}`);
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'only-for-this-test'];
  const said = await say({ databaseUrl: url.href }, url.href);
  expect(said).toMatch(new RegExp(`${role} may not work as it`));
  expect(said).toMatch(/Tables that other_\w+ does not own: \d+\./);
  await pool.query(`drop owned by ${role}; drop role ${role}`);
});

it('H4: tells of a register that cannot be written, was damaged, lies with the database, or knows more than it', async () => {
  writeFileSync(join(folder, 'a-file'), '');
  expect(await say({ erasureRegister: join(folder, 'a-file', 'erasures.jsonl') })).toContain(
    'The register of erasures cannot be written at',
  );
  expect(await say({ erasureRegister: join(folder, 'postgres', 'erasures.jsonl') })).toContain('lies in the folder of the database');
  const erasureRegister = join(folder, 'erasures.jsonl');
  const { id: organizationId, data_key } = (await pool.query('select id, data_key from organization')).rows[0];
  const keys = unwrapKeys(TEST_CONFIG.masterKey, organizationId, data_key);
  const erasure: Erasure = {
    ...{ organizationId, id: newId(), kind: 'erased', askedAt: new Date(), personHashes: [] },
    sought: { hashes: [], leadIds: [newId()], verticalIds: [] },
  };
  await appendToRegister(erasureRegister, [erasure], () => keys);
  expect(await say({ erasureRegister })).toContain('Erasures that the database does not know: 1.');
  await inTenant(openDb(pool), organizationId, (tx) => insertErasure(tx, erasure));
  expect(await say({ erasureRegister })).toContain('The register knows every erasure (1).');
  appendFileSync(erasureRegister, 'half a line');
  expect(await say({ erasureRegister })).toContain('Lines of the register that cannot be read: 1.');
  rmSync(erasureRegister);
  expect(await say({ erasureRegister })).toContain('Erasures that this register lacks: 1.');
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
