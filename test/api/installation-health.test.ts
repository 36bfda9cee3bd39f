/** How the installation is, for super admins (the page "Installation health"). */
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { InstallationHealth } from '#contract/installation-health.ts';
import { VERSION } from '#server/installation.ts';
import { newId } from '#server/kit/ids.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;
let admin: string;
let rolling: pg.Client;

const ADDRESS = '/api/console/installation-health';
const OWN_PAGE = { 'x-requested-with': 'sluice' };

async function signIn(at: TestNode, more: Parameters<typeof buildUser>[2]): Promise<string> {
  const user = await buildUser(node.db, world.organizationId, more);
  const answer = await at.post('/team-login', { email: user.email, password: user.password }, OWN_PAGE);
  return answer.headers.get('set-cookie')!.split(';')[0]!;
}

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  await node.planBook.reload(world.organizationId);
  // Nobody counts for reports meanwhile.
  rolling = new pg.Client({ connectionString: node.database.url });
  await rolling.connect();
  await rolling.query(`select pg_advisory_lock(hashtext('sluice reports'))`);
  admin = await signIn(node, { role: 'member', superAdmin: true });
});
afterAll(async () => {
  await rolling.end();
  await node.stop();
  await buyer.close();
});

/** As a node says that has just started: what another one read a moment ago may be some seconds old. */
async function look(more: Parameters<typeof startNode>[1] = {}): Promise<InstallationHealth> {
  const own = await startNode(node.database.url, more);
  const answer = await fetch(own.url + ADDRESS, { headers: { cookie: admin } });
  const health = (await answer.json()) as InstallationHealth;
  await own.close();
  expect(answer.status).toBe(200);
  return health;
}

describe('who is told', () => {
  const ask = async (cookie?: string) => {
    const answer = await fetch(node.url + ADDRESS, { headers: cookie ? { cookie } : {} });
    return [answer.status, ((await answer.json()) as { code?: string }).code];
  };

  it('is a super admin, and nobody else: no session, no permission, an owner, a member who may open every page', async () => {
    const everything = [{ regionId: world.regionId, regionChecked: true, verticals: [] }];
    expect(await ask()).toEqual([401, 'session_missing']);
    expect(await ask(await signIn(node, { role: 'member' }))).toEqual([403, 'installation_forbidden']);
    expect(await ask(await signIn(node, { role: 'member', permissions: everything }))).toEqual([403, 'installation_forbidden']);
    expect(await ask(await signIn(node, { role: 'owner' }))).toEqual([403, 'installation_forbidden']);
    expect(await ask(admin)).toEqual([200, undefined]);
  });
});

