/**
 * console §2, §3, §5: set-up without SQL and without calls: what an owner of an empty organization does on screen until a real buyer
 * has bought a real lead.
 */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openPage, shoot } from '#test/harness/browser.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';

const OWNER = { email: 'nora@example.com', password: 'correct-horse-1' };

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;

beforeAll(async () => {
  node = await startTestWorld();
  // It pays more for a higher income, so that the price can only come from what it was really sent.
  buyer = await startBuyer(({ body }) => {
    const { applicant } = JSON.parse(body);
    return { body: JSON.stringify({ verdict: { code: 'TAKEN' }, pays: applicant.netPay >= 3000 ? '24.50' : '3.00' }) };
  });
  const registered = await node.post(
    '/api/v1/teamMgmt/users/register',
    {
      ...{ first_name: 'Nora', last_name: 'New', ...OWNER, invitationData: null },
      orgDetails: { name: 'Brand New', userDetail: [], subDomain: 'brand-new' },
    },
    { 'x-requested-with': 'sluice' },
  );
  expect(registered.statusCode).toBe(200);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
const said = (page: Page, text: string) => page.getByRole('status').filter({ hasText: text }).first().waitFor();
const named = (where: Page | Locator) => where.getByLabel('Name', { exact: true });
/** A page of the set-up area by its tab. */
const tab = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Set-up pages' }).getByRole('link', { name, exact: true }).click();
async function choose(page: Page, list: Locator, option: string): Promise<void> {
  await list.click();
  await page.getByRole('listbox').getByRole('option', { name: option, exact: true }).click();
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${node.url}/login`);
  await page.getByLabel('Email').fill(OWNER.email);
  await page.getByLabel('Password', { exact: true }).fill(OWNER.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await heading(page, 'First set-up');
}

async function addPlace(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add vertical' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add vertical' });
  await dialog.getByRole('button', { name: 'New region' }).click();
  const region = page.getByRole('dialog', { name: 'Add a region' });
  await named(region).fill('United States');
  await region.getByLabel('Name in addresses').fill('us');
  await region.getByRole('button', { name: 'Add region' }).click();
  await region.waitFor({ state: 'detached' });
  await named(dialog).fill('Payday loans');
  await dialog.getByRole('button', { name: 'Add vertical' }).click();
  await page.waitForURL(/setup\/us\/payday-loans\/configuration/);
}

async function addField(page: Page, label: string, name: string, type: string): Promise<void> {
  await page.getByRole('button', { name: 'Add a field' }).first().click();
  const dialog = page.getByRole('dialog', { name: 'Add a field' });
  await dialog.getByLabel('Label').fill(label);
  await named(dialog).fill(name);
  await dialog.getByLabel('Type').selectOption({ label: type });
  await dialog.getByRole('switch', { name: 'Required' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Add field' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: label, exact: true }).waitFor();
}

/** The tier's address, its rows under the buyer's own names, and the rules by which its answer is read. */
async function setEndpoint(page: Page): Promise<void> {
  await page.getByLabel('Address', { exact: true }).fill(`${buyer.url}/leads`);
  const rows = [
    ['applicant.mail', 'E-mail'],
    ['applicant.region', 'State'],
    ['applicant.netPay', 'Monthly income'],
  ] as const;
  for (const [at, [key, field]] of rows.entries()) {
    if (at > 0) await page.getByRole('button', { name: 'Add a row' }).click();
    await page.getByLabel(`Buyer’s key ${at + 1}`).fill(key);
    await choose(page, page.getByRole('combobox', { name: `Value of ${key}` }), field);
  }
  await page.getByRole('button', { name: 'Format of applicant.netPay' }).click();
  await page.getByLabel('Type in JSON', { exact: true }).selectOption('number');
  await page.getByLabel('Where rule 1 looks').fill('verdict.code');
  await page.getByLabel('Value of rule 1').fill('TAKEN');
  await page.getByLabel('Where rule 2 looks').fill('verdict.code');
  await page.getByRole('region', { name: 'Price in the answer' }).getByLabel('Where it stands: price').fill('pays');
  await page.getByLabel('Answer of the buyer', { exact: true }).fill('{"verdict":{"code":"TAKEN"},"pays":"7.25"}');
  await page.getByRole('region', { name: 'A pasted answer' }).getByText('price $7.25; by rule 1').waitFor();
}

/** A posting key, read from the screen on which alone it is ever shown. */
async function readKey(page: Page): Promise<string> {
  const keys = page.getByRole('region', { name: 'Posting keys' });
  await keys.getByRole('button', { name: 'Make a key' }).click();
  await keys.getByText('Copy the key now').waitFor();
  return (await keys.locator('.form-note code').textContent()) ?? '';
}

describe('console §2, §3, §5: set-up has screens', () => {
  it('an organization is configured from nothing on screen alone, and sells a lead to a real buyer', async () => {
    const { page, complaints, close } = await openPage(browser);
    await signIn(page);
    await addPlace(page);
    await addField(page, 'E-mail', 'email', 'E-mail');
    await addField(page, 'State', 'state', 'State');
    await addField(page, 'Monthly income', 'monthly_income', 'Money');

    await tab(page, 'Buyers');
    await page.getByRole('button', { name: 'Add a buyer' }).first().click();
    await named(page).fill('Harbour Bank');
    await page.getByRole('button', { name: 'Add buyer' }).click();
    await heading(page, 'Harbour Bank');
    await page.getByRole('region', { name: 'buyer tiers' }).getByRole('button', { name: 'Add' }).first().click();
    await heading(page, 'New buyer tier');
    await named(page).fill('Premium');
    await page.getByLabel('Price', { exact: true }).selectOption('bid');
    await setEndpoint(page);
    await shoot(page, 'from-nothing-endpoint');
    await page.getByRole('button', { name: 'Add buyer tier' }).click();
    await heading(page, 'Harbour Bank');
    await page.getByRole('cell', { name: 'Premium', exact: true }).waitFor();

    await tab(page, 'Campaigns');
    await page.getByRole('button', { name: 'Add a campaign' }).first().click();
    await named(page).fill('Main');
    await page.getByRole('button', { name: 'Add campaign' }).click();
    await heading(page, 'Main');
    await tab(page, 'Flow control');
    await page.getByText('every lead of this campaign ends unsold', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Add a group' }).click();
    await choose(page, page.getByRole('combobox', { name: 'Add a buyer tier to Group 1' }), 'Harbour Bank, Premium');
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('As it is live.').waitFor();

    await tab(page, 'Publishers');
    await page.getByRole('button', { name: 'Add a publisher' }).first().click();
    await named(page).fill('Quay Media');
    await page.getByLabel('Affiliate id').fill('quay');
    await page.getByRole('button', { name: 'Add publisher' }).click();
    await heading(page, 'Quay Media');
    await page.getByRole('region', { name: 'tiers' }).getByRole('button', { name: 'Add' }).first().click();
    await heading(page, 'New publisher tier');
    await named(page).fill('Web form');
    await choose(page, page.getByRole('combobox', { name: 'Campaign' }), 'Main');
    await page.getByLabel('Model').selectOption('share');
    await page.getByLabel('Percent').fill('80');
    await page.getByRole('button', { name: 'Add publisher tier' }).click();
    await said(page, 'Publisher tier added.');
    const key = await readKey(page);

    const lead = { email: 'ada@example.com', state: 'NY', monthly_income: '3200' };
    const sold = await node.post('/api/v1/leads', lead, { authorization: `Bearer ${key}` });
    // 80% of what the buyer pays.
    expect(sold.json).toMatchObject({ status: 'accepted', price: '19.60', currency: 'USD' });
    expect(buyer.calls.map(({ method, path, body }) => ({ method, path, body: JSON.parse(body) }))).toEqual([
      { method: 'POST', path: '/leads', body: { applicant: { mail: 'ada@example.com', region: 'NY', netPay: 3200 } } },
    ]);

    await page.getByRole('link', { name: 'Leads', exact: true }).first().click();
    await heading(page, 'Leads');
    const row = page.getByRole('region', { name: 'Leads found' }).getByRole('row').filter({ hasText: 'Quay Media' });
    await row.getByText('Sold', { exact: true }).waitFor();
    expect(await row.count()).toBe(1);
    await row.getByText('$24.50').waitFor();
    await shoot(page, 'from-nothing-leads');
    expect(complaints).toEqual([]);
    await close();
  }, 120_000);
});
