/** Over a history that is there: the search for a consumer, a download of all of it, and leads that come in while reports are read; all by a node of its own. */
import { once } from 'node:events';
import type pg from 'pg';
import { openDb } from '#server/kit/database.ts';
import { buildUser, type World } from '#test/harness/world.ts';
import { quantile, run } from './generator.ts';
import { emailOf, findableSerial, phoneOf, type Span } from './history.ts';
import { memoryOf, start } from './processes.ts';
import type { MadeHistory } from './reports.ts';

const ROUNDS = 50;
const PAGE_ROUNDS = 15;
/** Many short turns of each way: what else the machine does comes and goes within seconds. */
const TURNS = Number(process.env.BENCH_TURNS ?? 8);
const SECONDS = Number(process.env.BENCH_SECONDS ?? 3);
const HOUR_MS = 3_600_000;
const MIB = 2 ** 20;

export async function benchBeside(pool: pg.Pool, databaseUrl: string, world: World, history: MadeHistory): Promise<void> {
  const owner = await buildUser(openDb(pool), world.organizationId);
  const node = await start('sluice.ts', [databaseUrl]);
  const url = `http://127.0.0.1:${node.port}`;
  const headers = await signIn(url, owner);
  await search(url, headers, history.leads);
  await findPersons(url, headers, history.leads);
  await pages(url, headers);
  await download(url, headers, history.listed, () => memoryOf(node.child));
  await leadsBeside(url, headers, world, history.month);
  const ended = once(node.child, 'exit');
  node.child.kill('SIGTERM');
  // It writes its profile, where one is asked for, as it ends.
  await ended;
}

type Headers = Record<string, string>;

async function signIn(url: string, { email, password }: { email: string; password: string }): Promise<Headers> {
  const own = { 'x-requested-with': 'sluice', 'content-type': 'application/json' };
  const answer = await fetch(`${url}/team-login`, { method: 'POST', headers: own, body: JSON.stringify({ email, password }) });
  return {
    ...own,
    cookie: answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; '),
  };
}

const PLACE = 'region=us&vertical=payday';

/** One of all consumers by e-mail and by phone, anywhere in the two months. */
async function search(url: string, headers: Headers, leads: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const serial = findableSerial(Math.floor((round * leads) / ROUNDS));
    const text = round % 2 === 0 ? emailOf(serial) : phoneOf(serial);
    const began = performance.now();
    const answer = await fetch(`${url}/api/console/leads?${PLACE}&limit=50&q=${encodeURIComponent(text)}`, { headers });
    const found = (await answer.json()) as { rows: unknown[] };
    times.push(performance.now() - began);
    if (found.rows?.length !== 1) throw new Error(`The search found ${JSON.stringify(found).slice(0, 300)}`);
  }
  console.log(`search by e-mail or phone: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms (aim 50)`);
}

/** What is held of one of all consumers. */
async function findPersons(url: string, headers: Headers, leads: number): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < PAGE_ROUNDS; round++) {
    const q = emailOf(findableSerial(Math.floor((round * leads) / PAGE_ROUNDS)));
    const began = performance.now();
    const answer = await fetch(`${url}/api/console/data-requests/find`, { method: 'POST', headers, body: JSON.stringify({ q }) });
    const found = (await answer.json()) as { leads: unknown[] };
    times.push(performance.now() - began);
    if (found.leads?.length !== 1) throw new Error(`A data request found ${JSON.stringify(found).slice(0, 300)}`);
  }
  console.log(`what is held of a person: p50 ${quantile(times, 0.5).toFixed(1)} ms, p95 ${quantile(times, 0.95).toFixed(1)} ms`);
}

/** The first page of lists, as they come, narrowed by what an index serves and by what none does, and to what there is none of. */
const LISTS = {
  'leads, the newest': 'leads?',
  'leads that were sold': 'leads?status=sold&',
  'leads of a state': 'leads?state=WY&',
  'leads of a sub id that nobody has': 'leads?subId=nobody&',
  'calls, the newest': 'logs/attempts?',
  'calls that timed out': 'logs/attempts?outcome=timeouts&',
  'calls by a text that stands in some': 'logs/attempts?text=accepted&',
  'calls by a text that stands in none': 'logs/attempts?text=nowhere&',
  'overview, of the running hour too': 'overview?timeZone=UTC&',
  'home of buyers': 'home/buyers?timeZone=UTC&',
  'home of publishers': 'home/publishers?timeZone=UTC&',
};

