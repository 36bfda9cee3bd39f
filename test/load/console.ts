/**
 * `npm run bench -- console`: what the console costs the person before it, in a real browser over an organization of 10,000 buyer tiers and
 * two verticals: script of the first load, lists searched and sorted, the switch of the vertical.
 */

import { cpus, totalmem } from 'node:os';
import type { Page, Response } from 'playwright-core';
import { openInstallation } from '#server/installation.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { launchBrowser, openPage } from '#test/harness/browser.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { copyTiers } from '#test/harness/copy-tiers.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';
import { quantile } from './generator.ts';
import { withDatabase } from './with-database.ts';

const TIERS = 10_000;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 20);

export const benchConsole = (): Promise<void> => withDatabase(measure);

async function measure(url: string): Promise<void> {
  const pool = openPool(url, 2);
  const world = await buildWorld(openDb(pool), { groups: [{ mode: 'priority', tiers: [{ url: 'http://127.0.0.1:9' }] }] });
  const owner = await buildUser(openDb(pool), world.organizationId);
  await copyTiers(pool, world.organizationId, TIERS);
  await addVertical(pool, world.organizationId);
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
    await noteActs(page);
    const search = await times(ROUNDS, (round) => searchFor(page, `Tier ${1000 + round}`));
    await searchFor(page, '');
    const searchCalls = listing();
    const sort = await times(ROUNDS, () => sortByName(page));
    const sortCalls = listing();
    const list = await page.evaluate(scrollThrough);
    const tree = await openFlow(page, address);
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
      row('flow-control among 10,000 tiers, from its address until the tree stands', tree.opening),
      row('  of it the call', tree.calls),
      row('a buyer tier looked for in its picker, until it stands there (300 ms of it the rest after a key)', tree.picking),
      row('  of it the call', tree.asking),
    ]);
    console.log(`flow-control: the tree weighs ${kib(tree.bytes)} KiB, the page holds ${tree.nodes} nodes and ${tree.options} options`);
  } finally {
    await browser.close();
    await installation.close();
    await pool.end();
  }
}

async function addVertical(pool: ReturnType<typeof openPool>, organizationId: string): Promise<void> {
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

async function searchFor(page: Page, text: string): Promise<number | undefined> {
  await page.getByLabel('Search by name or buyer').fill(text);
  await page.keyboard.press('Enter');
  if (text !== '') return stands(page, 'td .link', text);
  await page.getByText('10,001 buyer tiers').waitFor();
}

/** From now on the page notes when somebody last did something: what it costs to drive a browser from outside is no part of a figure. */
const noteActs = (page: Page): Promise<void> =>
  page.evaluate(() => {
    for (const kind of ['keydown', 'click']) addEventListener(kind, (event) => Object.assign(window, { actedAt: event.timeStamp }), true);
  });

/** Asked with every frame; a locator's own waiting looks twice a second in the end. Milliseconds since the last act, where acts are noted. */
async function stands(page: Page, selector: string, end: string): Promise<number | undefined> {
  const found = await page.waitForFunction(
    ([within, text]) =>
      [...document.querySelectorAll(within)].some((one) => one.textContent.endsWith(text) && one.checkVisibility()) && [
        performance.now() - (window as unknown as { actedAt: number }).actedAt,
      ],
    [selector, end] as const,
  );
  const [ms] = (await found.jsonValue()) as [number];
  return Number.isFinite(ms) ? ms : undefined;
}

async function sortByName(page: Page): Promise<number> {
  const head = page.getByRole('columnheader', { name: /^Name/ });
  const before = await head.getAttribute('aria-sort');
  await head.getByRole('button').click();
  const found = await page.waitForFunction(
    (old) =>
      document.querySelector('th')?.getAttribute('aria-sort') !== old &&
      !document.querySelector('[data-stale]') && [performance.now() - (window as unknown as { actedAt: number }).actedAt],
    before,
  );
  return ((await found.jsonValue()) as [number])[0];
}

/** The page of a campaign's tree, and the picker of a buyer tier in it: asked while 10,000 could be chosen. */
async function openFlow(page: Page, address: string) {
  let bytes = 0;
  page.on('response', (answer) => {
    if (answer.url().endsWith('/tree')) bytes = Number(answer.headers()['content-length']);
  });
  const calls = watchCalls(page, '/tree');
  const opening = await times(ROUNDS, async (round) => {
    // Another address in between, so that each time the page is made anew.
    await page.goto(`${address}/#!/setup/us/payday/overview`);
    await page.getByRole('heading', { level: 1, name: /^Today in/ }).waitFor();
    const begun = performance.now();
    await page.goto(`${address}/#!/setup/us/payday/flow-control?round=${round}`);
    await stands(page, 'h2', 'Ping tree');
    return performance.now() - begun;
  });
  const opened = calls();
  const asked = watchCalls(page, '/api/v1/common/get/condition-data');
  const picker = page.getByRole('combobox', { name: /^Add a buyer tier to/ }).first();
  const picking = await times(ROUNDS, async (round) => {
    await picker.fill(`Tier ${2000 + round}`);
    await stands(page, '[role=option]', `Tier ${2000 + round}`);
  });
  const nodes = await page.evaluate(() => document.querySelectorAll('*').length);
  const options = await page.getByRole('option').count();
  return { opening, calls: opened, picking, asking: asked(), bytes, nodes, options };
}

async function switchTo(page: Page, vertical: string): Promise<void> {
  const box = page.getByRole('combobox', { name: 'Vertical', exact: true });
  await box.click();
  await page.getByRole('option', { name: vertical }).click();
  await stands(page, 'h1', vertical);
}

/** Milliseconds of each round but a first one; an act that prepares something says itself how long the rest took. */
async function times(count: number, act: (round: number) => Promise<unknown>): Promise<number[]> {
  await act(count);
  const found: number[] = [];
  for (let round = 0; round < count; round++) {
    const begun = performance.now();
    const own = await act(round);
    found.push(typeof own === 'number' ? own : performance.now() - begun);
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
