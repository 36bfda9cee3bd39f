/**
 * `npm run bench -- console`: what the console costs the person before it, in a real browser over an organization of 10,000 buyer tiers and
 * two verticals: script of the first load, lists searched and sorted, the switch of the vertical.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import type { Page, Response } from 'playwright-core';
import { migrate } from '#db/migrate.ts';
import { openInstallation } from '#server/installation.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { startEmbeddedPostgres } from '#server/kit/embedded-postgres.ts';
import { launchBrowser, openPage } from '#test/harness/browser.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';
import { quantile } from './generator.ts';

const TIERS = 10_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);

export async function benchConsole(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-bench-'));
  const server = await startEmbeddedPostgres(join(folder, 'postgres'));
  try {
    await measure(server.url('postgres'), server.url('sluice'));
  } finally {
    await server.leave();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(adminUrl: string, url: string): Promise<void> {
  const first = openPool(adminUrl, 1);
  await first.query('create database sluice');
  await first.end();
  await migrate(url);
  const pool = openPool(url, 2);
  const world = await buildWorld(openDb(pool), { groups: [{ mode: 'priority', tiers: [{ url: 'http://127.0.0.1:9' }] }] });
  const owner = await buildUser(openDb(pool), world.organizationId);
  await copyTiers(pool, world.organizationId);
  const installation = await openInstallation(TEST_CONFIG, url);
  const address = await installation.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await launchBrowser();
  try {
    const { page } = await openPage(browser);
    page.setDefaultTimeout(30_000);
    const scripts = countScripts(page);
    await page.goto(`${address}/login`);
    await page.getByLabel('Email').fill(owner.email);
    const atSignIn = await scripts();
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/flow-control/);
    await page.goto(`${address}/#!/setup/us/payday/overview`);
    await page.getByRole('heading', { level: 1, name: /^Today in/ }).waitFor();
    const fresh = await openPage(browser, { storageState: await page.context().storageState() });
    const freshScripts = countScripts(fresh.page);
    await fresh.page.goto(`${address}/#!/setup/us/payday/overview`);
    await fresh.page.getByRole('heading', { level: 1, name: /^Today in/ }).waitFor();
    const atOverview = await freshScripts();
    await fresh.page.waitForLoadState('networkidle');
    const withCharts = await freshScripts();
    await fresh.close();

    await page.goto(`${address}/#!/setup/us/payday/buyers?list=tiers`);
    await page.getByText('10,001 buyer tiers').waitFor();
    const listing = watchCalls(page, '/api/v1/common/get/condition-data');
    const search = await times(ROUNDS, (round) => searchFor(page, `Tier ${1000 + round}`));
    await searchFor(page, '');
    const searchCalls = listing();
    const sort = await times(ROUNDS, () => sortByName(page));
    const sortCalls = listing();
    const list = await page.evaluate(scrollThrough);
    await page.goto(`${address}/#!/setup/us/payday/overview`);
    const places = await verticalNames(pool, world.organizationId);
    const change = await times(ROUNDS, (round) => switchTo(page, places[(round + 1) % 2]!));

    console.log(
      `${cpus().length} x ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; ${ROUNDS} rounds each\n`,
    );
    console.log(
      `script of the first load, gzipped: ${kib(atSignIn)} KiB at the sign-in, ${kib(atOverview)} KiB at the overview, ${kib(withCharts)} KiB when its chart has come`,
    );
    console.table([
      row('10,000 tiers: search until the rows stand', search),
      row('  of it the call', searchCalls),
      row('10,000 tiers: sort until the rows stand', sort),
      row('  of it the call', sortCalls),
      row('switch of the vertical until the page stands', change),
      row('frames while a page of tiers is scrolled', list),
    ]);
  } finally {
    await browser.close();
    await installation.close();
    await pool.end();
  }
}

async function copyTiers(pool: ReturnType<typeof openPool>, organizationId: string): Promise<void> {
  const { rows } = await pool.query<{ list: string }>(
    `select string_agg(quote_ident(column_name), ', ') as list from information_schema.columns
      where table_name = 'buyer_tier' and column_name not in ('id', 'name') and is_generated = 'NEVER'`,
  );
  const columns = rows[0]!.list;
  await pool.query(
    `insert into buyer_tier (id, name, ${columns})
     select gen_random_uuid(), 'Tier ' || n, ${columns} from (select * from buyer_tier where organization_id = $1 limit 1) one, generate_series(1, ${TIERS}) n`,
    [organizationId],
  );
  await pool.query(
    `insert into vertical (organization_id, id, region_id, name, slug, uid, primary_field)
     select organization_id, gen_random_uuid(), region_id, 'Second', 'second', 'second', primary_field from vertical where organization_id = $1 limit 1`,
    [organizationId],
  );
  await pool.query('analyze');
}

async function verticalNames(pool: ReturnType<typeof openPool>, organizationId: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>('select name from vertical where organization_id = $1 order by id', [organizationId]);
  return rows.map((one) => one.name);
}

/** Bytes of script as they went over the wire. */
function countScripts(page: Page): () => Promise<number> {
  const answers: Response[] = [];
  page.on('response', (answer) => {
    if (answer.request().resourceType() === 'script') answers.push(answer);
  });
  return async () => {
    const sizes = await Promise.all(answers.map(async (answer) => (await answer.request().sizes()).responseBodySize));
    return sizes.reduce((sum, one) => sum + one, 0);
  };
}

