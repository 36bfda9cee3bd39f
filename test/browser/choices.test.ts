/** console §2, §9: records are chosen out of more than are worth loading: 20 at a time, for what is typed. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { copyTiers } from '#test/harness/copy-tiers.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;
let owner: { email: string; password: string };

const MANY = 1100;

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [{ mode: 'priority', tiers: [{ url: 'http://127.0.0.1:9', buyer: 'Harbour', name: 'Prime' }] }],
  });
  await copyTiers(node.pool, world.organizationId, MANY);
  await node.pool.query(
    `insert into buyer (organization_id, id, name) select $1, gen_random_uuid(), 'Buyer ' || lpad(n::text, 4, '0') from generate_series(1, $2::int) n`,
    [world.organizationId, MANY],
  );
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

const at = (path: string) => `${node.url}/#!/setup/us/payday/${path}`;
async function opened(path: string, options: Parameters<typeof openPage>[1] = {}) {
  return await openSignedIn(browser, node.url, owner, { at: at(path), ...options });
}
const list = (page: Page) => page.getByRole('listbox').getByRole('option');
const options = (page: Page) => list(page).allInnerTexts();
const picker = (page: Page) => page.getByRole('combobox', { name: /^Add a buyer tier to/ });

describe('console §2: flow-control among more tiers than are worth loading', () => {
  it('brings only those that are seated; the picker finds the last of them, and what was drawn outlives a reload', async () => {
    const { page, complaints, close } = await opened('flow-control');
    const answer = page.waitForResponse((one) => one.url().endsWith('/tree'));
    await page.reload();
    const { buyerTiers } = (await (await answer).json()) as { buyerTiers: { name: string }[] };
    expect(buyerTiers.map((one) => one.name)).toEqual(['Prime']);
    await picker(page).click();
    await page.getByText('20 of 1,100. Type to narrow.').first().waitFor();
    expect(await list(page).count()).toBe(20);
    expect(await options(page)).not.toContain('Harbour, Prime');
    await shoot(page, 'choices-flow');
    // As it is written on screen, and by the keyboard alone.
    await picker(page).pressSequentially('harbour, tier 1099');
    await expect.poll(() => options(page)).toEqual(['Harbour, Tier 1099']);
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Harbour, Tier 1099' }).waitFor();
    await page.getByText('1 change not published.').waitFor();
    // Written down a moment after it was drawn.
    await expect.poll(() => page.evaluate(() => JSON.stringify(sessionStorage).includes('Tier 1099'))).toBe(true);
    await page.reload();
    await page.getByRole('link', { name: 'Harbour, Tier 1099' }).waitFor();
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.getByText(/Draft saved by/).waitFor();
    await picker(page).fill('tier 1099');
    await page.getByRole('option', { name: 'No results match "tier 1099"' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByText('Harbour, Tier 1099 joins', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('As it is live.').waitFor();
    // Gone from the tree, it is still called by its name in what goes back to an earlier one.
    await page.getByRole('button', { name: 'Earlier trees' }).click();
    await page.getByRole('button', { name: 'Roll back to this…' }).click();
    await page.getByText('Harbour, Tier 1099 leaves the tree.').waitFor();
    await page.getByRole('button', { name: 'Roll back', exact: true }).click();
    await page.getByText('As it is live.').waitFor();
    await page.getByRole('link', { name: 'Harbour, Tier 1099' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Earlier trees' }).click();
    await page.getByRole('button', { name: 'Roll back to this…' }).first().click();
    await page.getByText('Harbour, Tier 1099 joins', { exact: false }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('says when the choices could not be loaded, and asks again where it is told to', async () => {
    const { page, close } = await opened('flow-control');
    await page.getByText('As it is live.').waitFor();
    const calls = '**/api/v1/common/get/condition-data';
    await page.route(calls, (route) => route.fulfill({ status: 500, json: { msg: 'Broken.' } }));
    await picker(page).click();
    await page.getByRole('option', { name: 'This could not be loaded. Try again' }).waitFor({ timeout: 20_000 });
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'choices-failed');
    await page.unroute(calls);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText('20 of 1,100. Type to narrow.').first().waitFor();
    await close();
  });
});

describe('console §2: forms and filters among more records than are worth loading', () => {
  it('a new tier finds the last of 1,101 buyers, and Enter in its list sends no form', async () => {
    const { page, complaints, close } = await opened('tier/add?of=buyer');
    const buyer = page.getByRole('combobox', { name: 'Buyer', exact: true });
    await buyer.click();
    await page.getByText('20 of 1,101. Type to narrow.').first().waitFor();
    await buyer.fill('1100');
    await expect.poll(() => options(page)).toEqual(['Buyer 1100']);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'choices-form');
    await page.keyboard.press('Enter');
    expect(await buyer.inputValue()).toBe('Buyer 1100');
    expect(await page.getByText('Choose a buyer.').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('a list is narrowed by one of them, whose name stands in the chip after a reload', async () => {
    const { page, complaints, close } = await opened('buyers?list=tiers');
    await page.getByText('1,101 buyer tiers').waitFor();
    await page
      .locator('.chip-body')
      .filter({ hasText: /^Buyer$/ })
      .click();
    await page.getByLabel('Search Buyer').fill('0777');
    await expect.poll(() => options(page)).toEqual(['Buyer 0777']);
    await shoot(page, 'choices-chip');
    await page.keyboard.press('Enter');
    await page.waitForURL(/buyerId=/);
    await page.getByText('No buyer tiers match.').waitFor();
    await page.reload();
    await page.locator('.chip').filter({ hasText: 'Buyer 0777' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('the leads list asks for its tiers too', async () => {
    const { page, complaints, close } = await opened('leads', { viewport: PHONE });
    await page
      .locator('.chip-body')
      .filter({ hasText: /^Buyer tier$/ })
      .click();
    await page.getByLabel('Search Buyer tier').fill('prim');
    await expect.poll(() => options(page)).toEqual(['Harbour, Prime']);
    expect(await overflows(page)).toBe(false);
    await page.keyboard.press('Enter');
    await page.waitForURL(/buyerTierId=/);
    await page.reload();
    await page.locator('.chip').filter({ hasText: 'Harbour, Prime' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});
