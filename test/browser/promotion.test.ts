/** console §3 "promotions" in the browser: from nothing to a rise that is paid, and what is told where two meet. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ({ ...ACCEPT, body: JSON.stringify({ result: 'accepted' }) }));
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, price: { kind: 'fixed', price: dollars(20) } }] }],
    priceModel: { kind: 'fixed', price: dollars(10) },
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

const signedIn = (options: Parameters<typeof openPage>[1] = {}) => openSignedIn(browser, node.url, owner, options);

const send = (at: number) =>
  node.post('/api/v1/leads', { ...LEAD, email: `g${at}@example.com`, phone: `21255502${at}` }, { authorization: `Bearer ${world.key}` });

async function add(page: Page, name: string, kind: string, target: RegExp, amount: string) {
  await page.getByLabel('Name').fill(name);
  await page.getByLabel('For a').selectOption(kind);
  await page.getByRole('combobox', { name: kind, exact: true }).last().click();
  await page.getByRole('listbox').getByRole('option', { name: target }).click();
  await page.getByLabel('Amount', { exact: true }).fill(amount);
  await page.getByRole('button', { name: 'Add promotion' }).click();
}

describe('console §3 promotions', () => {
  it('an empty page teaches; a promotion is added, paid, paused, and told on the lead', async () => {
    const { page, complaints, close } = await signedIn();
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Growth' }).click();
    await page.getByRole('heading', { level: 1, name: 'Promotions' }).waitFor();
    await page.getByText('No promotions yet.').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'promotions-empty');
    await page.getByRole('button', { name: 'Add a promotion' }).first().click();
    await page.getByRole('button', { name: 'Add promotion' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-path'))).toBe('name');
    await add(page, 'Black Friday', 'Publisher', /./, '2.50');
    await page.getByRole('link', { name: 'Black Friday' }).waitFor();
    const { json } = await send(10);
    expect(json.price).toBe('12.50');
    await page.goto(`${node.url}/#!/setup/us/payday/leads/${json.leadId}`);
    await page.getByText('$2.50 of it by the promotion Black Friday', { exact: true }).waitFor();
    await page.goto(`${node.url}/#!/setup/us/payday/promotions`);
    await page.getByText('$2.50 extra on 1 sold lead so far').waitFor();
    await page.getByRole('button', { name: 'Add a promotion' }).click();
    await add(page, 'Whole campaign', 'Campaign', /Main campaign/, '1');
    await page.getByText(/They do not add up: Black Friday pays/).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'promotions');
    await page.getByRole('button', { name: 'Actions for Black Friday' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page
      .getByRole('row', { name: /Black Friday/ })
      .getByText('Paused')
      .waitFor();
    expect((await send(11)).json.price).toBe('11.00');
    await page.getByRole('link', { name: 'Black Friday' }).click();
    await page.getByRole('heading', { level: 1, name: 'Black Friday' }).waitFor();
    await page.getByLabel('Only at certain hours').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'promotion');
    expect(complaints).toEqual([]);
    await close();
  });

  it('is read and changed on a phone', async () => {
    const { page, complaints, close } = await signedIn({ viewport: PHONE });
    await page.goto(`${node.url}/#!/setup/us/payday/promotions`);
    await page.getByRole('link', { name: 'Whole campaign' }).click();
    await page.getByLabel('Sold leads at most').fill('3');
    expect(await overflows(page)).toBe(false);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await page
      .getByRole('row', { name: /Whole campaign/ })
      .getByText('of 3')
      .waitFor();
    expect(await overflows(page)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  });
});
