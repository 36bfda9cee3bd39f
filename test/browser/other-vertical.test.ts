/** console §2, §4: records and names that lie elsewhere than their address says. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchBrowser, openSignedIn, type WatchedPage } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

const OWN_PAGE = { 'x-requested-with': 'sluice' };
const at = (page: string, vertical = 'payday') => `${node.url}/#!/setup/us/${vertical}/${page}`;
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, {
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker', name: 'Standard' }] }],
    services: { 'Phone check': { url: buyer.url } },
  });
  await node.planBook.reload(world.organizationId);
  const { email, password } = await buildUser(node.db, world.organizationId);
  owner = { email, password };
  const signIn = await node.post('/team-login', owner, OWN_PAGE);
  const cookie = signIn.headers.get('set-cookie')!.split(';')[0]!;
  const auto = { model: 'vertical', name: 'Auto', slug: 'auto', regionId: world.regionId, primaryField: 'email' };
  expect((await node.post('/api/v1/common/post-add-data', auto, { ...OWN_PAGE, cookie })).statusCode).toBe(200);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

async function signedIn(person: { email: string; password: string } = owner): Promise<WatchedPage> {
  return await openSignedIn(browser, node.url, person);
}

describe('console §4: a record opens in its own vertical', () => {
  it('a tier and a service under the address of another vertical lead to their own', async () => {
    const { page, complaints, close } = await signedIn();
    for (const [address, name] of [
      [`tier/edit/${world.tiers[0]!.buyerTierId}?of=buyer`, 'Standard'],
      [`third-party-service/${world.services['Phone check']}`, 'Phone check'],
    ] as const) {
      await page.goto(at(address, 'auto'));
      await heading(page, name);
      await page.waitForURL(at(address));
      expect(await page.getByRole('combobox', { name: 'Vertical', exact: true }).inputValue()).toBe('Payday');
    }
    expect(complaints).toEqual([]);
    await close();
  });

  it('a switch of the vertical leads from the form of a service to the list of the other vertical', async () => {
    const { page, complaints, close } = await signedIn();
    for (const form of [`third-party-service/${world.services['Phone check']}`, 'third-party-service/new']) {
      await page.goto(at(form));
      await page.getByLabel('Name', { exact: true }).waitFor();
      await page.getByRole('combobox', { name: 'Vertical', exact: true }).click();
      await page.getByRole('option', { name: 'Auto', exact: true }).click();
      await page.waitForURL(at('third-party-service', 'auto'));
      await page.getByText('No third-party services yet.').waitFor();
    }
    expect(complaints).toEqual([]);
    await close();
  });
});

it.each([
  ['setup', 'flow-control', 'Flow control'],
  ['verticalConfiguration', 'configuration', 'Vertical configuration'],
])('console §2: the page named %s stands at %s', async (name, address, title) => {
  const { page, complaints, close } = await signedIn();
  await page.goto(at(name));
  await page.waitForURL(at(address));
  await heading(page, title);
  expect(await page.getByText('There is no page at').count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});

it('console §3: the first set-up follows the country of its region, whatever the region is called in addresses', async () => {
  const registered = await node.post(
    '/api/v1/teamMgmt/users/register',
    {
      ...{ first_name: 'Nora', last_name: 'New', email: 'nora@example.com', password: 'correct-horse-1', invitationData: null },
      orgDetails: { name: 'Brand New', userDetail: [], subDomain: 'brand-new' },
    },
    OWN_PAGE,
  );
  expect(registered.statusCode).toBe(200);
  const nora = { email: 'nora@example.com', password: 'correct-horse-1' };
  const signIn = await node.post('/team-login', nora, OWN_PAGE);
  const cookie = signIn.headers.get('set-cookie')!.split(';')[0]!;
  const region = { model: 'region', name: 'Great Britain', slug: 'gb', country: 'uk' };
  expect((await node.post('/api/v1/common/post-add-data', region, { ...OWN_PAGE, cookie })).statusCode).toBe(200);
  const { page, complaints, close } = await signedIn(nora);
  await heading(page, 'First set-up');
  await page.getByRole('textbox', { name: 'Vertical', exact: true }).fill('Loans');
  await page.getByLabel('Fields to begin with').selectOption('loan');
  await page.getByLabel('Name of the buyer').fill('First Bank');
  await page.getByLabel('Name of the publisher').fill('First Site');
  await page.getByRole('button', { name: 'Set up and send a test lead' }).click();
  await page.getByText('Sold, as a test').waitFor({ timeout: 20_000 });
  expect(complaints).toEqual([]);
  await close();
});
