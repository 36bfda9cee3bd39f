/** Replays, one after the other, in a thread of their own, so that no lead and no page waits for it. What is personal is opened here, in memory, and nowhere kept. */
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import { openTenants } from '#server/kit/tenant.ts';
import { openFactBook } from '#server/lead/fact-book.ts';
import { type ReplayOutcome, ReplayRefused, type ReplayWork, runReplay } from './run-replay.ts';

export interface ReplayTask {
  databaseUrl: string;
  keys: OrganizationKeys;
  work: ReplayWork;
}

export type ReplayMessage =
  | { kind: 'progress'; done: number; total: number }
  | { kind: 'done'; result: ReplayOutcome }
  /** A sentence for people. */
  | { kind: 'refused'; why: string }
  | { kind: 'failed'; error: string };

const say = (message: ReplayMessage) => parentPort!.postMessage(message);

/** Linux gives each thread a priority of its own: leads go before. Elsewhere it is that of all threads, which stays as it is. */
if (process.platform === 'linux') setPriority(10);

parentPort!.on('message', async ({ databaseUrl, keys, work }: ReplayTask) => {
  const tenants = openTenants(databaseUrl, 4);
  const facts = openFactBook(databaseUrl);
  try {
    const result = await runReplay({ own: tenants.of(keys.organizationId), keys, facts }, work, (progress) =>
      say({ kind: 'progress', ...progress }),
    );
    say({ kind: 'done', result });
  } catch (error) {
    if (error instanceof ReplayRefused) say({ kind: 'refused', why: error.message });
    else say({ kind: 'failed', error: (error as Error).stack ?? String(error) });
  }
  await Promise.all([tenants.close(), facts.close()]);
});
