/** What bounds the log of sign-ins and refusals, with the bounds it has: nobody's flood hides another person's lines. */
import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDb, openPool } from '#server/kit/database.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';
import { findSecurityLines } from './security-log.sql.ts';
import { openSecurityLog, type SecurityEvent, type SecurityLog, type Subject } from './security-log.ts';

let database: TestDatabase;
let pool: pg.Pool;
let organizationId: string;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool(database.url, 4);
  organizationId = (await buildWorld(openDb(pool))).organizationId;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const newPerson = async (): Promise<string> => (await buildUser(openDb(pool), organizationId)).userId;
const networkAt = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;
const cookieOfNobody = (): Subject => ({ tokenHash: randomBytes(32).toString('hex') });

const EVENT: Omit<SecurityEvent, 'subject'> = {
  ...{ at: Date.now(), calledAt: null, byUserId: null, kind: 'sign-in', outcome: 'done', factors: 'password' },
  ...{ network: '198.51.100.1', device: 'Chrome', method: 'POST', route: '/team-login', statusCode: 200, code: '' },
};
const OVER = { kind: 'refusal', outcome: 'over', factors: '', statusCode: 401, code: 'session_missing' } as const;
const WRONG = { outcome: 'wrong-password', statusCode: 401, code: 'session_refused' } as const;

/** Writes what `fill` records, and says how many lines were lost. */
async function written(fill: (record: (subject: Subject, event?: Partial<SecurityEvent>) => void) => void): Promise<number> {
  let lost = 0;
  const errors: unknown[] = [];
  const log: SecurityLog = openSecurityLog({
    ...{ pool, now: () => EVENT.at, onError: (error) => errors.push(error) },
    onLost: (lines) => {
      lost += lines;
    },
  });
  fill((subject, event) => log.record({ ...EVENT, ...event, subject }));
  await log.close();
  expect(errors).toEqual([]);
  return lost;
}

interface Row {
  kind: string;
  outcome: string;
  network: string;
  more: number;
}

async function linesOf(userId: string | null, kind = 'sign-in'): Promise<Row[]> {
  const found = await pool.query<Row>(
    'select kind, outcome, network, more from security_log where user_id is not distinct from $1 and kind = $2 order by id',
    [userId, kind],
  );
  return found.rows;
}
const calls = (rows: Row[]) => rows.reduce((sum, { more }) => sum + 1 + more, 0);

test('ASVS 5.0 16.3.3: cookies and links from very many networks take no room of people that are known, and what is lost is told', async () => {
  const person = await newPerson();
  const lost = await written((record) => {
    // One network’s links stand, however many.
    for (let n = 0; n < 5_000; n++) record({ isStranger: true }, { kind: 'link', outcome: 'link-unknown', calledAt: organizationId });
    for (let n = 0; n < 20_000; n++) record(cookieOfNobody(), { ...OVER, network: networkAt(n) });
    record({ userId: person, isAnywhere: true }, WRONG);
    record({ userId: person, organizationId });
  });
  expect((await linesOf(person)).map(({ outcome, more }) => [outcome, more]).sort()).toEqual([
    ['done', 0],
    ['wrong-password', 0],
  ]);
  const links = await linesOf(null, 'link');
  expect(links).toHaveLength(31);
  expect(calls(links)).toBe(5_000);
  expect(lost).toBeGreaterThan(10_000);
});

test('ASVS 5.0 16.3.1: a right password from one network is never counted among those of another, nor hidden by wrong ones', async () => {
  const person = await newPerson();
  const [own, stranger] = ['198.51.100.2', '203.0.113.9'];
  await written((record) => {
    const subject = { userId: person, isAnywhere: true } as const;
    for (let n = 0; n < 300; n++) record(subject, { ...WRONG, network: networkAt(n) });
    for (let n = 0; n < 40; n++) record(subject, { outcome: 'next-step', network: own });
    record(subject, { outcome: 'next-step', network: stranger });
  });
  const rows = await linesOf(person);
  const steps = rows.filter(({ outcome }) => outcome === 'next-step');
  expect(steps.filter(({ network }) => network === stranger).map(({ more }) => more)).toEqual([0]);
  expect(calls(steps.filter(({ network }) => network === own))).toBe(40);
  expect(calls(rows)).toBe(341);
});

test('a cookie of nobody does not take the lines along that come after it from the same network', async () => {
  const person = await newPerson();
  const tokenHash = randomBytes(32);
  await pool.query(`insert into session (token_hash, user_id, organization_id, expires_at) values ($1, $2, $3, now())`, [
    tokenHash,
    person,
    organizationId,
  ]);
  await written((record) => {
    for (let n = 0; n < 40; n++) record(cookieOfNobody(), OVER);
    for (let n = 0; n < 7; n++) record({ tokenHash: tokenHash.toString('hex') }, OVER);
  });
  expect((await linesOf(person, 'refusal')).map(({ more }) => more)).toEqual([6]);
});

test('where a search ends is asked for only where a page is not full', async () => {
  const person = await newPerson();
  await written((record) => {
    for (let n = 0; n < 3; n++) record({ userId: person, organizationId }, { at: EVENT.at + n });
  });
  let queries = 0;
  const db = openDb(pool).withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      queries += 1;
      return result;
    },
  });
  const page = (limit: number) => findSecurityLines(db, organizationId, { userId: person, limit });
  const full = await page(2);
  expect([full.rows.length, full.older, full.lookedTo, queries]).toEqual([2, full.rows[1]!.id, null, 1]);
  const last = await page(3);
  expect([last.rows.length, last.older, queries]).toEqual([3, null, 3]);
});
