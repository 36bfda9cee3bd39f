import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';
import { SWEPT_TABLES, type SweepPlace, sweep } from './sweep.ts';

const NOW = Date.parse('2026-06-15T12:00:00Z');
const MINUTE = 60_000;
const DAY = 86_400_000;
const ago = (ms: number) => new Date(NOW - ms);

let database: TestDatabase;
let pool: pg.Pool;
let world: World;
let userId: string;

beforeAll(async () => {
  database = await freshDatabase();
  pool = openPool(database.url, 4);
  world = await buildWorld(openDb(pool), { groups: [{ mode: 'priority', tiers: [{ url: 'https://buyer.example' }] }] });
  userId = (await buildUser(openDb(pool), world.organizationId)).userId;
});
afterAll(async () => {
  await pool.end();
  await database.drop();
});

const insertIdempotency = (expiresAt: Date) =>
  pool.query('insert into idempotency values ($1, $2, $3, $4, $5, $6)', [
    world.organizationId,
    world.publisherTierId,
    newId(),
    newId(),
    newId(),
    expiresAt,
  ]);
const insertClaim = (claimedAt: Date) =>
  pool.query('insert into duplicate_claim values ($1, $2, $3, $4, $5)', [world.organizationId, newId(), newId(), newId(), claimedAt]);
const insertCounter = (resetsAt: Date | null) =>
  pool.query(`insert into counter values ($1, $2, $3, 'sold', 'day', 1, $4)`, [world.organizationId, newId(), newId(), resetsAt]);
const insertSession = (expiresAt: Date) =>
  pool.query('insert into session (token_hash, user_id, organization_id, expires_at) values ($1, $2, $3, $4)', [
    randomBytes(32),
    userId,
    world.organizationId,
    expiresAt,
  ]);
const insertToken = (expiresAt: Date) =>
  pool.query(`insert into one_time_token (token_hash, purpose, user_id, expires_at) values ($1, 'hand-over', $2, $3)`, [
    randomBytes(32),
    userId,
    expiresAt,
  ]);
const insertMail = (createdAt: Date) =>
  pool.query(`insert into mail (id, kind, recipient, created_at) values ($1, 'invitation', 'a@example.com', $2)`, [newId(), createdAt]);
const insertThrottle = (endsAt: Date) =>
  pool.query('insert into throttle (name, window_start, count, ends_at) values ($1, $2, 1, $2)', [newId(), endsAt]);

const insertEntryCall = (enteredAt: Date) =>
  pool.query(`insert into entry_call values ($1, $2, '{}', $3)`, [world.organizationId, newId(), enteredAt]);

const insertFormerSubDomain = (givenUpAt: Date) =>
  pool.query('insert into former_sub_domain values ($1, $2, $3)', [newId(), world.organizationId, givenUpAt]);

const insertMinute = (minute: Date) =>
  pool.query('insert into breaker_minute values ($1, $2, $3, 1, 0)', [world.organizationId, newId(), minute]);

const LIST = newId();
const insertList = (entries: number) =>
  pool.query(`insert into suppression_list (organization_id, id, name, holds, entry_count) values ($1, $2, 'List', 'email', $3)`, [
    world.organizationId,
    LIST,
    entries,
  ]);
const insertEntry = (expiresAt: Date | null) =>
  pool.query('insert into suppression_entry values ($1, $2, $3, 0, $4)', [world.organizationId, LIST, newId(), expiresAt]);
const insertJob = (endedAt: Date | null) =>
  pool.query(
    `insert into job (organization_id, id, kind, name, settings, person_id, ended_at) values ($1, $2, 'import', 'a.csv', '{}', $3, $4)`,
    [world.organizationId, newId(), userId, endedAt],
  );

const insertReplay = (createdAt: Date) =>
  pool.query(
    `insert into replay (organization_id, id, vertical_id, campaign_id, person_id, settings, published, changed, created_at)
      values ($1, $2, $3, $4, $5, '{}', '[]', '[]', $6)`,
    [world.organizationId, newId(), world.verticalId, world.campaignId, userId, createdAt],
  );
