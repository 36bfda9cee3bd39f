import { fork } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let world: World;

beforeAll(async () => {
  node = await startTestWorld({ maxInFlight: 5 });
  buyer = await startBuyer(() => ({ ...ACCEPT, delayMs: 300 }));
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }] });
  await node.planBook.reload(world.organizationId);
});
afterAll(async () => {
  await node.stop();
  await buyer.close();
});

const post = (url: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(`${url}/api/v1/leads`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });

describe('a node that has all it can carry', () => {
  it('D10, G6: says 429 at once with Retry-After, and queues nothing', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => post(node.url, { ...LEAD, email: `busy${n}@example.com` })));
    const refused = answers.filter((answer) => answer.status === 429);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(5);
    expect(refused).toHaveLength(15);
    expect(refused[0]!.headers.get('retry-after')).toBe('1');
    expect(await refused[0]!.json()).toMatchObject({ status: 'error', code: 'node_busy', retry_after: 1 });
    expect(buyer.calls).toHaveLength(5);
  });

  it('says so with 200 to a seat that is always answered 200', async () => {
    const always = await buildWorld(node.db, {
      groups: [{ mode: 'priority', tiers: [{ url: buyer.url }] }],
      publisher: { always200: true },
    });
    await node.planBook.reload(always.organizationId);
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        post(node.url, { ...LEAD, email: `always${n}@example.com` }, { authorization: `Bearer ${always.key}` }),
      ),
    );
    expect(answers.map((answer) => answer.status)).toEqual(Array(8).fill(200));
    expect(answers.map((answer) => answer.headers.get('x-status-code')).sort()).toEqual([...Array(5).fill('200'), ...Array(3).fill('429')]);
  });
});

describe('G6: senders that never come to an end', () => {
  /** Sockets that have sent so much, of which `open` are still there. */
  async function openSockets(count: number, sent: string) {
    const { port } = new URL(node.url);
    const sockets: Socket[] = [];
    let open = 0;
    await Promise.all(
      Array.from(
        { length: count },
        () =>
          new Promise<void>((resolve) => {
            const socket = connect(Number(port), '127.0.0.1', () => {
              open += 1;
              socket.write(sent);
              resolve();
            });
            socket.on('error', () => {}).on('close', () => (open -= 1));
            socket.resume();
            sockets.push(socket);
          }),
      ),
    );
    return { open: () => open, end: () => sockets.forEach((socket) => void socket.destroy()) };
  }

  it.each([
    ['idle', ''],
    ['in the middle of a header', 'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\nx-slow: '],
    ['in the middle of a body', 'POST /api/v1/leads HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{'],
  ])('300 connections that are %s keep no lead waiting', async (_, sent) => {
    const slow = await openSockets(300, sent);
    expect((await post(node.url, { ...LEAD, email: `slow${sent.length}@example.com` })).status).toBe(200);
    expect(slow.open()).toBe(300);
    slow.end();
  });

  it('more connections than a node takes are closed at once; it serves on when they are gone', async () => {
    const { maxConnections, headersTimeout, requestTimeout } = node.app.server;
    expect([maxConnections, headersTimeout, requestTimeout]).toEqual([1_000, 10_000, 15_000]);
    const slow = await openSockets(1_100, 'GET /healthz HTTP/1.1\r\n');
    await expect.poll(slow.open, { timeout: 5_000 }).toBeLessThanOrEqual(1_000);
    slow.end();
    await expect.poll(async () => (await fetch(`${node.url}/healthz`).catch(() => undefined))?.status, { timeout: 5_000 }).toBe(200);
  });
});

