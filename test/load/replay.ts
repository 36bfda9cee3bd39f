/**
 * `npm run bench -- replay`: how many stored leads a second go through two trees, and what the node's other leads feel of it. The leads are those of the
 * demo world, made by the engine itself with all that is stored of them; BENCH_LEADS says how many. At the end the figures of one of its days.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { ReplayBody, ReplayFigures, ReplayResult } from '#contract/replay.ts';
import type { TreeGroup } from '#contract/tree.ts';
import { keepPartitions } from '#db/migrate.ts';
import { seedWorld } from '#db/seed/seed-world.ts';
import { listGroups } from '#server/campaign/tree.sql.ts';
import { openAddresses } from '#server/kit/addresses.ts';
import { type Db, openDb, openPool } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { insertReplay } from '#server/lab/replay.sql.ts';
import { viewResult } from '#server/lab/replay.view.ts';
import type { ReplayOutcome } from '#server/lab/run-replay.ts';
import { findConfiguration } from '#server/plan/configuration.sql.ts';
import { compileOrganization } from '#server/plan/plan-book.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { buildWorld, jsonEndpoint } from '#test/harness/world.ts';
import { type Measured, quantile, run } from './generator.ts';
import { withDatabase } from './with-database.ts';

const LEADS = Number(process.env.BENCH_LEADS ?? 30_000);
const DAYS = 28;
const DAY_MS = 86_400_000;
const PER_SECOND = 50;
/** The thread of replays finds its speed in the first two or three. */
const WARM_ROUNDS = 2;

export const benchReplay = (): Promise<void> =>
  withDatabase(async (url) => {
    const children: ChildProcess[] = [];
    try {
      await bench(url, children);
    } finally {
      for (const child of children) child.kill('SIGKILL');
    }
  });

async function bench(url: string, children: ChildProcess[]): Promise<void> {
  const pool = openPool(url, 8);
  const now = Date.now();
  for (let days = 0; days <= DAYS + 31; days += 27) await keepPartitions(pool, new Date(now - days * DAY_MS));
  const size = { days: DAYS, leadsPerDay: Math.round(LEADS / DAYS) };
  await seedWorld({
    pool,
    connectionString: url,
    masterKey: TEST_CONFIG.masterKey,
    addresses: openAddresses(TEST_CONFIG),
    now,
    size,
    say: (text) => console.log(text),
  });
  const db = openDb(pool);
  const market = await start(children, 'buyers.ts', []);
  const post = jsonEndpoint(`http://127.0.0.1:${market}`, 'post').post;
  const buyerUrl = `http://127.0.0.1:${market}/yes`;
  const other = await buildWorld(db, {
    groups: [{ mode: 'priority', tiers: [{ url: buyerUrl, endpoint: { post: { ...post, url: buyerUrl } } }] }],
  });
  const app = await start(children, 'sluice.ts', [url]);
  console.log(
    `${cpus().length} x ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; all on one machine\n`,
  );

  await untilCounted(pool);
  const load = {
    url: `http://127.0.0.1:${app}`,
    path: '/api/v1/leads',
    headers: { authorization: `Bearer ${other.key}` },
    perSecond: PER_SECOND,
  };
  await run({ ...load, seconds: 3 });
  const alone = await run({ ...load, seconds: 8 });
  const campaign = await largestCampaign(pool);
  const month = { from: now - DAYS * DAY_MS, to: now };
  const first = await replayOnce(db, pool, campaign, month);
  for (let round = 0; round < WARM_ROUNDS; round++) await replayOnce(db, pool, campaign, month);
  const quiet = await replayOnce(db, pool, campaign, month);
  // Under load for as long as several replays take, so that every lead has one beside it.
  let isLoaded = true;
  const replaying = (async () => {
    const rates: number[] = [];
    while (isLoaded) rates.push((await replayOnce(db, pool, campaign, month)).result.leadsPerSecond);
    return rates;
  })();
  const beside = await run({ ...load, seconds: 8 });
  isLoaded = false;
  const busy = await replaying;
  console.table([
    {
      replay: `${quiet.leads} leads, ${quiet.published.flatMap(({ members }) => members).length} buyer tiers, two trees`,
      'leads/s, the first': first.result.leadsPerSecond,
      'leads/s': quiet.result.leadsPerSecond,
      'leads/s beside load': Math.round(mean(busy)),
    },
  ]);
  console.table([own('alone', alone), own('beside replays', beside)]);
  const midnight = Math.floor(now / DAY_MS) * DAY_MS;
  const { result, ...trees } = await replayOnce(db, pool, campaign, { from: midnight - DAY_MS, to: midnight });
  const configuration = await findConfiguration(db, campaign.organization_id);
  tellDay(viewResult(result, trees, compileOrganization(TEST_CONFIG.masterKey, campaign.organization_id, configuration!)));
  await pool.end();
}

