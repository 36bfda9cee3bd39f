import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lookAtSeals } from '#server/doctor/seals.ts';
import { type OrganizationKeys, unwrapKeys } from '#server/kit/crypto.ts';
import { type Db, openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { buildWorld } from '#test/harness/world.ts';
import { findBrokenSeal, sealChanges } from './seal-changes.ts';

const HOUR = 3_600_000;
const NOW = Math.floor(Date.now() / HOUR) * HOUR + 20 * 60_000;

let database: TestDatabase;
let pool: pg.Pool;
let db: Db;
let keys: OrganizationKeys;
let book: Parameters<typeof sealChanges>[1];

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool(database.url, 4);
  db = openDb(pool);
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});
beforeEach(async () => {
  await pool.query('delete from change_seal');
  await pool.query('delete from change_log');
  const { organizationId } = await buildWorld(db, {});
  const { rows } = await pool.query('select data_key from organization where id = $1', [organizationId]);
  keys = unwrapKeys(TEST_CONFIG.masterKey, organizationId, rows[0].data_key);
  book = { find: (id) => (id === organizationId ? ({ keys } as never) : undefined) };
});

const line = (at: number, more: { model?: string; after?: object; name?: string } = {}) =>
  pool.query(
    `insert into change_log (organization_id, id, user_id, user_name, model, record_id, record_name, action, after) values ($1, $2, $3, 'Una', $4, $5, $6, 'edit', $7)`,
    [
      keys.organizationId,
      newId(at),
      newId(),
      more.model ?? 'buyer',
      newId(),
      more.name ?? 'B',
      JSON.stringify(more.after ?? { name: 'B' }),
    ],
  );
const seal = (now: number) => sealChanges(pool, book, now);
const broken = () => findBrokenSeal(pool, keys);
const doctor = async () => (await lookAtSeals(pool as never, TEST_CONFIG)).map(({ level, what }) => `${level}: ${what}`);

describe('H5: the change log is sealed, hour by hour', () => {
  it('each line once, when its hour has been over for an hour; nothing new makes no seal, and of two nodes one makes it', async () => {
    for (const hoursAgo of [5, 4.9, 3, 1.2, 0.1]) await line(NOW - hoursAgo * HOUR);
    const made = (await Promise.all([seal(NOW), seal(NOW)])).flat();
    expect(made.map(({ sealNo, entries }) => [sealNo, entries])).toEqual([[1, 3]]);
    expect(await seal(NOW)).toEqual([]);
    expect((await seal(NOW + HOUR)).map(({ sealNo, entries }) => [sealNo, entries])).toEqual([[2, 1]]);
    expect((await seal(NOW + 2 * HOUR)).map(({ sealNo, entries }) => [sealNo, entries])).toEqual([[3, 1]]);
    expect(await broken()).toBeUndefined();
    expect(await doctor()).toEqual(['ok: The change logs are as they were sealed.']);
  });

  it.each([
    ['a line that was changed', `update change_log set user_name = 'Nobody' where record_name = 'second'`, 2, [1, 1]],
    ['what a line says was before', `update change_log set before = '{"price": "1"}' where record_name = 'first'`, 1, [2, 2]],
    ['a line that was taken away', `delete from change_log where record_name = 'second'`, 2, [1, 0]],
    [
      'a line that was put in later',
      `insert into change_log select organization_id, uuid7_at(uuid7_instant(id)), user_id, user_name, address, model, record_id, 'new', action from change_log where record_name = 'first'`,
      1,
      [2, 3],
    ],
    ['a seal that was taken away', 'delete from change_seal where seal_no = 1', 2, [1, 1]],
    ['a seal that was made for it', `update change_seal set digest = gen_random_uuid() where seal_no = 1`, 1, [2, 2]],
    ['a number of lines that was changed', 'update change_seal set entries = 9 where seal_no = 2', 2, [9, 1]],
  ])('%s shows, and the doctor says where', async (_, statement, sealNo, [entries, found]) => {
    await line(NOW - 5 * HOUR, { name: 'first' });
    await line(NOW - 5 * HOUR + 1);
    await seal(NOW - 2 * HOUR);
    await line(NOW - 3 * HOUR, { name: 'second' });
    await seal(NOW);
    expect(await broken()).toBeUndefined();
    await pool.query(statement);
    // Of a chain whose first seal is gone the second stands for all lines before it.
    expect(await broken()).toMatchObject(statement.startsWith('delete from change_seal') ? { sealNo } : { sealNo, entries, found });
    expect((await doctor())[0]).toContain(`seal ${sealNo} does not hold`);
  });

  it('a long log is sealed in pieces that go on with one chain, and looked through in pieces', async () => {
    for (let at = 0; at < 11; at++) await line(NOW - 5 * HOUR + at, { name: `line ${at}` });
    const run = async (bounds = { lines: 4, seals: 2 }) =>
      (await sealChanges(pool, book, NOW, bounds)).map(({ sealNo, entries }) => [sealNo, entries]);
    const chain = [
      [1, 4],
      [2, 4],
      [3, 3],
    ];
    // A run makes so many, and the next goes on where it ended.
    expect([await run(), await run(), await run()]).toEqual([chain.slice(0, 2), chain.slice(2), []]);
    // Of several nodes each seal is made by one.
    await pool.query('delete from change_seal where seal_no > 1');
    const all = { lines: 4, seals: 9 };
    expect((await Promise.all([run(all), run(all), run(all)])).flat().sort()).toEqual(chain.slice(1));
    await line(NOW - 1.2 * HOUR);
    expect((await seal(NOW + HOUR)).map(({ sealNo, entries }) => [sealNo, entries])).toEqual([[4, 1]]);
    for (const step of [1, 2, 3, 20]) expect(await findBrokenSeal(pool, keys, step)).toBeUndefined();
    await pool.query(`update change_log set user_name = 'Nobody' where record_name = 'line 9'`);
    for (const step of [1, 2, 3, 20]) expect(await findBrokenSeal(pool, keys, step)).toEqual({ sealNo: 3, entries: 3, found: 3 });
    expect((await doctor())[0]).toContain('seal 3 does not hold');
    await pool.query('delete from change_seal where seal_no = 2');
    for (const step of [1, 2, 20]) expect(await findBrokenSeal(pool, keys, step)).toMatchObject({ sealNo: 3 });
  });

  it('a return whose note was emptied for its consumer is as it was', async () => {
    await line(NOW - 4 * HOUR, { model: 'leadReturn', after: { reason: 'wrong number', note: 'Ada said so' } });
    await seal(NOW);
    await pool.query(`update change_log set after = after || '{"note": "•••"}'`);
    expect(await broken()).toBeUndefined();
    await pool.query(`update change_log set after = after || '{"reason": "other"}'`);
    expect(await broken()).toMatchObject({ sealNo: 1 });
  });

  it('seals that were taken away from the end are missed', async () => {
    await line(NOW - 5 * HOUR);
    await seal(NOW);
    await pool.query('delete from change_seal');
    expect((await doctor())[0]).toMatch(/^warn: The change log of 1 organization has lines of more than 3 hours that are not sealed\./);
  });

  it('another key makes no seal', async () => {
    await line(NOW - 5 * HOUR);
    await seal(NOW);
    const { organizationId: strangerId } = await buildWorld(db, {});
    const { rows } = await pool.query('select data_key from organization where id = $1', [strangerId]);
    const other = { ...unwrapKeys(TEST_CONFIG.masterKey, strangerId, rows[0].data_key), organizationId: keys.organizationId };
    expect(await findBrokenSeal(pool, other)).toMatchObject({ sealNo: 1, entries: 1, found: 1 });
  });
});
