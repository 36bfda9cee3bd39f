/** The page "Installation health": for super admins, with figures first, what to look at, and all its states. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot, standing } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db);
  await node.planBook.reload(world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

const openAsAdmin = async (more = {}) =>
  openSignedIn(browser, node.url, await buildUser(node.db, world.organizationId, { role: 'member', superAdmin: true }), more);
const ADDRESS = '/api/console/installation-health';

it('a super admin finds it in the menu, and reads figures, what to look at, nodes, queues and database, by keyboard and on a phone', async () => {
  // A node of an older version that fell silent a moment ago.
  const silent = newId();
  await node.pool.query(
    `insert into node (id, host, version, seen_at, leads_ended) values ($1, 'node-2', '0.0.9', now() + interval '1 hour', 12345)`,
    [silent],
  );
  await node.pool.query(
    `insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at, unknown_since) values ($1, $2, $3, 'post', $4, now(), now() - interval '8 days')`,
    [world.organizationId, newId(), newId(), newId()],
  );
  const { page, complaints, close } = await openAsAdmin();
  await page.getByRole('button', { name: /Account/ }).click();
  await page.getByRole('menuitem', { name: 'Installation health' }).click();
  await page.getByRole('heading', { level: 1, name: 'Installation health' }).waitFor();
  await standing(page);
  expect(await page.title()).toBe('Installation health · Sluice');
  const figure = (label: string) => page.locator('.figure-card', { has: page.getByText(label, { exact: true }) });
  expect(await figure('Nodes').textContent()).toBe('Nodes22 versions');
  expect(await figure('Leads held').textContent()).toBe('Leads held1oldest 8 days');
  expect(await figure('Connections').textContent()).toMatch(/of \d+/);
  const look = page.getByRole('region', { name: 'What to look at' });
  expect(await look.textContent()).toContain('Leads held for longer than a week: 1.');
  expect(await look.textContent()).toContain('Their organizations settle them under "To settle"');
  // What is bad stands above what can wait.
  const marks = await look.locator('.pill').allInnerTexts();
  expect(marks).toEqual([...marks].sort((a, b) => ['Bad', 'Look'].indexOf(a) - ['Bad', 'Look'].indexOf(b)));
  const nodes = page.getByRole('region', { name: 'Table of nodes' });
  expect(await nodes.locator('tbody tr').count()).toBe(2);
  expect(await nodes.locator('tr', { hasText: 'node-2' }).textContent()).toMatch(/Runs0\.0\.9.*12,345$/);
  expect(await nodes.getByText('Answers you').count()).toBe(1);
  expect(
    await page
      .getByRole('region', { name: 'What waits' })
      .getByRole('row', { name: /Leads held/ })
      .textContent(),
  ).toMatch(/until then\.18 days$/);
  expect(await page.getByRole('region', { name: 'Database' }).textContent()).toMatch(/PostgreSQL 18.*Replicanone/);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'installation-health');
  await nodes.focus();
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Table of nodes');
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  expect(await axe(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
  await node.pool.query('delete from node where id = $1', [silent]);
  await node.pool.query('delete from reservation');
});

it('reads itself anew while somebody looks, and says so when that does not succeed', async () => {
  const { page, close } = await openAsAdmin({ at: `${node.url}/#!/installation-health` });
  await standing(page);
  await page.clock.install();
  let asked = 0;
  await page.route(`**${ADDRESS}`, async (route) => {
    asked += 1;
    return asked === 1
      ? route.continue()
      : route.fulfill({
          status: 503,
          json: { status: false, code: 'installation_unknown', msg: 'The database did not tell in time how it is.' },
        });
  });
  await page.reload();
  await standing(page);
  expect(asked).toBe(1);
  await page.clock.runFor(16_000);
  await expect.poll(() => asked).toBeGreaterThan(1);
  // Tried again by itself before it is told.
  await page.clock.runFor(30_000);
  await page.getByText('These figures are old').waitFor();
  expect(await page.getByText('The database did not tell in time how it is.').count()).toBe(1);
  expect(await page.getByRole('region', { name: 'Table of nodes' }).count()).toBe(1);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'installation-health-old');
  await close();
});

it('shows that it loads, that it could not be loaded, and that nothing is to be looked at', async () => {
  const { page, close } = await openAsAdmin();
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(`**${ADDRESS}`, async (route) => {
    await held;
    return route.fulfill({ status: 500, json: { status: false, code: 'server_error', msg: 'Something failed on our side. Try again.' } });
  });
  await page.goto(`${node.url}/#!/installation-health`);
  await page.getByRole('heading', { level: 1, name: 'Installation health' }).waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor();
  expect(await axe(page)).toEqual([]);
  release();
  await page.getByText('This could not be loaded.').waitFor({ timeout: 30_000 });
  await page.unroute(`**${ADDRESS}`);
  const well = { level: 'ok', part: 'Work', what: 'One node runs.', mend: null };
  await page.route(`**${ADDRESS}`, async (route) => {
    const answer = await route.fetch();
    return route.fulfill({ json: { ...(await answer.json()), checks: [well] } });
  });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('All is well').waitFor();
  expect(await page.getByRole('region', { name: 'What to look at' }).textContent()).toContain('Nothing.');
  await shoot(page, 'installation-health-well');
  await close();
});

it('is in nobody else’s menu, and leads an owner who types its address back', async () => {
  const { page, close } = await openSignedIn(browser, node.url, await buildUser(node.db, world.organizationId));
  await page.getByRole('button', { name: /Account/ }).click();
  await page.getByRole('menuitem', { name: 'Team' }).waitFor();
  expect(await page.getByRole('menuitem', { name: 'Installation health' }).count()).toBe(0);
  await page.goto(`${node.url}/#!/installation-health`);
  await standing(page);
  expect(new URL(page.url()).hash).not.toContain('installation-health');
  await close();
});
