/** What a lead costs must not grow with the leads that came before it. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPool } from '#server/kit/database.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode } from '#test/harness/node.ts';
import { buildWorld, LEAD } from '#test/harness/world.ts';

let database: TestDatabase;
let buyer: ScriptedBuyer;

beforeAll(async () => {
  database = await freshDatabase();
  buyer = await startBuyer();
});
afterAll(async () => {
  await database.drop();
  await buyer.close();
});

/** Rows read so far, out of tables and by way of their indexes; connections report theirs when they close. */
async function rowsRead(): Promise<number> {
  const pool = openPool(database.url, 1);
  const { rows } = await pool.query<{ read: string }>(
    `select (select sum(seq_tup_read) from pg_stat_user_tables) + (select sum(idx_tup_read) from pg_stat_user_indexes) as read`,
  );
  await pool.end();
  return Number(rows[0]!.read);
}

/** As if the first lead had come thousands of times since the plans were made, which still know small tables. */
async function multiply(table: string, ...ids: string[]): Promise<void> {
  const pool = openPool(database.url, 1);
  const another = (id: string) => `'${id}', overlay(x.${id}::text placing lpad(to_hex(n), 12, '0') from 25)`;
  await pool.query(
    `insert into ${table} select (jsonb_populate_record(null::${table}, to_jsonb(x) || jsonb_build_object(${ids.map(another).join(', ')}))).*
      from (select * from ${table} limit 1) as x, generate_series(1, 5000) as n`,
  );
  await pool.end();
}

it('taking and selling a lead reads no table whole, however it is sold', async () => {
  buyer.answer(({ body }) => (body.includes('by-index1@') ? REJECT : ACCEPT));
  const cap = { measure: 'sold', period: 'overall', limit: 50, timeZone: 'UTC' } as const;
  const tier = { url: buyer.url, timeLimitMs: 2_000 };
  const node = await startNode(database.url);
  const noted = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [tier, tier] }] });
  const booked = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ ...tier, caps: [cap] }] }] });
  for (const world of [noted, booked]) await node.planBook.reload(world.organizationId);
  await node.post('/api/v1/leads', { ...LEAD, email: 'first@example.com' }, { authorization: `Bearer ${noted.key}` });
  await multiply('lead', 'id');
  await multiply('lead_result', 'lead_id');
  await multiply('idempotency', 'lead_id', 'fingerprint');
  const before = await rowsRead();
  for (let at = 0; at < 5; at++)
    for (const world of [noted, booked]) {
      const { json } = await node.post(
        '/api/v1/leads',
        { ...LEAD, email: `by-index${at}@example.com` },
        { authorization: `Bearer ${world.key}` },
      );
      expect(json.status).toMatch(/accepted|rejected/);
    }
  await node.close();
  expect((await rowsRead()) - before).toBeLessThan(5000);
});
