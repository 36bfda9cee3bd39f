/** A value that very many leads share, a landline or none@example.com: finding and erasing them costs what they are, not its square. */
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { countFound, idsOf, listFound, listToErase } from '#server/data-request/find-person.sql.ts';
import { type Db, openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';

const COUNT = Number(process.env.SHARED_VALUE ?? 3_000);
const [organizationId, verticalId, otherId, hash] = [newId(), newId(), newId(), newId()];
const sought = { hashes: [hash], leadIds: [], verticalIds: [verticalId] };
const since = Date.now() - 3_600_000;
let database: TestDatabase;

beforeAll(async () => {
  database = await freshDatabase();
  await onConnection(async (db) => {
    const id = (after: number) =>
      sql`overlay(uuid7_floor(${new Date(since)}::timestamptz + (n + ${after}::int) * interval '1 millisecond')::text placing lpad(to_hex(n), 12, '0') from 25)::uuid`;
    const insert = (vertical: string, at: number, ping: ReturnType<typeof id>) =>
      sql`insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, mode, test, ping_id, node_id, fields)
        select x, ${id(at)}, x, ${vertical}::uuid, x, x, x, '', 'full', false, ${ping}, x, '' from generate_series(1, ${COUNT}::int) n, (select ${organizationId}::uuid as x) as o`.execute(
        db,
      );
    // Each was pinged before: pings of even ones can be found by themselves, others with their lead alone.
    await insert(verticalId, 0, sql`null::uuid`);
    await sql`insert into lead_lookup select organization_id, ${hash}::uuid, id from lead where get_byte(uuid_send(id), 15) % 2 = 0`.execute(
      db,
    );
    await insert(verticalId, 60_000, id(0));
    await sql`insert into lead_lookup select organization_id, ${hash}::uuid, id from lead where ping_id is not null`.execute(db);
    await insert(otherId, -60_000, sql`null::uuid`);
    await sql`insert into lead_lookup select organization_id, ${hash}::uuid, id from lead where vertical_id = ${otherId}::uuid`.execute(db);
    await sql`analyze lead, lead_lookup`.execute(db);
  });
});
afterAll(() => database.drop());

/** What was read on it is told when it closes. */
async function onConnection<T>(use: (db: Db) => Promise<T>): Promise<T> {
  const pool = openPool(database.url, 1);
  return use(openDb(pool)).finally(() => pool.end());
}

async function rowsRead(use: (db: Db) => Promise<unknown>): Promise<number> {
  const told = () =>
    onConnection(async (db) => {
      const { rows } = await sql<{ read: string }>`
        select (select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes) as read`.execute(
        db,
      );
      return Number(rows[0]!.read);
    });
  const before = await told();
  await onConnection(use);
  return (await told()) - before;
}

async function walk(db: Db): Promise<string[]> {
  const ids: string[] = [];
  for (let after: string | undefined; ; ) {
    const found = await listToErase(db, organizationId, sought, after, 20);
    ids.push(...idsOf(found));
    if (found.length < 20) return ids;
    after = found.at(-1)!.id;
  }
}

it('H4: all of them are gone through step by step, each with its ping and once, at a few rows for each', async () => {
  let ids: string[] = [];
  const read = await rowsRead(async (db) => {
    ids = await walk(db);
  });
  expect(ids).toHaveLength(2 * COUNT);
  expect(new Set(ids).size).toBe(2 * COUNT);
  expect(read).toBeLessThan(COUNT * 30);
});

it('a page of them costs what a page shows, and all pages show all of them', async () => {
  expect(await rowsRead((db) => listFound(db, organizationId, sought, undefined, 26))).toBeLessThan(1_000);
  expect(await rowsRead((db) => countFound(db, organizationId, sought, 1_000))).toBeLessThan(COUNT * 10);
  await onConnection(async (db) => {
    const ids: string[] = [];
    for (let before: string | undefined; ; ) {
      const found = await listFound(db, organizationId, sought, before, 500);
      ids.push(...idsOf(found));
      if (found.length < 500) break;
      before = found.at(-1)!.id;
    }
    expect([ids.length, new Set(ids).size]).toEqual([2 * COUNT, 2 * COUNT]);
    expect(await countFound(db, organizationId, sought, 1_000_000)).toBe(2 * COUNT);
    expect(await countFound(db, organizationId, sought, 1_000)).toBe(1_000);
  });
});
