/** console §2, §9: the lists of the set-up area: narrowed, as long as wanted, in the address; their names are links. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  const url = 'http://127.0.0.1:9';
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url, buyer: 'Acme', name: 'Prime' },
          { url, buyer: 'Acme', name: 'Asks first', delivery: 'pingPost' },
          { url, buyer: 'Other', name: 'Remnant' },
        ],
      },
    ],
  });
  const own = { organization_id: world.organizationId };
  for (let n = 1; n <= 12; n++)
    await node.db
      .insertInto('publisher_tier')
      .values({
        ...{ ...own, id: newId(), publisher_id: world.publisherId, campaign_id: world.campaignId },
        ...{
          name: `Seat ${String(n).padStart(2, '0')}`,
          sub_id: `s${n}`,
          price_model: JSON.stringify({ kind: 'share', sharePercent: 80 }),
        },
      })
      .execute();
  const [publisherId, campaignId] = [newId(), newId()];
  await node.db
    .insertInto('publisher')
    .values({ ...own, id: publisherId, name: 'Publisher Two', affiliate_id: 'AFF2' })
    .execute();
  const margin = JSON.stringify({ kind: 'fixed', amount: 0 });
  await node.db
    .insertInto('campaign')
    .values({ ...own, id: campaignId, vertical_id: world.verticalId, name: 'Night campaign', margin, max_sales: 1, time_limit_ms: 9000 })
    .execute();
  await node.db
    .insertInto('publisher_tier')
    .values({
      ...{ ...own, id: newId(), publisher_id: publisherId, campaign_id: campaignId },
      ...{ name: 'Night seat', sub_id: 'n', price_model: JSON.stringify({ kind: 'share', sharePercent: 80 }) },
    })
    .execute();
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
  const watched = await openSignedIn(browser, node.url, owner, { at: at(path), ...options });
  const { page } = watched;
  await page.locator('.record-table').first().waitFor();
  return watched;
}
const chip = (page: Page, name: string) => page.locator('.chip-body').filter({ hasText: new RegExp(`^${name}$`) });
const names = (page: Page) => page.locator('.record-table tbody tr td:first-child').allInnerTexts();

describe('console §2: what a list is narrowed by', () => {
  it('publisher tiers by publisher and campaign, buyer tiers by buyer and delivery, each in the address', async () => {
    const { page, complaints, close } = await opened('publishers?list=tiers');
    await page.getByText('14 publisher tiers').waitFor();
    await chip(page, 'Publisher').click();
    await page.getByRole('option', { name: 'Publisher Two' }).click();
    await page.waitForURL(/publisherId=/);
    await expect.poll(() => names(page)).toEqual(['Night seat']);
    await page.getByRole('button', { name: 'Clear Publisher' }).click();
    await chip(page, 'Campaign').click();
    await page.getByRole('option', { name: 'Night campaign' }).click();
    await page.waitForURL(/campaignId=/);
    await expect.poll(() => names(page)).toEqual(['Night seat']);
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['Night seat']);
    await page.locator('.chip').filter({ hasText: 'Night campaign' }).waitFor();
    await page
      .getByRole('button', { name: '+ Status' })
      .or(page.getByRole('button', { name: 'Status', exact: true }))
      .first()
      .click();
    await page.getByRole('option', { name: 'Paused' }).click();
    await page.getByText('No publisher tiers match.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('14 publisher tiers').waitFor();
    await page.goto(at('buyers?list=tiers'));
    await chip(page, 'Delivery').click();
    await page.getByRole('option', { name: 'Ping and post' }).click();
    await page.waitForURL(/delivery=pingPost/);
    await expect.poll(() => names(page)).toEqual(['Asks first']);
    await page.getByRole('button', { name: 'Clear Delivery' }).click();
    await chip(page, 'Buyer').click();
    await page.getByRole('option', { name: 'Other' }).click();
    await expect.poll(() => names(page)).toEqual(['Remnant']);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'list-filters');
    expect(complaints).toEqual([]);
    await close();
  });

  it('a list inside the page of a record is searched in the address, and what is typed above it stays', async () => {
    const { page, complaints, close } = await opened(`publishers/${world.publisherId}`);
    await page.getByLabel('Notes').fill('Half a thought');
    const tiers = page.getByRole('region', { name: 'publisher tiers', exact: true });
    // Whose tiers they are is said already.
    expect(await tiers.locator('.chip-body').allInnerTexts()).toEqual(['Status', 'Campaign', 'Kind']);
    await tiers.getByLabel('Search by name, publisher', { exact: false }).fill('seat 07');
    await page.keyboard.press('Enter');
    await page.waitForURL(/tiers\.q=seat/);
    await expect.poll(() => names(page)).toEqual(['Seat 07']);
    expect(await page.getByLabel('Notes').inputValue()).toBe('Half a thought');
    await page.reload();
    await expect.poll(() => names(page)).toEqual(['Seat 07']);
    await expect.poll(() => page.getByLabel('Notes').inputValue()).toBe('Half a thought');
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('console §9: how much of a list stands on a page', () => {
  it('10 is among the sizes, the choice is kept, and the page numbers follow it', async () => {
    const { page, complaints, close } = await opened('publishers?list=tiers&sort=name');
    const size = page.getByLabel('Records on a page');
    expect(await size.locator('option').allInnerTexts()).toEqual(['10 a page', '25 a page', '50 a page', '100 a page']);
    await size.selectOption('10');
    await expect.poll(async () => (await names(page)).length).toBe(10);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL(/page=2/);
    await page.getByText('Page 2 of 2').waitFor();
    await expect.poll(() => names(page)).toEqual(['Seat 09', 'Seat 10', 'Seat 11', 'Seat 12']);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'list-pages');
    await page.goto(at('publishers?list=tiers'));
    await expect.poll(async () => (await names(page)).length).toBe(10);
    await page.goto(at('buyers?list=tiers'));
    await page.getByText('3 buyer tiers').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('console §2: names in lists', () => {
  it('are links: they open in a new tab, and by a click here', async () => {
    const { page, complaints, close } = await opened('buyers?list=tiers');
    const link = page.getByRole('link', { name: 'Asks first' });
    expect(await link.getAttribute('href')).toBe(`/#!/setup/us/payday/tier/edit/${world.tiers[1]!.buyerTierId}?of=buyer`);
    const [tab] = await Promise.all([page.context().waitForEvent('page'), link.click({ modifiers: ['ControlOrMeta'] })]);
    await tab.getByRole('heading', { level: 1, name: 'Asks first' }).waitFor();
    await tab.close();
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'Asks first' }).waitFor();
    expect(page.url()).toContain('of=buyer');
    expect(complaints).toEqual([]);
    await close();
  });

  it('a phone shows the filters and the pages without running off the side', async () => {
    const { page, close } = await opened('publishers?list=tiers', { viewport: PHONE });
    expect(await overflows(page)).toBe(false);
    expect(await axe(page)).toEqual([]);
    await close();
  });
});
