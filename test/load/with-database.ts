import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '#db/migrate.ts';
import { openPool } from '#server/kit/database.ts';
import { startEmbeddedPostgres } from '#server/kit/embedded-postgres.ts';

/** A server of the benchmark's own, durable as in production, with a migrated database; gone afterwards. */
export async function withDatabase(use: (url: string) => Promise<void>, settings: Record<string, string> = {}): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const server = await startEmbeddedPostgres(join(folder, 'postgres'), settings);
  try {
    const admin = openPool(server.url('postgres'), 1);
    await admin.query('create database sluice');
    await admin.end();
    const url = server.url('sluice');
    await migrate(url);
    await use(url);
  } finally {
    await server.leave();
    rmSync(folder, { recursive: true, force: true });
  }
}
