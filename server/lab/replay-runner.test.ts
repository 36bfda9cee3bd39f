/** A replay whose thread ends without a word is over, and says so (the rest of its life: test/api/replay.test.ts, test/api/crash.test.ts). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { replayBody } from '#contract/replay.ts';
import { type Db, openDb, openPool } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { openPlanBook, type PlanBook } from '#server/plan/plan-book.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { buildWorld, type World } from '#test/harness/world.ts';
import { findReplay, insertReplay } from './replay.sql.ts';
import { openReplayRunner } from './replay-runner.ts';

let database: TestDatabase;
let db: Db;
let planBook: PlanBook;
let world: World;

beforeAll(async () => {
  database = await freshDatabase();
  db = openDb(openPool(database.url, 4));
  world = await buildWorld(db);
  planBook = await openPlanBook({
    ...{ db, connectionString: database.url, masterKey: TEST_CONFIG.masterKey },
    onError: (error) => {
      throw error;
    },
  });
});
afterAll(async () => {
  await planBook.close();
  await db.destroy();
  await database.drop();
});

/** What a replay comes to whose thread runs this. */
async function endWith(program: string): Promise<{ status: string; failure: string | null; errors: string[] }> {
  const { organizationId, verticalId, campaignId } = world;
  const [from, to] = [-60_000, 0].map((ms) => new Date(Date.now() + ms).toISOString()) as [string, string];
  const settings = replayBody.parse({ campaignId, from, to, change: { tree: 'published' } });
  const replay = { verticalId, campaignId, personId: newId(), settings, published: [], changed: [] };
  const id = await db
    .transaction()
    .execute((tx) => insertReplay(tx, organizationId, replay as unknown as Parameters<typeof insertReplay>[2]));
  const errors: string[] = [];
  const runner = openReplayRunner({
    ...{
      db,
      databaseUrl: database.url,
      nodeId: newId(),
      planBook,
      program: new URL(`data:text/javascript,${encodeURIComponent(program)}`),
    },
    onError: (error) => errors.push((error as Error).message),
  });
  try {
    runner.wake();
    await expect.poll(async () => (await findReplay(db, organizationId, id))?.status, { timeout: 10_000 }).not.toMatch(/waiting|running/);
  } finally {
    await runner.close();
  }
  const { status, failure } = (await findReplay(db, organizationId, id))!;
  return { status, failure, errors };
}

describe('a replay whose thread ends', () => {
  it.each(['process.exit(3)', 'process.exit(0)', ''])('by %j has failed, in plain words', async (program) => {
    const { status, failure, errors } = await endWith(program);
    expect(status).toBe('failed');
    expect(failure).toMatch(/^Its thread ended before the replay did\. Nothing was changed\./);
    expect(errors).toEqual([expect.stringMatching(/^The thread of a replay ended with code \d+\.$/)]);
  });

  it('by an error has failed once, and the error is told', async () => {
    const { status, failure, errors } = await endWith(`throw new Error('lost')`);
    expect({ status, failure, errors }).toEqual({
      ...{ status: 'failed', errors: ['lost'] },
      failure: 'Something failed on our side. Nothing was changed. Start the replay again.',
    });
  });
});
