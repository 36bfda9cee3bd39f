import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

const SETTINGS = { fsync: 'off' };
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sluice-embedded-'));
});
afterEach(async () => {
  await startEmbeddedPostgres(folder, SETTINGS)
    .then((server) => server.leave())
    .catch(() => {});
  rmSync(folder, { recursive: true, force: true });
});

const pid = () => readFileSync(join(folder, 'cluster', 'postmaster.pid'), 'utf8').split('\n')[0];

/** Where it is; each that joins calls its connections otherwise. */
const place = (server: { url(database: string): string }): string => server.url('postgres').split('?')[0]!;

async function query(url: string, sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

describe('the embedded PostgreSQL', () => {
  it('is PostgreSQL 18, reached by password only, in a folder that others cannot enter', async () => {
    const server = await startEmbeddedPostgres(folder, SETTINGS);
    expect((await query(server.url('postgres'), 'show server_version_num')).rows[0].server_version_num).toMatch(/^18/);
    await expect(query(server.url('postgres').replace(/:[0-9a-f]+@/, ':wrong@'), 'select 1')).rejects.toThrow(/password/);
    await server.leave();
  });

  it('is joined when it is up, and stopped by the last one that leaves', async () => {
    const first = await startEmbeddedPostgres(folder, SETTINGS);
    const second = await startEmbeddedPostgres(folder, SETTINGS);
    expect(place(second)).toBe(place(first));
    const client = new pg.Client({ connectionString: second.url('postgres') });
    await client.connect();
    await first.leave();
    expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
    await client.end();
    await second.leave();
    await expect(query(first.url('postgres'), 'select 1')).rejects.toThrow();
  });

  it('is started once when two nodes start at the same moment', async () => {
    const [first, second] = await Promise.all([startEmbeddedPostgres(folder, SETTINGS), startEmbeddedPostgres(folder, SETTINGS)]);
    expect(place(second)).toBe(place(first));
    await first.leave();
  });

  it('keeps its data and is found again after the app was killed', async () => {
    const source = `const { startEmbeddedPostgres } = await import(${JSON.stringify(join(import.meta.dirname, 'embedded-postgres.ts'))});
      await startEmbeddedPostgres(${JSON.stringify(folder)}, { fsync: 'off' }); process.kill(process.pid, 'SIGKILL');`;
    await new Promise((resolve) => spawn(process.execPath, ['--input-type=module', '-e', source]).once('exit', resolve));
    const orphan = pid();
    const server = await startEmbeddedPostgres(folder, SETTINGS);
    expect(pid()).toBe(orphan);
    await query(server.url('postgres'), 'create table kept as select 7 as seven');
    await server.leave();
    const again = await startEmbeddedPostgres(folder, SETTINGS);
    expect((await query(again.url('postgres'), 'select seven from kept')).rows).toEqual([{ seven: 7 }]);
    await again.leave();
  });

  it('starts over the lock file of a server that died, even when its number is another program’s now', async () => {
    const server = await startEmbeddedPostgres(folder, SETTINGS);
    process.kill(Number(pid()), 'SIGKILL');
    await new Promise((resolve) => setTimeout(resolve, 500));
    const lockFile = join(folder, 'cluster', 'postmaster.pid');
    writeFileSync(lockFile, readFileSync(lockFile, 'utf8').replace(/^\d+/, String(process.pid)));
    const again = await startEmbeddedPostgres(folder, SETTINGS);
    expect((await query(again.url('postgres'), 'select 1 as one')).rows).toEqual([{ one: 1 }]);
    await again.leave();
    expect(place(server)).not.toBe(place(again));
  });

  it('refuses a folder of another version in one clear line', async () => {
    mkdirSync(join(folder, 'cluster'));
    writeFileSync(join(folder, 'cluster', 'PG_VERSION'), '15\n');
    await expect(startEmbeddedPostgres(folder, SETTINGS)).rejects.toThrow(
      /belongs to PostgreSQL 15, this version of Sluice runs 18\. [^\n]+$/,
    );
    rmSync(join(folder, 'cluster'), { recursive: true });
  });
});
