/** account §6 and issue-wide: row-level security is a second wall between organizations, whatever a query forgets. */
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { inTenant, openTenants } from '#server/kit/tenant.ts';
import { NO_PROOF } from '#server/session/proof.ts';
import { insertSession } from '#server/session/session.sql.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool(database.url, 4);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('the wall between organizations in the database', () => {
  it('stands on every tenant table, and on organization itself', async () => {
    const { rows } = await pool.query(
      `select c.relname as name from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and coalesce(obj_description(c.oid), '') not like 'reference%' and c.relname <> 'session'
         and not (c.relrowsecurity and exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'one_organization'))`,
    );
    expect(rows).toEqual([]);
  });

  it('C3: shows one organization, and nothing of a stranger to a query without a where', async () => {
    const db = openDb(pool);
    const worlds = [await buildWorld(db, {}), await buildWorld(db, {})] as const;
    for (const { organizationId } of worlds) {
      const seen = await inTenant(db, organizationId, async (tx) => [
        (await tx.selectFrom('organization').select('id').execute()).map((row) => row.id),
        (await tx.selectFrom('vertical').select('organization_id').execute()).map((row) => row.organization_id),
      ]);
      expect(seen).toEqual([[organizationId], [organizationId]]);
    }
  });

  it('holds while many organizations take turns on the same few connections', async () => {
    const db = openDb(pool);
    const tenants = openTenants(database.url, 2);
    const ids: string[] = [];
    for (let n = 0; n < 3; n++) ids.push((await buildWorld(db, {})).organizationId);
    const asked = Array.from({ length: 60 }, (_, at) => ids[at % ids.length]!);
    const seen = await Promise.all(asked.map((id) => tenants.of(id).selectFrom('publisher').select('organization_id').execute()));
    expect(seen.map((rows) => rows.map((row) => row.organization_id))).toEqual(asked.map((id) => [id]));
    await tenants.close();
  });

  it('lets nobody write into a stranger', async () => {
    const db = openDb(pool);
    const [own, other] = [await buildWorld(db, {}), await buildWorld(db, {})];
    const changed = await inTenant(db, own.organizationId, (tx) =>
      tx.updateTable('publisher').set({ name: 'Taken over' }).where('id', '=', other.publisherId).executeTakeFirst(),
    );
    expect(changed.numUpdatedRows).toBe(0n);
    const insert = inTenant(db, own.organizationId, (tx) =>
      tx
        .insertInto('publisher')
        .values({ organization_id: other.organizationId, id: own.organizationId, name: 'Planted', affiliate_id: 'X' })
        .execute(),
    );
    await expect(insert).rejects.toThrow(/row-level security/);
  });

  it('C4: opens nothing to one that names no organization, and no secret of people to anybody', async () => {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query('set role sluice_tenant');
    await expect(client.query('select * from publisher')).rejects.toThrow(/sluice.organization/);
    // Not even with an organization named, real or not.
    await client.query(`select set_config('sluice.organization', gen_random_uuid()::text, false)`);
    for (const secret of [
      'select password_hash from app_user',
      'select mfa_secret from app_user',
      'select * from session',
      'select token_hash from session',
      `update app_user set email = 'x@example.com'`,
      `update session set user_id = gen_random_uuid()`,
      'select * from one_time_token',
      'select * from mail',
    ])
      await expect(client.query(secret)).rejects.toThrow(/permission denied/);
    await client.end();
  });

  it('H5: lets a line of the change log be written and read, and never be changed or taken away', async () => {
    const db = openDb(pool);
    const { organizationId } = await buildWorld(db, {});
    const id = newId();
    const line = {
      organization_id: organizationId,
      id,
      user_id: newId(),
      user_name: 'Una',
      model: 'buyer',
      record_id: newId(),
      record_name: 'B',
    };
    await inTenant(db, organizationId, (tx) =>
      tx
        .insertInto('change_log')
        .values({ ...line, action: 'edit' })
        .execute(),
    );
    for (const statement of [
      `update change_log set user_name = 'Nobody'`,
      'delete from change_log',
      'truncate change_log',
      `insert into change_log select (jsonb_populate_record(c, '{"user_name":"Nobody"}')).* from change_log c
        on conflict (organization_id, id) do update set user_name = excluded.user_name`,
    ])
      await expect(inTenant(db, organizationId, (tx) => sql.raw(statement).execute(tx))).rejects.toThrow(/permission denied/);
    const { rows } = await pool.query('select user_name from change_log where id = $1', [id]);
    expect(rows).toEqual([{ user_name: 'Una' }]);
  });

  it('shows people and sessions of one organization, and lets a person change their own name alone', async () => {
    const db = openDb(pool);
    const [own, other] = [await buildWorld(db, {}), await buildWorld(db, {})];
    const [person, colleague, stranger] = [
      await buildUser(db, own.organizationId),
      await buildUser(db, own.organizationId),
      await buildUser(db, other.organizationId),
    ];
    for (const { userId } of [person, stranger])
      await insertSession(db, {
        userId,
        organizationId: userId === person.userId ? own.organizationId : other.organizationId,
        stage: 'full',
        credentialEpoch: 0,
        address: '',
        userAgent: '',
        proof: NO_PROOF,
      });
    await inTenant(db, own.organizationId, async (tx) => {
      const people = await tx.selectFrom('app_user').select('id').execute();
      expect(people.map((row) => row.id).sort()).toEqual([person.userId, colleague.userId].sort());
      expect((await tx.selectFrom('session').select('user_id').execute()).map((row) => row.user_id)).toEqual([person.userId]);
      expect((await tx.deleteFrom('session').where('user_id', '=', stranger.userId).executeTakeFirst()).numDeletedRows).toBe(0n);
      const rename = () => tx.updateTable('app_user').set({ first_name: 'Renamed' }).executeTakeFirst();
      expect((await rename()).numUpdatedRows).toBe(0n);
      await sql`select set_config('sluice.person', ${person.userId}, true)`.execute(tx);
      expect((await rename()).numUpdatedRows).toBe(1n);
    });
  });
});
