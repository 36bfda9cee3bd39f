/** Sends leads, each another consumer's, as fast as answers come (closed) or at a fixed rate (open), and keeps the times. */
import { Pool } from 'undici';

export interface Load {
  url: string;
  path: string;
  headers: Record<string, string>;
  seconds: number;
  /** Closed: so many callers at once. */
  callers?: number;
  /** Open: so many leads a second, whether answers come or not. */
  perSecond?: number;
  /** Left out of the figures. */
  warmUpSeconds?: number;
}

export interface Measured {
  perSecond: number;
  sent: number;
  /** Not accepted, or no answer. */
  failed: number;
  /** Of these, what was turned away for want of room (429, 503): how long that took, in ms, and how often a Retry-After came with it. */
  refused: { latency: number[]; told: number };
  latency: number[];
  /** Own time as the server told it (Server-Timing), in ms. */
  own: number[];
  store: number[];
}

let serial = Date.now() % 1_000_000_000;

export function nextLead(): string {
  serial += 1;
  return JSON.stringify({
    first_name: 'Ada',
    email: `load${serial}@example.com`,
    phone: `212${String(5_550_000 + (serial % 1_000_000)).slice(-7)}`,
    state: 'NY',
    zip: '01234',
    monthly_income: String(2000 + (serial % 5000)),
  });
}

export async function run(load: Load): Promise<Measured> {
  const pool = new Pool(load.url, { connections: load.callers ?? 512 });
  const measured: Measured = { perSecond: 0, sent: 0, failed: 0, refused: { latency: [], told: 0 }, latency: [], own: [], store: [] };
  const from = performance.now() + (load.warmUpSeconds ?? 1) * 1000;
  const until = from + load.seconds * 1000;
  const once = () => sendOne(pool, load, measured, from, until);
  if (load.perSecond) await openLoop(load.perSecond, until, once);
  else await Promise.all(Array.from({ length: load.callers! }, () => closedLoop(until, once)));
  await pool.close();
  measured.perSecond = measured.sent / load.seconds;
  return measured;
}

async function closedLoop(until: number, once: () => Promise<void>): Promise<void> {
  while (performance.now() < until) await once();
}

async function openLoop(perSecond: number, until: number, once: () => Promise<void>): Promise<void> {
  const running = new Set<Promise<void>>();
  let due = performance.now();
  while (performance.now() < until) {
    while (due <= performance.now()) {
      const one = once().finally(() => running.delete(one));
      running.add(one);
      due += 1000 / perSecond;
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await Promise.all(running);
}

async function sendOne(pool: Pool, load: Load, measured: Measured, from: number, until: number): Promise<void> {
  const began = performance.now();
  let accepted = false;
  let timing = '';
  let refused: { told: boolean } | undefined;
  try {
    const answer = await pool.request({
      method: 'POST',
      path: load.path,
      headers: { 'content-type': 'application/json', ...load.headers },
      body: nextLead(),
    });
    accepted = (await answer.body.text()).includes('"accepted"');
    timing = String(answer.headers['server-timing'] ?? '');
    if (answer.statusCode === 429 || answer.statusCode === 503) refused = { told: answer.headers['retry-after'] !== undefined };
  } catch {
    accepted = false;
  }
  const ended = performance.now();
  if (ended < from || ended > until) return;
  measured.sent += 1;
  if (!accepted) measured.failed += 1;
  if (refused) {
    measured.refused.latency.push(ended - began);
    if (refused.told) measured.refused.told += 1;
  }
  measured.latency.push(ended - began);
  const own = /own;dur=([\d.]+)/.exec(timing);
  const store = /store;dur=([\d.]+)/.exec(timing);
  if (own) measured.own.push(Number(own[1]));
  if (store) measured.store.push(Number(store[1]));
}

/** The value under which the share `at` of the values lies. */
export function quantile(values: number[], at: number): number {
  if (values.length === 0) return Number.NaN;
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * at))]!;
}
