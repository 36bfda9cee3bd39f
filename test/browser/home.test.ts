/** home-buyer and home-publisher in the browser. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot, type WatchedPage } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startDatabaseProxy } from '#test/harness/database-proxy.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let taker: ScriptedBuyer;
let broken: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer(() => ACCEPT);
  broken = await startBuyer(() => ({ status: 500, body: 'down' }));
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: broken.url, buyer: 'Cracked Cup', name: 'First look' },
          { url: taker.url, buyer: 'Sleeping Bear Loans of the Northern Counties', name: 'Night', status: 'paused' },
          { url: taker.url, buyer: 'Taker', name: 'Main' },
          { url: taker.url, buyer: 'Never Asked', name: 'Last look' },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  for (let at = 10; at < 22; at++)
    await node.post(
      '/api/v1/leads',
      { ...LEAD, email: `p${at}@example.com`, phone: `21255502${at}` },
      { authorization: `Bearer ${world.key}` },
    );
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await Promise.all([taker.close(), broken.close()]);
});

async function signedIn(options: Parameters<typeof openPage>[1] = {}, person = owner): Promise<WatchedPage> {
  return await openSignedIn(browser, node.url, person, options);
}

describe('account §2: home-buyer and home-publisher', () => {
  it('from the overview to who is in trouble, why, and to the tier’s form', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/#!/setup/us/payday/overview`);
    await page.getByRole('link', { name: 'All buyers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Buyers today' }).waitFor();
    const rows = page.getByRole('row');
    await expect.poll(() => rows.nth(1).textContent()).toMatch(/Cracked Cup\s*In trouble/);
    await page.getByRole('button', { name: 'Cracked Cup' }).click();
    await page.getByRole('listitem').filter({ hasText: 'failed in 12 of 12 attempts in the last hour' }).waitFor();
    expect(page.url()).toContain('open=');
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'home-buyer');
    await page.getByRole('link', { name: 'First look', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /First look/ }).waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Leads of First look' }).click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    expect(page.url()).toMatch(/buyerTierId=.*period=today|period=today.*buyerTierId=/);
    expect(complaints).toEqual([]);
    await close();
  });

  it('is narrowed by health and by name, and says when nobody matches', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/#!/setup/home-buyer`);
    await page.getByRole('button', { name: 'Revenue' }).click();
    await page.getByRole('columnheader', { name: 'Revenue' }).and(page.locator('[aria-sort=ascending]')).waitFor();
    await page.getByRole('button', { name: 'Revenue' }).click();
    await expect.poll(() => page.locator('.home-table tbody tr').first().textContent()).toContain('Taker');
    expect(page.url()).toContain('sort=-revenue');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    expect(file.suggestedFilename()).toMatch(/^home-buyers-/);
    await page.getByRole('button', { name: 'Quiet 1' }).click();
    await expect.poll(() => page.locator('.home-table tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Never Asked' }).waitFor();
    await page.getByRole('button', { name: 'Quiet 1' }).click();
    await page.getByLabel('Search buyers by name').fill('nobody of this name');
    await page.getByText('No buyers match.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => page.locator('.home-table tbody tr').count()).toBe(4);
    expect(complaints).toEqual([]);
    await close();
  });

  it('publishers stand beside them; on a phone nothing runs over the edge', async () => {
    const { page, complaints, close } = await signedIn({ viewport: PHONE });
    await page.goto(`${node.url}/#!/setup/home-buyer`);
    await page.getByRole('button', { name: 'Cracked Cup' }).click();
    await page.getByRole('listitem').first().waitFor();
    expect(await overflows(page)).toBe(false);
    await page.getByRole('link', { name: 'Publishers', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Publishers today' }).waitFor();
    await page.locator('.home-name').first().click();
    await page.getByText('United States, Payday').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await shoot(page, 'home-publisher');
    expect(complaints).toEqual([]);
    await close();
  });

  it('a member without an overview is told so', async () => {
    const permissions = [
      {
        regionId: world.regionId,
        regionChecked: true,
        verticals: [{ verticalId: world.verticalId, verticalChecked: true, pages: [{ value: 'setup', pageChecked: true }] }],
      },
    ];
    const person = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
    const { page, complaints, close } = await signedIn({}, person);
    await page.goto(`${node.url}/#!/setup/home-publisher`);
    await page.getByText('No vertical is open to you here.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('product: somebody who is bound to a buyer sees its portal alone; what they ask for waits, is approved, and is told', async () => {
    const { organizationId } = world;
    const desk = await buildUser(node.db, organizationId, { role: 'member' });
    const office = await signedIn();
    await office.page.goto(`${node.url}/#!/team`);
    await office.page
      .getByRole('listitem')
      .filter({ hasText: desk.email })
      .getByRole('button', { name: /^Change/ })
      .click();
    await office.page.getByRole('menuitem', { name: 'Bind to a portal' }).click();
    await office.page.getByLabel('Sees', { exact: true }).selectOption('The portal of one buyer');
    await office.page.getByRole('button', { name: 'Save' }).click();
    await office.page.getByText('Choose one.').waitFor();
    await office.page.getByRole('combobox', { name: 'Buyer', exact: true }).fill('Taker');
    await office.page.getByRole('option', { name: 'Taker' }).click();
    await office.page.getByRole('button', { name: 'Save' }).click();
    await office.page.getByText('Portal of buyer Taker').waitFor();

    const bound = await signedIn({}, desk);
    const { page } = bound;
    await page.getByRole('heading', { level: 1, name: 'Taker' }).waitFor();
    await page.getByRole('navigation', { name: 'Your pages here' }).getByRole('link', { name: 'Leads' }).click();
    await page.getByRole('row').nth(12).waitFor();
    await page.locator('.portal-open').first().click();
    await page.getByText('p•••@example.com').first().waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'portal-leads');
    // Nothing else opens, and nothing leads there.
    await page.goto(`${node.url}/#!/setup/us/payday/leads`);
    await page.getByText(/You may not open/).waitFor();
    expect(page.url()).toContain('/setup/home-buyer');
    await page.goto(`${node.url}/#!/setup/home-buyer?tab=terms`);
    await page.getByRole('button', { name: 'Ask for a change of Main' }).click();
    await page.getByLabel('Price').fill('25');
    await page.getByLabel('Why').fill('Your leads are good');
    await page.getByRole('button', { name: 'Send the request' }).click();
    await page.getByText('Your request is sent.').waitFor();

    await office.page.goto(`${node.url}/#!/setup/us/payday/flow-control`);
    await office.page.getByRole('link', { name: 'Requests 1 waiting' }).click();
    await office.page.getByText('“Your leads are good”').waitFor();
    expect(await axe(office.page)).toEqual([]);
    await shoot(office.page, 'change-requests');
    await office.page.getByRole('button', { name: 'Approve Tier Main' }).click();
    await office.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    await office.page.getByText('Nothing waits.').waitFor();

    await page.setViewportSize(PHONE);
    await page.goto(`${node.url}/#!/setup/home-buyer?tab=requests`);
    await page.getByText('Approved', { exact: true }).waitFor();
    expect(await overflows(page)).toBe(false);
    await page.goto(`${node.url}/#!/setup/home-buyer?tab=terms`);
    await page.getByText('$25.00').waitFor();
    expect(await axe(page)).toEqual([]);
    expect([...bound.complaints, ...office.complaints]).toEqual([]);
    await bound.close();
    await office.close();
  });

  it('frontend: counts a lead that ends while somebody looks', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/#!/setup/home-buyer`);
    const taker = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Taker' }) });
    await taker.waitFor();
    const feed = page.waitForResponse((response) => response.url().endsWith('/api/console/home/feed')).catch(() => {});
    await page.reload();
    await feed;
    await taker.waitFor();
    const before = await taker.textContent();
    await node.post('/api/v1/leads', { ...LEAD, email: 'live@example.com', phone: '2125550299' }, { authorization: `Bearer ${world.key}` });
    await expect.poll(() => taker.textContent(), { timeout: 15_000 }).not.toBe(before);
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §2: cut off, the overview tells afterwards what ended meanwhile, and the pages of today count it, without another lead', async () => {
    const cable = await startDatabaseProxy(node.url);
    const url = cable.url.replace(/\/$/, '');
    const sent = async (nth: number) => {
      const lead = { ...LEAD, email: `cut${nth}@example.com`, firstName: `Marooned${nth}`, phone: `212555033${nth}` };
      expect((await node.post('/api/v1/leads', lead, { authorization: `Bearer ${world.key}` })).statusCode).toBe(200);
    };
    const { page, close } = await openSignedIn(browser, url, owner, { at: `${url}/#!/setup/us/payday/overview` });
    const feed = page.getByRole('region', { name: 'Live feed' });
    await feed.getByText('Live', { exact: true }).waitFor();
    const leads = page.locator('.figure-card').filter({ hasText: 'Leads' }).first();
    await leads.waitFor();
    const items = feed.getByRole('listitem');
    await items.first().waitFor();
    const [before, known] = [await leads.textContent(), await items.count()];
    cable.shut();
    await feed.getByText('Reconnecting…').waitFor();
    await sent(1);
    await sent(2);
    expect(await items.count()).toBe(known);
    cable.open();
    await feed.getByText('Live', { exact: true }).waitFor({ timeout: 40_000 });
    await expect.poll(() => items.count(), { timeout: 15_000 }).toBe(known + 2);
    await expect.poll(() => leads.textContent(), { timeout: 15_000 }).not.toBe(before);

    await page.goto(`${url}/#!/setup/home-buyer`);
    const taker = page.getByRole('row').filter({ has: page.getByRole('button', { name: 'Taker' }) });
    await taker.waitFor();
    const today = await taker.textContent();
    cable.shut();
    await expect.poll(() => cable.count()).toBe(0);
    await sent(3);
    cable.open();
    await expect.poll(() => taker.textContent(), { timeout: 50_000 }).not.toBe(today);
    await close();
    await cable.close();
  }, 120_000);
});