describe('what is told', () => {
  it('nodes: which version on which machine, since when, and what each has done', async () => {
    const other = await startNode(node.database.url);
    await other.post('/api/v1/leads', { ...LEAD, email: 'counted@example.com' }, { authorization: `Bearer ${world.key}` });
    await node.pool.query(`insert into node (id, seen_at, started_at) values ($1, now() + interval '1 hour', now() - interval '9 days')`, [
      newId(),
    ]);
    const nodeOf = async () => (await look()).nodes.find(({ _id }) => _id === other.nodeId);
    // The next heartbeat tells of the lead.
    await expect.poll(async () => (await nodeOf())?.leadsEnded, { timeout: 20_000 }).toBe(1);
    const health = await look();
    expect(health.nodes.find(({ _id }) => _id === other.nodeId)).toMatchObject({
      version: VERSION,
      host: expect.stringMatching(/./),
      isLiving: true,
      isThis: false,
      leadsUnderWay: 0,
    });
    expect(health.nodes.filter(({ isThis }) => isThis)).toHaveLength(1);
    // One of a version that did not say.
    expect(health.nodes.at(-1)).toMatchObject({ version: '', host: '', leadsEnded: 0 });
    await other.close();
  });

  it('the database: its version, size, connections, and that there is room', async () => {
    const { database } = await look();
    const { rows } = await node.pool.query(
      `select current_setting('server_version') as version, current_setting('max_connections')::int as most`,
    );
    expect(database).toMatchObject({ version: rows[0].version, connectionsMost: rows[0].most, replica: null });
    expect(database.bytes).toBeGreaterThan(1024 * 1024);
    expect(database.connectionsIdle).toBeGreaterThan(0);
    expect(database.partitionMonths).toBeGreaterThanOrEqual(2);
  });

  it('a replica that is there, and one that is away', async () => {
    expect((await look({ databaseReplicaUrl: node.database.url })).database.replica).toEqual({ behindSeconds: 0 });
    expect((await look({ databaseReplicaUrl: 'postgres://nobody:word@127.0.0.1:9/none' })).database.replica).toEqual({
      behindSeconds: null,
    });
  });

  it('what waits, and for how long', async () => {
    const { organizationId, verticalId } = world;
    const lead = newId();
    await node.pool.query(
      `insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at, unknown_since) values ($1, $2, $3, 'post', $4, now(), now() - interval '8 days')`,
      [organizationId, lead, world.tiers[0]!.buyerTierId, newId()],
    );
    await node.pool.query(`insert into report_mark values ($1, uuid7_at(now() - interval '5 hours'), $2, now() - interval '1 hour')`, [
      organizationId,
      newId(),
    ]);
    const hook = newId();
    await node.pool.query(
      `insert into webhook (organization_id, id, vertical_id, name, url, events, failing_since) values ($1, $2, $3, 'Hook', 'https://hook.example', '{lead.sold}', now() - interval '2 hours')`,
      [organizationId, hook, verticalId],
    );
    await node.pool.query(
      `insert into webhook_call (organization_id, id, webhook_id, lead_id, event, made_at, due_at) values ($1, $2, $3, $4, 'lead.sold', now(), now() + interval '1 hour')`,
      [organizationId, newId(), hook, lead],
    );
    const mail = newId();
    await node.pool.query(
      `insert into mail (id, kind, recipient, created_at, send_after) values ($1, 'invitation', 'waiting@example.com', now() - interval '30 minutes', now() + interval '1 hour')`,
      [mail],
    );
    const health = await look({ smtpUrl: 'smtp://127.0.0.1:9' });
    const queue = (key: string) => health.queues.find((one) => one.key === key)!;
    expect(queue('heldLeads')).toMatchObject({ waiting: 1, isMore: false });
    expect(queue('heldLeads').oldestSeconds).toBeGreaterThanOrEqual(8 * 86_400);
    expect(queue('reportHours')).toMatchObject({ waiting: 1 });
    expect(queue('reportHours').oldestSeconds).toBeGreaterThanOrEqual(3_600);
    expect(queue('webhookCalls')).toMatchObject({ waiting: 1 });
    expect(queue('mails')).toMatchObject({ waiting: 1 });
    expect(queue('mails').oldestSeconds).toBeGreaterThanOrEqual(1_800);
    expect(queue('pendingSales')).toEqual({ key: 'pendingSales', waiting: 0, isMore: false, oldestSeconds: null });
    const told = health.checks.map(({ level, what }) => `${level}: ${what}`);
    expect(told).toContain('bad: Reports have not been counted for 60 minutes.');
    expect(told).toContain('warn: Leads held for longer than a week: 1.');
    expect(told).toContain('warn: Webhooks that have taken nothing for an hour: 1.');
    expect(told).toContain('warn: Mails that wait for longer than a quarter of an hour: 1.');
    // Without a mail server they are in the mailbox, and none waits.
    expect((await look()).queues.find(({ key }) => key === 'mails')).toMatchObject({ waiting: 0, oldestSeconds: null });
  });

  it('checks: the worst first, each that is not well with what to do, and nothing that a person could be known by', async () => {
    const health = await look();
    const order = health.checks.map(({ level }) => ['bad', 'warn', 'ok'].indexOf(level));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    for (const { level, mend } of health.checks) expect([level, mend !== null]).toEqual([level, level !== 'ok']);
    expect(health.checks.map(({ part }) => part)).toEqual(
      expect.arrayContaining(['Settings', 'Machine', 'Database', 'Version', 'Tables', 'Work']),
    );
    expect(JSON.stringify(health)).not.toMatch(/@example|waiting@|counted@/);
  });
});

describe('however many look', () => {
  it('the checks are made and the figures read once in 15 seconds', async () => {
    const own = await startNode(node.database.url);
    const ask = async () => ((await (await fetch(own.url + ADDRESS, { headers: { cookie: admin } })).json()) as InstallationHealth).readAt;
    expect(new Set(await Promise.all(Array.from({ length: 10 }, ask))).size).toBe(1);
    await own.close();
  });
});