const insertEligibilityToken = (expiresAt: Date) =>
  pool.query(
    `insert into eligibility_token (organization_id, id, vertical_id, name, token_hash, publisher_tier_ids, created_by, expires_at)
      values ($1, $2::uuid, $3, 'link', uuid_send($2::uuid), array[$4]::uuid[], 'U', $5)`,
    [world.organizationId, newId(), world.verticalId, world.publisherTierId, expiresAt],
  );

const CARD = newId();
const insertCard = () =>
  pool.query(`insert into card (organization_id, id, vertical_id, name) values ($1, $2, $3, 'Card')`, [
    world.organizationId,
    CARD,
    world.verticalId,
  ]);
const WEBHOOK = newId();
const insertWebhook = () =>
  pool.query(
    `insert into webhook (organization_id, id, vertical_id, name, url, events) values ($1, $2, $3, 'Hook', 'https://x.example', '{lead.sold}')`,
    [world.organizationId, WEBHOOK, world.verticalId],
  );
const insertWebhookCall = (madeAt: Date) =>
  pool.query(
    `insert into webhook_call (organization_id, id, webhook_id, lead_id, event, made_at, due_at) values ($1, $2, $3, $2, 'lead.sold', $4, $4)`,
    [world.organizationId, newId(), WEBHOOK, madeAt],
  );
const [FEED, FILE] = [newId(), newId()];
const insertFeed = () =>
  pool.query(
    `insert into export_feed (organization_id, id, vertical_id, name, schedule, content, destination) values ($1, $2, $3, 'Feed', '{}', '{}', '{}')`,
    [world.organizationId, FEED, world.verticalId],
  );
const insertFile = (createdAt: Date, id = newId()) =>
  pool.query(
    `insert into export_file (organization_id, id, vertical_id, name, format, unmasked, created_at, kept_until) values ($1, $2, $3, 'f', 'csv', false, $4, now())`,
    [world.organizationId, id, world.verticalId, createdAt],
  );
const insertPart = (part: number, keptUntil: Date) =>
  pool.query(`insert into export_part (organization_id, file_id, part, body, lead_ids, kept_until) values ($1, $2, $3, '', '{}', $4)`, [
    ...[world.organizationId, FILE, part, keptUntil],
  ]);
const insertRun = (endedAt: Date | null, state: string) =>
  pool.query(
    `insert into export_run (organization_id, id, feed_id, from_at, to_at, due_at, ended_at, state) values ($1, $2, $3, now(), now(), now(), $4, $5)`,
    [world.organizationId, newId(), FEED, endedAt, state],
  );
const insertUnmapped = (target: string, lastAt: Date) =>
  pool.query('insert into unmapped_value values ($1, $2, $3, 1, $4, $4)', [
    world.organizationId,
    world.tiers[0]!.buyerTierId,
    target,
    lastAt,
  ]);
const insertHeldOver = (takenAt: Date | null) =>
  pool.query(`insert into export_held_over (organization_id, feed_id, lead_id, missed_run, taken_at) values ($1, $2, $3, $3, $4)`, [
    ...[world.organizationId, FEED, newId(), takenAt],
  ]);
const insertCardDay = (day: Date) => pool.query('insert into card_day values ($1, $2, $3)', [world.organizationId, CARD, day]);

const insertRequest = (decidedAt: Date | null) =>
  pool.query(
    `insert into change_request (organization_id, id, publisher_id, model, record_id, record_name, before, after, status, asked_by, asked_by_name,
        decided_by, decided_by_name, decided_at)
      values ($1, $2::uuid, $3, 'publisherTier', $2::uuid, 'Tier', '{}', '{}', $4, $5, 'P', $6::uuid, $7, $8)`,
    decidedAt
      ? [world.organizationId, newId(), world.publisherId, 'approved', userId, userId, 'O', decidedAt]
      : [world.organizationId, newId(), world.publisherId, 'open', userId, null, null, null],
  );

const count = async (table: string) => (await pool.query(`select count(*)::int as rows from ${table}`)).rows[0].rows as number;
const insertPageHour = (hourAt: Date) =>
  pool.query('insert into page_hour (organization_id, page_id, hour_at, views) values ($1, $2, $3, 1)', [
    world.organizationId,
    newId(),
    hourAt,
  ]);
