/** A PostgreSQL server of the tests' own: fast (nothing is synced to disk) and gone afterwards. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { keepPartitions, migrate } from '#db/migrate.ts';
import { type EmbeddedServer, startEmbeddedPostgres } from '#server/kit/embedded-postgres.ts';

export const TEST_SETTINGS = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

export interface ScratchServer extends EmbeddedServer {
  stop(): Promise<void>;
}

export async function startScratchServer(): Promise<ScratchServer> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-test-'));
  const server = await startEmbeddedPostgres(folder, TEST_SETTINGS);
  const stop = async () => {
    await server.leave();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...server, stop };
}

/** A migrated, empty database named `template`, with partitions for the months tests play in. */
export async function makeTemplate(server: EmbeddedServer): Promise<string> {
  await run(server.url('postgres'), 'create database template_sluice');
  const url = server.url('template_sluice');
  await migrate(url);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await keepPartitions(client, new Date(), new Date(Date.now() - 70 * 86_400_000));
  await client.end();
  return url;
}

export async function withScratchDatabase(use: (client: pg.Client) => Promise<void>): Promise<void> {
  const server = await startScratchServer();
  try {
    const client = new pg.Client({ connectionString: await makeTemplate(server) });
    await client.connect();
    await use(client);
    await client.end();
  } finally {
    await server.stop();
  }
}

async function run(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql).finally(() => client.end());
}