/** What a person reads on the page of a replay. */
function tellDay({ really, published, changed, gained, lost, buyerTiers, sources }: ReplayResult): void {
  const figures = ({ leads, sold, revenue, payout, margin, reasons }: ReplayFigures) => ({
    ...{ leads, sold, revenue, payout, margin },
    reasons: reasons.map((one) => `${one.label} ${one.leads}`).join(', '),
  });
  console.log('Yesterday (UTC) of the demo world:');
  console.table({ really: figures(really), 'published tree': figures(published), 'turned round': figures(changed) });
  console.table(
    Object.fromEntries(
      buyerTiers.map((tier) => [
        `${tier.buyerName}, ${tier.name}`,
        {
          ...{ 'asked, published': tier.published.asked, 'asked, turned round': tier.changed.asked },
          ...{ 'sales, published': tier.published.sales, 'sales, turned round': tier.changed.sales },
          ...{ 'revenue, published': tier.published.revenue, 'revenue, turned round': tier.changed.revenue },
        },
      ]),
    ),
  );
  console.log(`sold only turned round: ${gained.leads}; only as published: ${lost.leads}`);
  console.table(sources);
}

const own = (when: string, measured: Measured) => ({
  [`leads at ${PER_SECOND}/s`]: when,
  'own p50 ms': round(quantile(measured.own, 0.5)),
  'own p99 ms': round(quantile(measured.own, 0.99)),
  'whole p50 ms': round(quantile(measured.latency, 0.5)),
  'whole p99 ms': round(quantile(measured.latency, 0.99)),
  failed: measured.failed,
});

interface Campaign {
  organization_id: string;
  id: string;
  vertical_id: string;
  person_id: string;
}

async function largestCampaign(pool: pg.Pool): Promise<Campaign> {
  const { rows } = await pool.query<Campaign>(`
    select c.organization_id, c.id, c.vertical_id, (select user_id from team_member m where m.organization_id = c.organization_id limit 1) as person_id
      from lead l join campaign c on c.organization_id = l.organization_id and c.id = l.campaign_id group by 1, 2, 3 order by count(*) desc limit 1`);
  return rows[0]!;
}

/** With the groups of the published tree turned round, so that the two go different ways. */
async function replayOnce(
  db: Db,
  pool: pg.Pool,
  campaign: Campaign,
  span: { from: number; to: number },
): Promise<{ leads: number; published: TreeGroup[]; changed: TreeGroup[]; result: ReplayOutcome }> {
  const { organization_id, id: campaignId } = campaign;
  const settings: ReplayBody = {
    campaignId,
    publisherTierId: null,
    from: new Date(span.from).toISOString(),
    to: new Date(span.to).toISOString(),
    change: { tree: 'draft' },
    settings: { margin: null, floor: null, maxSales: null, timeLimitMs: null, buyerTiers: [] },
    unrecorded: 'habit',
  };
  const { id, ...trees } = await inTenant(db, organization_id, async (tx) => {
    const published = await listGroups(tx, organization_id, campaignId);
    const changed = published.map((group) => ({ ...group, members: group.members.toReversed() })).toReversed();
    const replay = { verticalId: campaign.vertical_id, campaignId, personId: campaign.person_id, settings, published, changed };
    return { id: await insertReplay(tx, organization_id, replay), published, changed };
  });
  for (;;) {
    await sleep(100);
    const { rows } = await pool.query('select status, failure, result, done from replay where organization_id = $1 and id = $2', [
      organization_id,
      id,
    ]);
    const [row] = rows;
    if (row.status === 'failed') throw new Error(row.failure);
    if (row.status === 'done') return { leads: row.done, ...trees, result: row.result };
  }
}

/** Soon after it is up the node counts its history for reports, with one core; what is measured comes after. */
async function untilCounted(pool: pg.Pool): Promise<void> {
  const LEFT = `select from report_mark union all select from report_slot_mark union all select from organization o where not exists (select from report_progress p where p.organization_id = o.id)`;
  while ((await pool.query(`${LEFT} limit 1`)).rowCount) await sleep(500);
}

async function start(children: ChildProcess[], file: string, args: string[]): Promise<number> {
  const child = fork(join(import.meta.dirname, file), args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], execArgv: [] });
  children.push(child);
  return new Promise((resolve, reject) => {
    child.once('message', (message) => resolve((message as { port: number }).port));
    child.once('exit', (code) => reject(new Error(`A process of the benchmark ended with ${code}.`)));
  });
}

const mean = (figures: number[]): number => figures.reduce((sum, one) => sum + one, 0) / figures.length;
const round = (value: number): number => Math.round(value * 100) / 100;