/** Milliseconds between request and answer of every call of `path` since it was last asked. */
function watchCalls(page: Page, path: string): () => number[] {
  let found: number[] = [];
  page.on('requestfinished', (request) => {
    if (request.url().endsWith(path)) found.push(request.timing().responseEnd);
  });
  return () => {
    const taken = found;
    found = [];
    return taken;
  };
}

async function searchFor(page: Page, text: string): Promise<void> {
  await page.getByLabel('Search by name or buyer').fill(text);
  await page.keyboard.press('Enter');
  if (text === '') await page.getByText('10,001 buyer tiers').waitFor();
  else await page.getByRole('button', { name: text, exact: true }).waitFor();
}

async function sortByName(page: Page): Promise<void> {
  const head = page.getByRole('columnheader', { name: /^Name/ });
  const before = await head.getAttribute('aria-sort');
  await head.getByRole('button').click();
  await page.waitForFunction(
    (old) => document.querySelector('th')?.getAttribute('aria-sort') !== old && !document.querySelector('[data-stale]'),
    before,
  );
}

async function switchTo(page: Page, vertical: string): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Vertical', exact: true });
  await box.click();
  await page.getByRole('option', { name: vertical }).click();
  await page
    .getByRole('heading', { level: 1, name: /^Today in/ })
    .filter({ hasText: vertical })
    .waitFor();
}

async function times(count: number, act: (round: number) => Promise<void>): Promise<number[]> {
  await act(count);
  const found: number[] = [];
  for (let round = 0; round < count; round++) {
    const begun = performance.now();
    await act(round);
    found.push(performance.now() - begun);
  }
  return found;
}

/** Milliseconds of each frame while the page goes down by a screen. Runs in the browser. */
function scrollThrough(): Promise<number[]> {
  return new Promise((resolve) => {
    const found: number[] = [];
    let last = performance.now();
    const step = (now: number) => {
      found.push(now - last);
      last = now;
      window.scrollBy(0, 40);
      if (found.length < 60) requestAnimationFrame(step);
      else resolve(found.slice(1));
    };
    requestAnimationFrame(step);
  });
}

const kib = (bytes: number) => Math.round(bytes / 102.4) / 10;
const row = (what: string, found: number[]) => ({
  what,
  'p50 ms': Math.round(quantile(found, 0.5)),
  'p95 ms': Math.round(quantile(found, 0.95)),
});
