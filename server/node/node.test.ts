/** A node that is busy with the leads of another goes on saying that it lives. */
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { openPlanBook, type PlanBook } from '#server/plan/plan-book.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { DEAD_AFTER_MS, joinNodes } from './node.ts';

let database: TestDatabase;
let planBook: PlanBook;
const errors: unknown[] = [];
const onError = (error: unknown) => void errors.push(error);

beforeAll(async () => {
  database = await freshDatabase();
  planBook = await openPlanBook({
    ...{ db: openDb(openPool(database.url, 2)), connectionString: database.url, masterKey: TEST_CONFIG.masterKey },
    onError,
  });
});
afterAll(async () => {
  await planBook.close();
  await database.drop();
});

it('a long look at what a lost node left does not make it lost itself', async () => {
  const pool = openPool(database.url, 4);
  const nodeId = newId();
  const blocker = new pg.Client({ connectionString: database.url });
  await blocker.connect();
  const life = await joinNodes({ pool, nodeId, planBook, interrupted: () => {}, onError });
  const seenAt = async () => (await pool.query('select seen_at from node where id = $1', [nodeId])).rows[0].seen_at.getTime();
  try {
    // Whoever goes through leads without a result waits here.
    await blocker.query('begin; lock table lead_result in access exclusive mode');
    await pool.query(`insert into node (id, seen_at) values ($1, now() - interval '1 hour')`, [newId()]);
    const waits = async () =>
      (await pool.query(`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`)).rowCount;
    await expect.poll(waits, { timeout: DEAD_AFTER_MS + 10_000, interval: 200 }).toBeGreaterThan(0);
    const before = await seenAt();
    await expect.poll(seenAt, { timeout: 8_000, interval: 200 }).toBeGreaterThan(before + 2_500);
    expect(await waits()).toBeGreaterThan(0);
    expect(errors).toEqual([]);
  } finally {
    await blocker.query('rollback');
    await blocker.end();
    await life.leave();
    await pool.end();
  }
}, 60_000);