/** A payment of that moment, with what was reported of it, and its hour. */
const insertPayment = (at: Date) =>
  pool.query(
    `with p as (insert into payment_processor (organization_id, id, vertical_id, name) values ($1, $2::uuid, $3, $2::uuid::text) returning *),
      x as (insert into payment (organization_id, id, vertical_id, processor_id, transaction_hash, transaction_id, attempted_at, result, amount, currency,
        campaign_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id) select organization_id, id, vertical_id, id, id, 'T', $4, 'approved', 1, 'USD', id, id, id, id, id from p)
    insert into payment_hour select organization_id, vertical_id, 'wide', $4, id, 0, '', '', id, id, id, id, id, 'USD', 1, 1, 0, 0, 0, 1, 0, 0 from p`,
    [world.organizationId, newId(), world.verticalId, at],
  );

const insertView = (removedAt: Date | null) =>
  pool.query(
    `insert into saved_view (organization_id, id, vertical_id, page, user_id, user_name, name, search, removed_at) values ($1, $2, $3, 'inbound', $2, '', 'V', '{}', $4)`,
    [world.organizationId, newId(), world.verticalId, removedAt],
  );

describe('rows whose time is over', () => {
  it('go, and every other row stays', async () => {
    for (const expiresAt of [ago(16 * MINUTE), ago(14 * MINUTE), ago(-DAY)]) await insertIdempotency(expiresAt);
    for (const claimedAt of [ago(401 * DAY), ago(399 * DAY), ago(0)]) await insertClaim(claimedAt);
    for (const resetsAt of [ago(36 * DAY), ago(34 * DAY), ago(-DAY), null]) await insertCounter(resetsAt);
    for (const expiresAt of [ago(1), ago(-MINUTE)]) await insertSession(expiresAt);
    for (const expiresAt of [ago(31 * DAY), ago(29 * DAY), ago(-DAY)]) await insertToken(expiresAt);
    for (const createdAt of [ago(31 * DAY), ago(29 * DAY)]) await insertMail(createdAt);
    for (const endsAt of [ago(1), ago(-MINUTE)]) await insertThrottle(endsAt);
    for (const minute of [ago(26 * 60 * MINUTE), ago(DAY)]) await insertMinute(minute);
    await insertList(3);
    for (const expiresAt of [ago(1), ago(-MINUTE), null]) await insertEntry(expiresAt);
    for (const endedAt of [ago(91 * DAY), ago(89 * DAY), null]) await insertJob(endedAt);
    for (const givenUpAt of [ago(91 * DAY), ago(89 * DAY)]) await insertFormerSubDomain(givenUpAt);
    for (const createdAt of [ago(181 * DAY), ago(179 * DAY)]) await insertReplay(createdAt);
    for (const expiresAt of [ago(91 * DAY), ago(89 * DAY), ago(-DAY)]) await insertEligibilityToken(expiresAt);
    for (const enteredAt of [ago(31 * DAY), ago(29 * DAY)]) await insertEntryCall(enteredAt);
    await insertCard();
    for (const day of [ago(733 * DAY), ago(729 * DAY)]) await insertCardDay(day);
    for (const hourAt of [ago(3661 * DAY), ago(3659 * DAY)]) await insertPageHour(hourAt);
    for (const removedAt of [ago(25 * 60 * MINUTE), ago(23 * 60 * MINUTE), null]) await insertView(removedAt);
    for (const at of [ago(3661 * DAY), ago(3659 * DAY)]) await insertPayment(at);
    for (const decidedAt of [ago(732 * DAY), ago(730 * DAY), null]) await insertRequest(decidedAt);
    await insertWebhook();
    for (const madeAt of [ago(31 * DAY), ago(29 * DAY)]) await insertWebhookCall(madeAt);
    await insertFeed();
    await insertFile(ago(91 * DAY));
    await insertFile(ago(89 * DAY), FILE);
    await insertPart(0, ago(1));
    await insertPart(1, ago(-MINUTE));
    await insertRun(ago(91 * DAY), 'sent');
    await insertRun(null, 'due');
    await insertRun(ago(89 * DAY), 'sent');
    for (const takenAt of [ago(91 * DAY), ago(89 * DAY), null]) await insertHeldOver(takenAt);
    await insertUnmapped('gender', ago(8 * DAY));
    await insertUnmapped('residence', ago(6 * DAY));
    expect(await sweep(pool, NOW)).toEqual(Object.fromEntries(SWEPT_TABLES.map((table) => [table, 1])));
    const left = {
      counter: 3,
      duplicate_claim: 2,
      idempotency: 2,
      one_time_token: 2,
      mail: 1,
      breaker_minute: 1,
      card_day: 1,
      page_hour: 1,
      payment: 1,
      payment_hour: 1,
      saved_view: 2,
      throttle: 1,
      unmapped_value: 1,
      session: 1,
      change_request: 2,
      former_sub_domain: 1,
      suppression_entry: 2,
      entry_call: 1,
      job: 2,
      replay: 1,
      eligibility_token: 2,
      webhook_call: 1,
      export_part: 1,
      export_file: 1,
      export_run: 2,
      export_held_over: 2,
    };
    for (const table of SWEPT_TABLES) expect([table, await count(table)]).toEqual([table, left[table]]);
    expect((await pool.query('select entry_count from suppression_list where id = $1', [LIST])).rows).toEqual([{ entry_count: 2 }]);
    expect(await sweep(pool, NOW)).toEqual(Object.fromEntries(SWEPT_TABLES.map((table) => [table, 0])));
  });

  it('the place of a breaker’s probe goes when its time is over', async () => {
    const insertProbe = (resetsAt: Date) =>
      pool.query(`insert into counter values ($1, $2, $3, 'sent', 'probe', 1, $4)`, [world.organizationId, newId(), newId(), resetsAt]);
    const before = await count('counter');
    await insertProbe(ago(1));
    await insertProbe(ago(-MINUTE));
    expect(await sweep(pool, NOW)).toMatchObject({ counter: 1 });
    expect(await count('counter')).toBe(before + 1);
  });

  it('claims are kept as long as the longest duplicate window looks back', async () => {
    await pool.query(`update publisher_tier set duplicate = '{"fields":["email"],"match":"any","windowDays":500}'`);
    await insertClaim(ago(499 * DAY));
    await insertClaim(ago(501 * DAY));
    expect(await sweep(pool, NOW)).toMatchObject({ duplicate_claim: 1 });
    await pool.query('update publisher_tier set duplicate = null');
    expect(await sweep(pool, NOW)).toMatchObject({ duplicate_claim: 1 });
  });

  it('are looked for a bounded part at a time, the next run going on where the last one ended', async () => {
    await pool.query(
      `insert into idempotency select $1, $2, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), $3 from generate_series(1, 60000)`,
      [world.organizationId, world.publisherTierId, ago(DAY)],
    );
    const place: SweepPlace = new Map();
    const before = await count('idempotency');
    const first = await sweep(pool, NOW, place, { slicePages: 16, slices: 4 });
    expect(first!.idempotency).toBeGreaterThan(1_000);
    expect(first!.idempotency).toBeLessThan(30_000);
    const runs = [first!.idempotency];
    while (runs.length < 60 && (await count('idempotency')) > before - 60_000) {
      const next = await sweep(pool, NOW, place, { slicePages: 16, slices: 4 });
      runs.push(next!.idempotency);
    }
    expect(runs.reduce((sum, one) => sum + one, 0)).toBe(60_000);
  });
});

describe('over all nodes', () => {
  it('G8: one sweeps at a time, and the lock is let go afterwards', async () => {
    const other = new pg.Client({ connectionString: database.url });
    await other.connect();
    await other.query(`select pg_advisory_lock(hashtext('sluice sweep'))`);
    expect(await sweep(pool, NOW)).toBeUndefined();
    await other.end();
    await expect.poll(() => sweep(pool, NOW)).toBeDefined();
    const held = await pool.query(
      `select count(*)::int as locks from pg_locks
        where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())`,
    );
    expect(held.rows).toEqual([{ locks: 0 }]);
  });

  it('a sweep that fails lets go of the lock, too', async () => {
    await pool.query('alter table session rename to session_away');
    await expect(sweep(pool, NOW)).rejects.toThrow();
    await pool.query('alter table session_away rename to session');
    await expect.poll(() => sweep(pool, NOW)).toBeDefined();
  });
});