async function pages(url: string, headers: Headers): Promise<void> {
  const told: Record<string, { 'p95 ms': number; rows: number }> = {};
  for (const [name, path] of Object.entries(LISTS)) {
    const times: number[] = [];
    let rows = 0;
    for (let round = 0; round < PAGE_ROUNDS; round++) {
      const began = performance.now();
      const answer = await fetch(`${url}/api/console/${path}${PLACE}${path.includes('timeZone') ? '' : '&limit=50'}`, { headers });
      const found = (await answer.json()) as { rows?: unknown[] };
      if (!answer.ok) throw new Error(`${name}: ${JSON.stringify(found).slice(0, 300)}`);
      times.push(performance.now() - began);
      rows = found.rows?.length ?? 0;
    }
    told[name] = { 'p95 ms': Math.round(quantile(times, 0.95)), rows };
  }
  console.table(told);
}

/** Every lead as CSV; the node's memory looked at all the while. */
async function download(url: string, headers: Headers, leads: number, memory: () => Promise<number>): Promise<void> {
  const before = await memory();
  const began = performance.now();
  const answer = await fetch(`${url}/api/v1/download-file/leads`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
    body: `isDownloadCSV=true&timeZone=UTC&columns=&${PLACE}`,
  });
  let [lines, bytes, most, looked] = [0, 0, before, performance.now()];
  for await (const chunk of answer.body!) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === 10) lines++;
    if (performance.now() - looked < 500) continue;
    most = Math.max(most, await memory());
    looked = performance.now();
  }
  const seconds = (performance.now() - began) / 1000;
  if (lines !== leads + 1) throw new Error(`The download has ${lines} lines, ${answer.status}`);
  console.log(
    `CSV of ${leads.toLocaleString('en')} leads: ${seconds.toFixed(1)} s, ${((1_000_000 * seconds) / leads).toFixed(0)} s a million (aim 60), ${(bytes / MIB).toFixed(0)} MiB; the node grew by ${Math.round((most - before) / MIB)} MiB at most`,
  );
}

/**
 * Leads as fast as they are taken, alone and while a person opens one report after the other, one a second: of a month whose hours are all counted, and of one up to now,
 * which reads all that came in meanwhile from its rows.
 */
async function leadsBeside(url: string, headers: Headers, world: World, month: Span): Promise<void> {
  const load = { url, path: '/api/v1/leads', headers: { authorization: `Bearer ${world.key}` }, seconds: SECONDS, callers: 32 };
  const over = { from: month.from, to: Math.floor(month.to / HOUR_MS) * HOUR_MS };
  const ways = [
    { name: 'alone', span: undefined },
    { name: 'a report a second is read of hours that are over', span: over },
    { name: 'one is read up to now', span: month },
  ].map((way) => ({ ...way, perSecond: [] as number[], times: [] as number[] }));
  let posted = 0;
  for (let turn = 0; turn < TURNS; turn++)
    for (const { span, perSecond, times } of ways) {
      const reading = span && readReports(url, headers, span, times, (SECONDS + 1) * 1000);
      perSecond.push((await run(load)).perSecond);
      posted += perSecond.at(-1)! * SECONDS;
      await reading;
    }
  const alone = quantile(ways[0]!.perSecond, 0.5);
  console.log(`leads at peak (aim 90 % of alone), ${Math.round(posted).toLocaleString('en')} in all:`);
  console.table(
    Object.fromEntries(
      ways.map(({ name, perSecond, times }) => [
        name,
        {
          'leads a second': Math.round(quantile(perSecond, 0.5)),
          '%': Math.round((quantile(perSecond, 0.5) / alone) * 100),
          'turn by turn %': Math.round(
            quantile(
              perSecond.map((of, turn) => of / ways[0]!.perSecond[turn]!),
              0.5,
            ) * 100,
          ),
          'reports, p95 ms': times.length > 0 ? Math.round(quantile(times, 0.95)) : '–',
        },
      ]),
    ),
  );
}

async function readReports(url: string, headers: Headers, span: Span, times: number[], forMs: number): Promise<void> {
  const asked = `${PLACE}&timeZone=UTC&from=${new Date(span.from).toISOString()}&to=${new Date(span.to).toISOString()}`;
  const reports = [`inbound?${asked}&by=publisherTier`, `outbound?${asked}&by=buyerTier`, `reason?${asked}`, `map?${asked}`];
  const until = performance.now() + forMs;
  for (let at = 0; performance.now() < until; at++) {
    const began = performance.now();
    const answer = await fetch(`${url}/api/console/reports/${reports[at % reports.length]}`, { headers });
    const text = await answer.text();
    if (!answer.ok) throw new Error(text.slice(0, 300));
    times.push(performance.now() - began);
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, began + 1000 - performance.now())));
  }
}
