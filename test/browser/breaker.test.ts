/** engine "Breaker", product key 1: it is set on the tier's page, seen wherever the tier is, and closed by hand. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ({ status: 503 }));
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker', name: 'Standard' }] }],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

// A second try begins where the first did.
beforeEach(async () => {
  await node.pool.query('update buyer_tier set breaker = null');
  await node.pool.query('delete from breaker');
  await Promise.all([node.planBook.reload(world.organizationId), node.breakers.reload(world.organizationId)]);
});

const at = (path: string) => `${node.url}/#!/setup/us/payday/${path}`;
const tierPage = () => at(`tier/edit/${world.tiers[0]!.buyerTierId}?of=buyer`);
let sent = 0;
const send = () => node.post('/api/v1/leads', { ...LEAD, email: `breaker${sent++}@example.com` }, { authorization: `Bearer ${world.key}` });
const isOpen = () => node.breakers.of(world.organizationId).find(world.tiers[0]!.buyerTierId) !== undefined;

async function looksWell(page: Page, name: string): Promise<void> {
  expect([name, await axe(page)]).toEqual([name, []]);
  const before = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  expect([name, await overflows(page)]).toEqual([name, false]);
  await page.setViewportSize(before);
  await shoot(page, name);
}

it('engine Breaker: set on the tier’s page, opened by the buyer, seen on tier, list, flow-control and overview, closed with "Try again now"', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: tierPage() });
  await page.getByRole('heading', { level: 1, name: 'Standard' }).waitFor();
  await page.getByRole('switch', { name: 'Pause this tier when it keeps failing' }).check();
  await page.getByLabel('Of at least').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The fewest calls must be from 1 to 10000.').waitFor();
  await page.getByLabel('Of at least').fill('3');
  await page.getByText('and there were at least 3, nothing is sent for 5 minutes.').waitFor();
  await page.getByRole('group', { name: 'Breaker' }).scrollIntoViewIfNeeded();
  await looksWell(page, 'breaker-set');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Taker' }).waitFor();
  const { rows } = await node.pool.query('select breaker from buyer_tier where id = $1', [world.tiers[0]!.buyerTierId]);
  expect(rows[0].breaker).toEqual({ failurePercent: 50, minimumCalls: 3, lookBackMinutes: 5, pauseMinutes: 5 });

  await page.goto(tierPage());
  const section = page.getByRole('group', { name: 'Breaker' });
  await section.getByText('Closed', { exact: true }).waitFor();
  for (const _ of [1, 2, 3]) await send();
  await expect.poll(isOpen).toBe(true);
  // Without loading the page again.
  await section.getByText('Open', { exact: true }).waitFor();
  await section.getByText('when 3 of 3 calls had failed within 5 minutes.').waitFor();
  await section.scrollIntoViewIfNeeded();
  await looksWell(page, 'breaker-open-tier');

  await page.goto(at(`buyers/${world.tiers[0]!.buyerId}`));
  await page.getByRole('region', { name: 'buyer tiers' }).getByRole('cell', { name: 'Open', exact: true }).waitFor();
  await looksWell(page, 'breaker-open-list');

  await page.goto(at('overview'));
  const wrong = page.getByRole('region', { name: 'What is wrong now' });
  await wrong.getByText(/Taker, Standard fails since .+ Breaker open until .+: 3 of 3 calls failed in the last 5 minutes\./).waitFor();
  await looksWell(page, 'breaker-open-overview');

  await page.goto(at('flow-control'));
  const seat = page.locator('.flow-seat').filter({ hasText: 'Taker, Standard' });
  // The sentence stands once, on top; the seat has a mark.
  await page
    .getByRole('list', { name: 'What is wrong now' })
    .getByText(/Taker, Standard fails since .+ Breaker open until/)
    .waitFor();
  await seat.getByText('Breaker open', { exact: true }).waitFor();
  await looksWell(page, 'breaker-open-flow');
  await seat.getByRole('button', { name: 'Try again now: Taker, Standard' }).click();
  await page.getByRole('status').filter({ hasText: 'The breaker is closed.' }).first().waitFor();
  await expect.poll(() => seat.getByText('Breaker open', { exact: true }).count()).toBe(0);
  expect(isOpen()).toBe(false);

  for (const _ of [1, 2, 3]) await send();
  await expect.poll(isOpen).toBe(true);
  await page.goto(tierPage());
  await section.getByRole('button', { name: 'Try again now' }).click();
  await section.getByText('Closed', { exact: true }).waitFor();
  expect(isOpen()).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});
