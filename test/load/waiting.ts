/** Many leads wait on a slow buyer while others are sold: what the waiting costs in memory, and the others. */
import type { ChildProcess } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import type { World } from '#test/harness/world.ts';
import { quantile, run } from './generator.ts';
import { memoryOf } from './processes.ts';

const MIB = 2 ** 20;
/** The slow buyer answers after ten seconds: all have come and are waiting by then, and the others are measured meanwhile. */
const BEFORE_MS = 2_500;
const SECONDS = 4;

interface Waiting {
  app: ChildProcess;
  url: string;
  slow: World;
  fast: World;
  count: number;
}

export async function waitingLeads({ app, url, slow, fast, count }: Waiting): Promise<void> {
  const path = '/api/v1/leads';
  const load = { url, path, headers: { authorization: `Bearer ${fast.key}` }, seconds: SECONDS, perSecond: 100, warmUpSeconds: 0.5 };
  const alone = await run(load);
  const before = await memoryOf(app);
  const waiting = run({ url, path, headers: { authorization: `Bearer ${slow.key}` }, seconds: 1, callers: count, warmUpSeconds: 0 });
  await sleep(BEFORE_MS);
  const beside = await run(load);
  const during = await memoryOf(app);
  await waiting;
  console.log(
    `${count.toLocaleString('en')} leads waiting on a slow buyer: ${Math.round(during / MIB)} MiB in all (${Math.round((during - before) / MIB)} MiB more than before)`,
  );
  console.log(
    `others meanwhile: p50 ${round(quantile(beside.latency, 0.5))} ms against ${round(quantile(alone.latency, 0.5))} alone, p99 ${round(quantile(beside.latency, 0.99))} against ${round(quantile(alone.latency, 0.99))}; failed ${beside.failed}`,
  );
}

const round = (value: number): number => Math.round(value * 100) / 100;
