import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDb, openPool } from '#server/kit/database.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';
import { openSpread, type Spread } from '#test/harness/spread.ts';
import { buildWorld, LEAD, type World } from '#test/harness/world.ts';

const CALLERS = 16;
const LEADS = 1_500;
const LEAVE_MS = 1_000;

let database: TestDatabase;
let buyer: ScriptedBuyer;
let world: World;
let spread: Spread;
const nodes: ChildProcess[] = [];

beforeAll(async () => {
  database = await freshDatabase();
  buyer = await startBuyer(() => ({ ...ACCEPT, delayMs: 30 }));
  const pool = openPool(database.url, 2);
  world = await buildWorld(openDb(pool), { groups: [{ mode: 'priority', tiers: [{ url: buyer.url, timeLimitMs: 20_000 }] }] });
  await pool.end();
  spread = openSpread();
});
afterAll(async () => {
  await spread.close();
  for (const node of nodes) node.kill('SIGKILL');
  await buyer.close();
  await database.drop();
});

async function startAt(place: number): Promise<void> {
  const child = fork(join(import.meta.dirname, '..', 'load', 'sluice.ts'), [database.url], {
    env: { ...process.env, LEAVE_MS: String(LEAVE_MS) },
  });
  nodes[place] = child;
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  spread.put(place, `http://127.0.0.1:${port}`);
  await expect.poll(() => spread.isReady(place), { timeout: 20_000 }).toBe(true);
}

/** As an upgrade does it: told to stop, waited for, started anew. */
async function renew(place: number): Promise<void> {
  const child = nodes[place]!;
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(child.exitCode).toBe(0);
  spread.put(place, undefined);
  await startAt(place);
}

it('G4: two nodes are renewed one after the other under load, and no call fails', { timeout: 120_000 }, async () => {
  await Promise.all([startAt(0), startAt(1)]);
  let stopped = false;
  const said = new Map<string, number>();
  let serial = 0;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (!stopped) {
      const email = `rolling${serial++}@example.com`;
      const answer = await spread.post('/api/v1/leads', { authorization: `Bearer ${world.key}` }, { ...LEAD, email }).then(
        ({ statusCode, json }) => `${statusCode} ${(json as { status: string }).status}`,
        (error) => String(error),
      );
      said.set(answer, (said.get(answer) ?? 0) + 1);
    }
  });
  for (const place of [0, 1]) {
    await sleep(500);
    await renew(place);
  }
  await expect.poll(() => serial, { timeout: 60_000 }).toBeGreaterThan(LEADS);
  stopped = true;
  await Promise.all(callers);
  expect([...said.keys()]).toEqual(['200 accepted']);
  expect(said.get('200 accepted')).toBeGreaterThan(LEADS);
});
