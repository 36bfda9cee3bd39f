import { keepPartitions, migrate } from '#db/migrate.ts';
import { seedWorld } from '#db/seed/seed-world.ts';
import { listGroups } from '#server/campaign/tree.sql.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { startEmbeddedPostgres } from '#server/kit/embedded-postgres.ts';
import { openTenants } from '#server/kit/tenant.ts';
import { runReplay } from '#server/lab/run-replay.ts';
import { workOf } from '#server/lab/replay-runner.ts';
import { openFactBook } from '#server/lead/fact-book.ts';
import { openPlanBook } from '#server/plan/plan-book.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { existsSync } from 'node:fs';
const dir = '/tmp/lab-scratch/pg';
const fresh = !existsSync(dir);
const server = await startEmbeddedPostgres(dir, { fsync: 'off', synchronous_commit: 'off' } as never);
const now = Date.now();
if (fresh) {
  const admin = openPool(server.url('postgres'), 1);
  await admin.query('create database sluice');
  await admin.end();
  const url = server.url('sluice');
  await migrate(url);
  const pool = openPool(url, 8);
  for (let days = 0; days <= 60; days += 27) await keepPartitions(pool, new Date(now - days * 86_400_000));
  await seedWorld({ pool, connectionString: url, masterKey: TEST_CONFIG.masterKey, now, size: { days: 28, leadsPerDay: Number(process.env.N ?? 400) }, say: console.log });
  await pool.end();
}
const url = server.url('sluice');
const pool = openPool(url, 2);
const db = openDb(pool);
const planBook = await openPlanBook({ db, connectionString: url, masterKey: TEST_CONFIG.masterKey, onError: console.error });
const { rows } = await pool.query('select organization_id, campaign_id as id, vertical_id from lead group by 1,2,3 order by count(*) desc limit 1');
const c = rows[0];
const organization = planBook.find(c.organization_id)!;
const published = await listGroups(db as never, c.organization_id, c.id);
const changed = published.map((g) => ({ ...g, members: g.members.toReversed() })).toReversed();
const work = workOf(organization, { organizationId: c.organization_id, id: 'x', verticalId: c.vertical_id, campaignId: c.id, published, changed,
  settings: { campaignId: c.id, publisherTierId: null, from: new Date(now - 60*86_400_000).toISOString(), to: new Date(now + 1e7).toISOString(), change: { tree: 'draft' }, settings: { margin: null, floor: null, maxSales: null, buyerTiers: [] }, unrecorded: 'habit' } } as never);
const tenants = openTenants(url, 4);
const facts = openFactBook(url);
let last;
for (let i = 0; i < Number(process.env.ROUNDS ?? 3); i++) {
  const cpu = process.cpuUsage();
  const r = last = await runReplay({ own: tenants.of(c.organization_id), keys: organization.keys, facts }, work, () => {});
  const used = process.cpuUsage(cpu);
  console.log(r.really.leads, 'leads', r.leadsPerSecond, '/s', ((used.user + used.system) / 1000 / r.really.leads).toFixed(3), 'cpu ms/lead', r.sources);
}
for (const k of ['really', 'published', 'changed'] as const) { const { buyerTiers, groups, ...t } = last![k]; console.log(k, JSON.stringify(t)); }
await Promise.all([tenants.close(), facts.close(), planBook.close(), pool.end()]);
await server.leave();