describe('a disk that is full', () => {
  it('G10: intake says 503 with Retry-After and takes nothing; it takes leads again by itself', async () => {
    await node.pool.query(`create function no_room() returns trigger language plpgsql as $$ begin
      raise disk_full using message = 'could not extend file'; end $$`);
    await node.pool.query('create trigger no_room before insert on lead for each row execute function no_room()');
    const person = { ...LEAD, email: 'full@example.com' };
    const before = buyer.calls.length;
    const refused = await post(node.url, person);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2']);
    expect(await refused.json()).toMatchObject({ status: 'error', code: 'store_unavailable' });
    expect(buyer.calls.length).toBe(before);
    await node.pool.query('drop function no_room cascade');
    await expect.poll(async () => (await post(node.url, person)).status, { timeout: 5_000 }).toBe(200);
    expect(buyer.calls.length).toBe(before + 1);
  });
});

describe('a database that is away', () => {
  it('is told by /readyz, while /healthz says that the process lives', async () => {
    const own = await startTestWorld();
    const name = new URL(own.database.url).pathname.slice(1);
    const admin = new pg.Client({ connectionString: own.database.url.replace(/[^/]+$/, 'postgres') });
    await admin.connect();
    const get = async (path: string) => {
      const answer = await fetch(own.url + path);
      return [answer.status, answer.headers.get('retry-after'), await answer.json()];
    };
    try {
      expect(await get('/readyz')).toEqual([200, null, { status: true }]);
      await admin.query(`alter database ${name} with allow_connections false`);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      expect(await get('/readyz')).toEqual([503, '2', { status: false, code: 'store_unavailable', msg: 'The database does not answer.' }]);
      expect(await get('/healthz')).toEqual([200, null, { status: true }]);
    } finally {
      await admin.query(`alter database ${name} with allow_connections true`);
      await admin.end();
    }
    await expect.poll(() => get('/readyz'), { timeout: 5_000 }).toEqual([200, null, { status: true }]);
    await own.stop();
  });
});

