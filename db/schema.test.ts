import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { emptyDatabase, freshDatabase } from '#test/harness/database.ts';
import { describeSchema, describeTypes } from './describe.ts';
import { keepPartitions, listMigrations, migrate } from './migrate.ts';

async function onDatabase<T>(use: (client: pg.Client, url: string) => Promise<T>): Promise<T> {
  const database = await freshDatabase();
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return await use(client, database.url);
  } finally {
    await client.end();
    await database.drop();
  }
}

it('months are made beside whoever reads for long, and nobody who writes waits for that', async () => {
  await onDatabase(async (client, url) => {
    const reader = new pg.Client({ connectionString: url });
    const writer = new pg.Client({ connectionString: url });
    await Promise.all([reader.connect(), writer.connect()]);
    await reader.query('begin');
    await reader.query('select from lead limit 1');
    let isMade = false;
    const made = keepPartitions(client, new Date('2031-05-15T00:00:00Z')).then(() => {
      isMade = true;
    });
    for (let round = 0; round < 12; round++) {
      // As a lead that is written: it comes to its end while the reader is still there.
      await writer.query(`set statement_timeout = '5s'`);
      await writer.query('begin; lock table attempt, lead in row exclusive mode; rollback');
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(isMade).toBe(false);
    await reader.query('commit');
    await made;
    expect((await client.query(`select to_regclass('lead_2031_07') is not null as is_there`)).rows).toEqual([{ is_there: true }]);
    await Promise.all([reader.end(), writer.end()]);
  });
});

describe('migrations', () => {
  it('are numbered without a gap or a repetition', () => {
    expect(listMigrations().map((name) => Number(name.slice(0, 4)))).toEqual(listMigrations().map((_, at) => at + 1));
  });

  it('leave schema.sql and types.ts as they are checked in (npm run db:describe)', async () => {
    await onDatabase(async (client) => {
      expect(readFileSync(join(import.meta.dirname, 'schema.sql'), 'utf8')).toBe(await describeSchema(client));
      expect(readFileSync(join(import.meta.dirname, 'types.ts'), 'utf8')).toBe(await describeTypes(client));
    });
  });

  it('G5: do nothing the second time, also when two nodes start at once', async () => {
    await onDatabase(async (_client, url) => {
      expect(await Promise.all([migrate(url), migrate(url)])).toEqual([[], []]);
    });
  });

  it('G5: make an empty database once, however many nodes start on it at one moment', async () => {
    const database = await emptyDatabase();
    const applied = await Promise.all([1, 2, 3].map(() => migrate(database.url)));
    expect(applied.map((names) => names.length).sort((a, b) => b - a)).toEqual([listMigrations().length, 0, 0]);
    await database.drop();
  });

  it('G5: leave nothing of one that was killed half-way, and go on with it at the next start', async () => {
    const database = await emptyDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'));
    const write = (name: string, sql: string) => writeFileSync(join(folder, name), sql);
    write('0001-first.sql', 'create table first (id int)');
    write('0002-second.sql', 'create table second (id int); select pg_sleep(60)');
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const killed = migrate(database.url, folder);
    const asleep = `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`;
    await expect.poll(async () => (await client.query(asleep)).rowCount, { timeout: 10_000 }).toBe(1);
    await expect(killed).rejects.toThrow(/0002-second/);
    expect((await client.query(`select to_regclass('first') is not null as first, to_regclass('second') as second`)).rows).toEqual([
      { first: true, second: null },
    ]);
    write('0002-second.sql', 'create table second (id int)');
    expect(await migrate(database.url, folder)).toEqual(['0002-second.sql']);
    await client.end();
    rmSync(folder, { recursive: true });
    await database.drop();
  });

  it('refuse to go on when an applied one was edited', async () => {
    await onDatabase(async (client, url) => {
      await client.query(`update migration set checksum = 'other' where name like '0001%'`);
      await expect(migrate(url)).rejects.toThrow(/was changed after it had been applied/);
    });
  });

  it('go on where one was mended that did the same before', async () => {
    await onDatabase(async (client, url) => {
      await client.query(
        `update migration set checksum = 'd5865b58e9de5644b96dce7a2951ebdb23845cbb53714a4b87e476f0a547ae75' where name = '0006-account.sql'`,
      );
      expect(await migrate(url)).toEqual([]);
    });
  });

  it('ids and instants agree between SQL and the app', async () => {
    const { idFloor, idInstant, newId } = await import('#server/kit/ids.ts');
    await onDatabase(async (client) => {
      const now = Date.parse('2026-11-27T12:34:56.789Z');
      const row = (await client.query('select uuid7_floor($1) as floor, uuid7_instant($2) as instant', [new Date(now), newId(now)]))
        .rows[0];
      expect(row.floor).toBe(idFloor(now));
      expect(row.instant.getTime()).toBe(now);
      expect(idInstant(newId(now))).toBe(now);
    });
  });
});
