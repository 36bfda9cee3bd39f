import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newDataKey } from '#server/kit/crypto.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { startNode } from '#test/harness/node.ts';
import { buildWorld, LEAD } from '#test/harness/world.ts';

const ROOT = join(import.meta.dirname, '..', '..');
let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await freshDatabase();
  folder = mkdtempSync(join(tmpdir(), 'sluice-start-'));
  const node = await startNode(database.url);
  await buildWorld(node.db, {});
  await node.close();
});
afterAll(async () => {
  await database.drop();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts the product as an operator does, and says how it ended. */
async function start(env: Record<string, string>): Promise<{ code: number | null; said: string }> {
  const child = spawn(join(ROOT, 'node_modules', '.bin', 'node'), [join(ROOT, 'server', 'main.ts')], {
    env: { PATH: process.env.PATH, PORT: '0', SEED: 'none', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (chunk) => (said += chunk));
  // One that should not have started is ended as well.
  const timer = setTimeout(() => child.kill('SIGTERM'), 50_000);
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  clearTimeout(timer);
  return { code, said };
}

const refusal = (line: RegExp) => ({ code: 1, said: expect.stringMatching(new RegExp(`^Sluice cannot start\\. ${line.source}\\n$`)) });
const at = (change: (url: URL) => void) => {
  const url = new URL(database.url);
  change(url);
  return url.href;
};

describe('what an operator can mend is said in one plain line at start, without a password', () => {
  it('a SECRET_KEY that is not the one the database was made with', async () => {
    expect(await start({ DATABASE_URL: database.url, SECRET_KEY: 'quite another secret than the one it was made with' })).toEqual(
      refusal(/SECRET_KEY: this database was made with another secret\. Start with the one it was made with\./),
    );
  });

  it('a host that is none', async () => {
    const own = await freshDatabase();
    expect(await start({ DATABASE_URL: own.url, HOST: 'nowhere.invalid' })).toEqual(refusal(/HOST: there is no host nowhere\.invalid\./));
    await own.drop();
  });

  it('a port that is taken; the database server that was started for it goes again', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as { port: number }).port)),
    );
    const data = mkdtempSync(join(tmpdir(), 'sluice-taken-'));
    try {
      const { code, said } = await start({ DATA_DIR: data, PORT: String(port) });
      expect(code).toBe(1);
      expect(said.trim().split('\n').at(-1)).toBe(
        `Sluice cannot start. PORT: ${port} is taken by another program. Stop it, or set PORT to a free one.`,
      );
      expect(said).not.toContain('"level"');
      expect(existsSync(join(data, 'postgres', 'cluster', 'PG_VERSION'))).toBe(true);
      expect(existsSync(join(data, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false);
    } finally {
      taken.close();
      rmSync(data, { recursive: true, force: true });
    }
  });

  it('a database that does not answer', async () => {
    const free = createServer();
    const port = await new Promise<number>((resolve) =>
      free.listen(0, '127.0.0.1', () => resolve((free.address() as { port: number }).port)),
    );
    await new Promise((resolve) => free.close(resolve));
    expect(await start({ DATABASE_URL: `postgres://someone:hidden@127.0.0.1:${port}/sluice` })).toEqual(
      refusal(/DATABASE_URL: PostgreSQL does not answer at 127\.0\.0\.1:\d+ \(ECONNREFUSED\)\./),
    );
  });

  it('a database address that cannot be read', async () => {
    expect(await start({ DATABASE_URL: 'postgres://someone:hidden@127.0.0.1:port/sluice' })).toEqual(
      refusal(/DATABASE_URL: cannot be read; it looks like postgres:\/\/user:password@host:5432\/database\./),
    );
  });

  it('a wrong password', async () => {
    const url = at((one) => {
      one.password = 'hidden';
    });
    expect(await start({ DATABASE_URL: url })).toEqual(
      refusal(/DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ does not let the user sluice in with this password\./),
    );
  });

  it('a database that is not there', async () => {
    const url = at((one) => {
      one.pathname = '/elsewhere';
    });
    expect(await start({ DATABASE_URL: url })).toEqual(
      refusal(/DATABASE_URL: PostgreSQL at 127\.0\.0\.1:\d+ has no database elsewhere\. Make it, or name another\./),
    );
  });

  it('a DATA_DIR that cannot be written', async () => {
    const file = join(folder, 'a-file');
    writeFileSync(file, '');
    expect(await start({ DATA_DIR: file })).toEqual(refusal(/DATA_DIR: \S*a-file\S* cannot be used: a file stands in its way\./));
  });

  it('an OUTBOUND_ALLOW that cannot be read', async () => {
    expect(await start({ DATABASE_URL: database.url, OUTBOUND_ALLOW: 'http://a' })).toEqual(
      refusal(/OUTBOUND_ALLOW: "http:\/\/a" is not host, host:port, address or CIDR\./),
    );
  });
});

describe('one organization whose key cannot be opened', () => {
  it('stops neither the start nor the changes of the others', async () => {
    const own = await freshDatabase();
    const first = await startNode(own.url);
    try {
      const broken = await buildWorld(first.db, {});
      const sound = await buildWorld(first.db, {});
      await first.db
        .updateTable('organization')
        .set({ data_key: newDataKey({ seals: Buffer.alloc(32, 1) }, broken.organizationId) })
        .where('id', '=', broken.organizationId)
        .execute();
      const second = await startNode(own.url);
      const post = (key: string) => second.post('/api/v1/leads', LEAD, { authorization: `Bearer ${key}` });
      expect((await post(sound.key)).json.code).toBe('lead_unsold');
      expect((await post(broken.key)).statusCode).toBe(401);
      const third = await buildWorld(first.db, {});
      await expect.poll(async () => (await post(third.key)).statusCode, { timeout: 10_000 }).toBe(200);
      await second.close();
    } finally {
      await first.close();
      await own.drop();
    }
  });

  it('keeps what it had when its key breaks while the product runs', async () => {
    const own = await freshDatabase();
    const node = await startNode(own.url);
    try {
      const world = await buildWorld(node.db, {});
      await node.planBook.reload(world.organizationId);
      await node.db
        .updateTable('organization')
        .set({ data_key: newDataKey({ seals: Buffer.alloc(32, 1) }, world.organizationId), configuration_version: 9 })
        .execute();
      await expect(node.planBook.reload(world.organizationId)).rejects.toThrow(/cannot be opened/);
      expect(node.planBook.find(world.organizationId)).toBeDefined();
    } finally {
      await node.close();
      await own.drop();
    }
  });
});