describe('logs', () => {
  it('C8, H1: hold no personal value at any level: of sold, invalid, malformed and refused leads, searches and sign-ins', async () => {
    const canaries = ['canary@example.com', 'Kanarienvogel', '2125550177', 'kanari-key', 'kanari-password', 'kanari-token'];
    const child = fork(join(import.meta.dirname, '..', 'load', 'sluice.ts'), [node.database.url], {
      execPath: join(import.meta.dirname, '..', '..', 'node_modules', '.bin', 'node'),
      env: { ...process.env, TEST_LOG_LEVEL: 'trace' },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    let output = '';
    for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (output += chunk));
    const { port } = await new Promise<{ port: number }>((resolve) =>
      child.once('message', (message) => resolve(message as { port: number })),
    );
    const url = `http://127.0.0.1:${port}`;
    const person = { ...LEAD, first_name: 'Kanarienvogel', email: 'canary@example.com', phone: '2125550177' };
    await post(url, person);
    await post(url, { ...person, state: 'ZZ' });
    await post(url, `{"email":"canary@example.com", "first_name": "Kanarienvogel`);
    await post(url, person, { authorization: 'Bearer kanari-key' });
    await post(url, `${'x'.repeat(300_000)}canary@example.com`);
    await fetch(`${url}/?isAutoLogin=true&userSessionId=kanari-token&orgId=canary@example.com`);
    await fetch(`${url}/nothing/kanari-token`, { headers: { referer: `${url}/reset/kanari-token` } });
    const user = await buildUser(node.db, world.organizationId);
    const ownPage = { 'x-requested-with': 'sluice', 'content-type': 'application/json' };
    await fetch(`${url}/team-login`, {
      method: 'POST',
      headers: ownPage,
      body: JSON.stringify({ email: 'canary@example.com', password: 'kanari-password' }),
    });
    const signedIn = await fetch(`${url}/team-login`, {
      method: 'POST',
      headers: ownPage,
      body: JSON.stringify({ email: user.email, password: user.password }),
    });
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    await fetch(`${url}/api/console/leads?region=us&vertical=payday&q=canary@example.com`, { headers: { cookie } });
    await fetch(`${url}/api/console/leads?region=us&vertical=payday&limit=canary@example.com`, { headers: { cookie } });
    // PostgreSQL quotes values in its messages, over several lines if they are such.
    await node.pool.query(`create function quote_value() returns trigger language plpgsql as $$ begin
      raise exception 'Key (email)=(canary@example.com) exists:\n    at Kanarienvogel (file:1:1)'; end $$`);
    await node.pool.query('create trigger quoting before insert on lead for each row execute function quote_value()');
    await node.pool.query('create trigger quoting before insert on session for each row execute function quote_value()');
    const failed = [
      await post(url, { ...person, phone: '2125550178' }),
      await fetch(`${url}/team-login`, {
        method: 'POST',
        headers: ownPage,
        body: JSON.stringify({ email: user.email, password: user.password }),
      }),
    ];
    await node.pool.query('drop function quote_value cascade');
    expect(failed.map((answer) => answer.status)).toEqual([500, 500]);
    child.kill('SIGTERM');
    await new Promise((resolve) => child.once('exit', resolve));
    for (const text of ['intake failed', 'request failed']) {
      const line = output.split('\n').find((one) => one.includes(`"${text}"`));
      expect(JSON.parse(line!).err).toMatchObject({ name: 'error', code: 'P0001', stack: expect.stringMatching(/^ +at .*:\d+:\d+/) });
    }
    for (const canary of canaries) expect(output).not.toContain(canary);
  });

  it('H1: nor do metrics, and PostgreSQL is never told to log parameters', async () => {
    const metrics = await (await fetch(`${node.url}/metrics`)).text();
    expect(metrics).toContain('sluice_leads_total');
    expect(metrics).not.toMatch(/@|busy\d|[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect(metrics).not.toContain(world.key);
    expect((await node.pool.query('show log_min_duration_statement')).rows[0].log_min_duration_statement).toBe('-1');
    expect((await node.pool.query('show log_statement')).rows[0].log_statement).toBe('none');
  });
});

describe('at rest', () => {
  it('H2: no personal value of a lead stands readable in any column of any table', async () => {
    await post(node.url, { ...LEAD, first_name: 'Zanzibarian', email: 'rest-canary@example.com' });
    const columns = await node.pool.query(
      `select c.relname as table, a.attname as column, format_type(a.atttypid, null) as type from pg_class c join pg_attribute a on a.attrelid = c.oid
        where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and format_type(a.atttypid, null) in ('text', 'jsonb', 'bytea', 'text[]')`,
    );
    for (const { table, column, type } of columns.rows) {
      const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`;
      const found = await node.pool.query(
        `select count(*)::int as hits from "${table}" where ${text} like '%rest-canary%' or ${text} like '%Zanzibarian%'`,
      );
      expect([table, column, found.rows[0].hits]).toEqual([table, column, 0]);
    }
  });

  it('H2: a sealed value moved to another row does not open', async () => {
    const { openJson, sealJson } = await import('#server/kit/crypto.ts');
    const { keys } = node.planBook.find(world.organizationId)!;
    const sealed = sealJson(keys, 'lead.fields', 'row-a', { a: 1 });
    expect(openJson(keys, 'lead.fields', 'row-a', sealed)).toEqual({ a: 1 });
    expect(() => openJson(keys, 'lead.fields', 'row-b', sealed)).toThrow();
    expect(() => openJson(keys, 'attempt.wire', 'row-a', sealed)).toThrow();
    const other = await buildWorld(node.db, {});
    await node.planBook.reload(other.organizationId);
    expect(() => openJson(node.planBook.find(other.organizationId)!.keys, 'lead.fields', 'row-a', sealed)).toThrow();
    expect(() => openJson({ ...keys, organizationId: other.organizationId }, 'lead.fields', 'row-a', sealed)).toThrow();
    sealed[sealed.length - 1]! ^= 1;
    expect(() => openJson(keys, 'lead.fields', 'row-a', sealed)).toThrow();
  });
});
