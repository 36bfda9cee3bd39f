/** The roles of the database may do what they need and nothing else (docs/operate/roles.md): tried, not read off. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { emptyDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode, type TestNode } from '#test/harness/node.ts';
import { openOffice } from '#test/harness/office.ts';

const owner = `owner_${randomBytes(4).toString('hex')}`;
const stranger = `stranger_${randomBytes(4).toString('hex')}`;
let database: TestDatabase;
let ownerUrl: string;
let node: TestNode;
let buyer: ScriptedBuyer;

async function asAdmin(...statements: string[]): Promise<void> {
  const client = await connect(database.url);
  for (const statement of statements) await client.query(statement);
  await client.end();
}
async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
}
const urlOf = (role: string): string => {
  const url = new URL(database.url);
  [url.username, url.password] = [role, 'only-for-this-test'];
  return url.href;
};

beforeAll(async () => {
  database = await emptyDatabase();
  const name = new URL(database.url).pathname.slice(1);
  // As docs/operate/roles.md makes them; sluice_tenant is there already where other tests ran.
  await asAdmin(
    `create role ${owner} login password 'only-for-this-test' nosuperuser nocreatedb nocreaterole nobypassrls`,
    `create role ${stranger} login password 'only-for-this-test'`,
    `do $$ begin create role sluice_tenant nologin; exception when duplicate_object or unique_violation then null; end $$`,
    `grant sluice_tenant to ${owner}`,
    `alter database ${name} owner to ${owner}`,
    `revoke connect, temporary on database ${name} from public`,
    `grant connect on database ${name} to ${owner}`,
  );
  ownerUrl = urlOf(owner);
  buyer = await startBuyer(() => ACCEPT);
  node = await startNode(ownerUrl);
});
afterAll(async () => {
  await node.close();
  await buyer.close();
  const url = new URL(database.url);
  url.pathname = '/postgres';
  await database.drop();
  const client = await connect(url.href);
  for (const role of [owner, stranger]) await client.query(`drop role if exists ${role}`);
  await client.end();
});

describe('the owner of the database', () => {
  it('C4: needs no right beyond its own database: a node migrates, sells, erases and sweeps with it', async () => {
    const office = await openOffice(node, buyer);
    expect((await office.lead('grace@example.com')).json.status).toBe('accepted');
    expect((await office.get('/api/console/leads?region=us&vertical=payday')).json.rows).toHaveLength(1);
    const { sweep } = await import('#server/node/sweep.ts');
    expect(await sweep(node.pool, Date.now())).toBeDefined();
  });

  it.each([
    ['makes roles', 'create role taken_over login superuser'],
    ['makes databases', 'create database taken_over'],
    ['reads the passwords of roles', 'select rolpassword from pg_authid'],
    ['runs programs', `copy (select 1) to program 'true'`],
    ['reads files of the machine', `select pg_read_file('PG_VERSION')`],
    ['changes the settings of the server', `alter system set fsync = off`],
    ['ends the work of others', `select pg_reload_conf()`],
  ])('C4: never %s', async (_what, statement) => {
    const client = await connect(ownerUrl);
    await expect(client.query(statement)).rejects.toThrow(/permission denied|must be superuser/);
    await client.end();
  });
});

describe('the role that works for organizations', () => {
  it.each([
    ['sets the wall aside', 'alter table lead disable row level security'],
    ['takes the wall’s rule away', 'drop policy one_organization on lead'],
    ['writes a rule of its own', 'create policy mine on lead using (true)'],
    ['changes tables', 'alter table lead add column taken_over text'],
    ['drops tables', 'drop table lead'],
    ['empties tables', 'truncate lead'],
    ['makes tables', 'create table public.mine (id int)'],
    ['makes functions', 'create function public.mine() returns int language sql as $$ select 1 $$'],
    ['makes roles', 'create role taken_over'],
    ['reads the passwords of roles', 'select rolpassword from pg_authid'],
    ['reads which migrations there are, and writes them', `insert into migration (name, checksum) values ('x', 'x')`],
    ['changes the ledger', `update ledger_entry set amount = 0`],
    ['removes what was settled', 'delete from settlement'],
  ])('C4: never %s', async (_what, statement) => {
    const client = await connect(ownerUrl);
    await client.query(`set role sluice_tenant; select set_config('sluice.organization', gen_random_uuid()::text, false)`);
    await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner|must be able to/);
    await client.end();
  });

  it('C4: cannot sign in, is no superuser, passes no wall by, and follows nobody', async () => {
    const client = await connect(database.url);
    const { rows } = await client.query(
      `select rolcanlogin, rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolreplication from pg_roles where rolname = 'sluice_tenant'`,
    );
    expect(rows).toEqual([
      { rolcanlogin: false, rolsuper: false, rolbypassrls: false, rolcreaterole: false, rolcreatedb: false, rolreplication: false },
    ]);
    await client.end();
  });

  it('C4: no function that runs with the rights of its owner is open to everybody, or looks up names where others write', async () => {
    const client = await connect(database.url);
    const { rows } = await client.query(
      `select p.proname as name, has_function_privilege('public', p.oid, 'execute') as open, coalesce(array_to_string(p.proconfig, ' '), '') as config
        from pg_proc p where p.pronamespace = 'public'::regnamespace and p.prosecdef`,
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { name, open, config } of rows)
      expect([name, open, config]).toEqual([name, false, expect.stringContaining('search_path=pg_catalog')]);
    await client.end();
  });
});

it('C4: another login of the server does not get in', async () => {
  await expect(connect(urlOf(stranger))).rejects.toThrow(/permission denied for database/);
});
