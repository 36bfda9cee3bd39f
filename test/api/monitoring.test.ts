/** What /metrics tells an operator (docs/operate/monitoring.md), and that it tells nobody else anything. */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readState } from '#server/health/read-state.sql.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { METRICS } from '#server/metric/metric-list.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { PRODUCTION_CONFIG } from '#test/harness/config.ts';
import { freshDatabase } from '#test/harness/database.ts';
import { metricOf } from '#test/harness/metrics.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;

beforeAll(async () => {
  node = await startTestWorld({ maxInFlight: 3 });
  buyer = await startBuyer();
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  await node.planBook.reload(world.organizationId);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

const post = (body: object, headers: Record<string, string> = {}) =>
  node.post('/api/v1/leads', body, { authorization: `Bearer ${world.key}`, ...headers });
const read = async (url = node.url, headers: Record<string, string> = {}) => (await fetch(`${url}/metrics`, { headers })).text();

const value = (name: string, labels: Record<string, string> = {}) => metricOf(node.url, name, labels);

describe('the stages of a lead', () => {
  it('are counted from the call to the answer', async () => {
    const before = (await value('sluice_intake_answers_total', { code: 'lead_sold' })) ?? 0;
    expect((await post({ ...LEAD, email: 'sold@example.com' })).json.status).toBe('accepted');
    buyer.answer(() => REJECT);
    await post({ ...LEAD, email: 'unsold@example.com' });
    buyer.answer(() => ACCEPT);
    await post({ ...LEAD, email: 'sold@example.com' });
    await node.post('/api/v1/leads', '<lead', { authorization: `Bearer ${world.key}`, 'content-type': 'application/xml' });
    const sold = { mode: 'full', format: 'json', code: 'lead_sold' };
    expect(await value('sluice_intake_answers_total', sold)).toBe(before + 2);
    expect(await value('sluice_intake_answers_total', { mode: 'full', format: 'xml', code: 'body_malformed' })).toBe(1);
    expect(await value('sluice_intake_repeats_total', { found: 'stored' })).toBe(1);
    expect(await value('sluice_leads_total', { status: 'sold' })).toBe(before + 1);
    expect(await value('sluice_leads_total', { status: 'unsold' })).toBe(1);
    expect(await value('sluice_buyer_calls_total', { leg: 'post', outcome: 'rejected' })).toBe(1);
    expect(await value('sluice_buyer_calls_total', { leg: 'post', outcome: 'accepted' })).toBe(before + 1);
    expect(await value('sluice_outbound_calls_total', { result: 'answered' })).toBe(before + 2);
    expect(await value('sluice_store_batches_total', { outcome: 'stored' })).toBeGreaterThanOrEqual(4);
    for (const name of ['sluice_lead_own_seconds', 'sluice_lead_store_seconds', 'sluice_lead_others_seconds'])
      expect([name, await value(`${name}_count`)]).toEqual([name, before + 2]);
  });

  it('a buyer that is away is counted by what happened on the wire', async () => {
    buyer.answer(() => ({ reset: true }));
    await post({ ...LEAD, email: 'reset@example.com' });
    buyer.answer(() => ACCEPT);
    expect(await value('sluice_outbound_calls_total', { result: 'reset' })).toBe(1);
    expect(await value('sluice_buyer_calls_total', { leg: 'post', outcome: 'error' })).toBe(1);
  });

  it('equal calls under way are counted as such, and what is refused for want of room by its code', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    buyer.answer(async () => {
      await held;
      return ACCEPT;
    });
    const twin = { ...LEAD, email: 'twin@example.com' };
    const calls = [post(twin), post(twin), post({ ...LEAD, email: 'third@example.com' })];
    await expect.poll(() => value('sluice_intake_under_way')).toBe(3);
    expect(await value('sluice_intake_limit')).toBe(3);
    await expect.poll(() => value('sluice_intake_fingerprints_under_way')).toBe(2);
    await expect.poll(() => value('sluice_outbound_under_way')).toBe(2);
    expect((await post({ ...LEAD, email: 'fourth@example.com' })).statusCode).toBe(429);
    release();
    await Promise.all(calls);
    buyer.answer(() => ACCEPT);
    expect(await value('sluice_intake_repeats_total', { found: 'joined' })).toBe(1);
    expect(await value('sluice_refusals_total', { status: '429', code: 'node_busy' })).toBe(1);
    expect(await value('sluice_intake_under_way')).toBe(0);
  });
});

describe('what waits in the database', () => {
  it('is read at most every 15 seconds, however often it is asked for', async () => {
    // Nobody counts for reports meanwhile.
    const rolling = new pg.Client({ connectionString: node.database.url });
    await rolling.connect();
    await rolling.query(`select pg_advisory_lock(hashtext('sluice reports'))`);
    const own = await startNode(node.database.url);
    const first = await read(own.url);
    await node.pool.query(`insert into report_mark (organization_id, hour_id, id, marked_at)
      select id, uuid7_at(now() - interval '2 hours'), gen_random_uuid(), now() - interval '20 minutes' from organization limit 1`);
    const hours = (text: string) => /^sluice_report_counts_waiting (\d+)$/m.exec(text)?.[1];
    expect(hours(first)).toBe('0');
    expect(hours(await read(own.url))).toBe('0');
    const other = await startNode(node.database.url);
    const fresh = await read(other.url);
    expect(hours(fresh)).toBe('1');
    expect(Number(/^sluice_report_oldest_seconds ([\d.]+)$/m.exec(fresh)![1])).toBeGreaterThan(1_100);
    expect(Number(/^sluice_nodes_living (\d+)$/m.exec(fresh)![1])).toBeGreaterThanOrEqual(3);
    expect(Number(/^sluice_partition_months_ahead (\d+)$/m.exec(fresh)![1])).toBeGreaterThanOrEqual(2);
    expect(fresh).toMatch(/^sluice_database_up 1$/m);
    expect(fresh).toMatch(/^sluice_pool_limit\{pool="tenants"\} 10$/m);
    await node.pool.query('delete from report_mark');
    await rolling.end();
    await Promise.all([own.close(), other.close()]);
  });

  it('is not told while the database is away, and the node goes on telling of itself', async () => {
    const own = await startTestWorld();
    const name = new URL(own.database.url).pathname.slice(1);
    await node.pool.query(`alter database ${name} with allow_connections false`);
    await node.pool.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    const text = await read(own.url);
    expect(text).toMatch(/^sluice_database_up 0$/m);
    expect(text).not.toMatch(/^sluice_mails_waiting /m);
    expect(text).toMatch(/^sluice_intake_under_way 0$/m);
    await node.pool.query(`alter database ${name} with allow_connections true`);
    await own.stop();
  });

  it('costs the same however much was done before: no table of what is over is read whole', async () => {
    const own = await freshDatabase();
    const pool = openPool(own.url, 1);
    const { organizationId, verticalId } = await buildWorld(openDb(pool));
    const hook = newId();
    const values = [organizationId, hook, verticalId];
    await pool.query(
      `insert into webhook (organization_id, id, vertical_id, name, url, events) values ($1, $2, $3, 'H', 'https://h.example', '{lead.sold}')`,
      values,
    );
    const past = `from generate_series(1, 20000) as n`;
    await pool.query(
      `insert into webhook_call (organization_id, id, webhook_id, lead_id, event, made_at, state, due_at)
      select $1, gen_random_uuid(), $2, gen_random_uuid(), 'lead.sold', now(), 'told', now() ${past}`,
      [organizationId, hook],
    );
    await pool.query(
      `insert into mail (id, kind, recipient, sent_at) select gen_random_uuid(), 'invitation', 'x@example.com', now() ${past}`,
    );
    await pool.query(
      `insert into job (organization_id, id, kind, status, name, settings, person_id)
      select $1, gen_random_uuid(), 'bankImport', 'done', 'x', '{}', gen_random_uuid() ${past}`,
      [organizationId],
    );
    await pool.query(
      `insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at)
      select $1, gen_random_uuid(), gen_random_uuid(), 'post', gen_random_uuid(), now() ${past}`,
      [organizationId],
    );
    await pool.query('analyze webhook_call, mail, job, reservation');
    const rowsRead = async (): Promise<number> => {
      await pool.query('select pg_stat_force_next_flush()');
      const { rows } = await pool.query<{ read: string }>(
        `select coalesce(sum(seq_tup_read), 0) + (select coalesce(sum(idx_tup_read), 0) from pg_stat_user_indexes) as read from pg_stat_user_tables`,
      );
      return Number(rows[0]!.read);
    };
    const before = await rowsRead();
    expect(await readState(pool, true)).toMatchObject({ mails: 0, webhook_calls: 0, jobs_waiting: 0, held: 0 });
    expect((await rowsRead()) - before).toBeLessThan(1_000);
    await pool.end();
    await own.drop();
  });
});

describe('people', () => {
  it('sign in, and are counted by how it ended', async () => {
    const user = await buildUser(node.db, world.organizationId);
    const own = { 'x-requested-with': 'sluice' };
    await node.post('/team-login', { email: user.email, password: 'wrong-password-1' }, own);
    await node.post('/team-login', { email: user.email, password: user.password }, own);
    expect(await value('sluice_sign_ins_total', { step: 'password', outcome: 'done' })).toBe(1);
    const refused = (await read()).split('\n').filter((line) => line.startsWith('sluice_sign_ins_total') && !line.includes('done'));
    expect(refused).toHaveLength(1);
    expect(await value('sluice_sessions_active')).toBeDefined();
  });
});

describe('the figures as a whole', () => {
  it('H1, T10: hold no personal value and no id, and as few series after a thousand strangers as after one', async () => {
    const canaries = ['Kanarienvogel', 'canary', '2125550177', 'kanari-key'];
    const call = (at: number) =>
      Promise.all([
        node.post(
          '/api/v1/leads',
          { ...LEAD, first_name: 'Kanarienvogel', email: `canary${at}@example.com`, nothing: '2125550177' },
          { authorization: `Bearer kanari-key-${at}` },
        ),
        fetch(`${node.url}/canary/${at}?canary=${at}`, { headers: { 'user-agent': `canary ${at}` } }),
        fetch(`${node.url}/api/v1/leads/canary${at}`, { headers: { authorization: `Bearer kanari-key-${at}` } }),
        fetch(`${node.url}/r/canary${at}`),
        fetch(`${node.url}/drawcard/card/canary${at}`),
      ]);
    await call(0);
    const names = (text: string) =>
      text
        .split('\n')
        .filter((line) => line && !line.startsWith('#'))
        .map((line) => line.replace(/ [^ ]+$/, ''));
    const known = names(await read()).length;
    const strangers = 40;
    for (let at = 1; at <= strangers; at++) await call(at);
    const text = await read();
    // What a node does by itself meanwhile may be counted for the first time; each stranger would have to be told by one at least.
    expect(names(text).length).toBeLessThan(known + strangers);
    for (const canary of canaries) expect(text).not.toContain(canary);
    expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(text).not.toMatch(/@/);
    expect(text).not.toContain(world.organizationId);
  });

  it('carry help, a kind and the unit in the name, as Prometheus names them', async () => {
    const text = await read();
    for (const [name, { kind, help }] of Object.entries(METRICS)) {
      expect(text).toContain(`# TYPE ${name} ${kind}`);
      expect(help).toMatch(/^[A-Z1].*\.$/);
      expect(name).toMatch(/^sluice_[a-z0-9_]+$/);
      expect(name.endsWith('_total')).toBe(kind === 'counter');
      if (kind === 'histogram') expect(name).toMatch(/_seconds$/);
    }
  });
});

describe('who may read them', () => {
  it('is whoever has METRICS_TOKEN, where one is set', async () => {
    const own = await startNode(node.database.url, { metricsToken: 'a token of the tests' });
    const status = async (authorization?: string) =>
      (await fetch(`${own.url}/metrics`, { headers: authorization ? { authorization } : {} })).status;
    expect([await status(), await status('Bearer another'), await status('Basic x'), await status('Bearer a')]).toEqual([
      401, 401, 401, 401,
    ]);
    await own.close();
    const spelled = await startNode(node.database.url, { metricsToken: 'a-token-of-the-tests' });
    const answer = await fetch(`${spelled.url}/metrics`, { headers: { authorization: 'Bearer a-token-of-the-tests' } });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
    await spelled.close();
  });

  it('is nobody in production without one, and the answer says what to do', async () => {
    const own = await startNode(node.database.url, { ...PRODUCTION_CONFIG, leaveMs: 0 });
    const answer = await fetch(`${own.url}/metrics`);
    expect([answer.status, await answer.json()]).toMatchObject([
      403,
      { code: 'metrics_closed', msg: expect.stringContaining('METRICS_TOKEN') },
    ]);
    await own.close();
  });
});
