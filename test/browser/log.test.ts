/** console §2 server-logs in the browser: from the menu to what went over the wire, on a desk and on a phone. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, insertKey, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let taker: ScriptedBuyer;
let refuser: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

const send = (at: number, key = world.key) =>
  node.post('/api/v1/leads', { ...LEAD, email: `consumer${at}@example.com`, phone: `21255503${at}` }, { authorization: `Bearer ${key}` });

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer(() => ACCEPT);
  refuser = await startBuyer(() => ({ body: JSON.stringify({ result: 'rejected', reason: 'ZIP code is not served' }) }));
  const naysayer = { url: refuser.url, buyer: 'Northgate Loans', name: 'Northgate $30' };
  const last = { url: taker.url, buyer: 'Harbour Credit', name: 'Harbour $20' };
  world = await buildWorld(node.db, { name: 'Log Leads', groups: [{ mode: 'priority', tiers: [naysayer, last] }] });
  const revoked = await insertKey(node.db, world.organizationId, world.publisherTierId, { revoked_at: new Date(0) });
  await node.planBook.reload(world.organizationId);
  for (let at = 10; at < 14; at++) await send(at);
  await send(14, revoked);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await Promise.all([taker.close(), refuser.close()]);
});

it('console §2: a buyer’s refusal is found, opened, looked at, and told by the change log; a refused call is found by its reason', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Logs' }).click();
  await page.getByRole('heading', { level: 1, name: 'Buyer tier logs' }).waitFor();
  const lines = page.getByRole('list').getByRole('button', { expanded: false });
  await expect.poll(() => lines.count()).toBe(8);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'attempt-log');

  const reason = page.getByLabel('Search by what the buyer said');
  await reason.fill('not served');
  await reason.press('Enter');
  await expect.poll(() => lines.count()).toBe(4);
  expect(page.url()).toContain('reason=not');
  const text = page.getByLabel('Search by any text that went over the wire, as it is shown');
  await text.fill('c•••@example.com');
  await text.press('Enter');
  await expect.poll(() => page.url()).toContain('text=');
  await expect.poll(() => lines.count()).toBe(4);
  await shoot(page, 'attempt-log-text');
  await text.fill('consumer13');
  await text.press('Enter');
  await page.getByText('Nothing matches.').waitFor();
  await text.fill('');
  await text.press('Enter');
  await expect.poll(() => lines.count()).toBe(4);
  await lines.first().click();
  await page.getByText('consumer13').waitFor({ state: 'detached' });
  await page.getByRole('region', { name: 'Request', exact: true }).getByText('c•••@example.com').waitFor();
  await page.getByRole('region', { name: 'Response 200' }).getByText('ZIP code is not served').waitFor();
  expect(await axe(page)).toEqual([]);

  await page.getByRole('button', { name: 'Show the masked values' }).click();
  await page.getByLabel('Why do you look?').fill('The buyer asks for this lead');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  await page.getByRole('region', { name: 'Request', exact: true }).getByText('consumer13@example.com').waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'attempt-log-open');
  await page.getByRole('button', { name: 'Mask again' }).click();
  await page.getByRole('region', { name: 'Request', exact: true }).getByText('c•••@example.com').waitFor();

  // A lead that ends meanwhile is told, and shown when asked for.
  await page.getByRole('button', { name: 'Clear all' }).click();
  await expect.poll(() => page.getByRole('button', { name: 'Refresh' }).isEnabled()).toBe(true);
  await send(15);
  await page.getByText('1 new lead').waitFor();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('10 found').waitFor();

  await page.getByRole('link', { name: 'API process logs' }).click();
  await page.getByRole('heading', { level: 1, name: 'API process logs' }).waitFor();
  await page.getByText('6 found').waitFor();
  await shoot(page, 'call-log');
  await page.getByRole('button', { name: 'Ended as' }).click();
  await page.getByRole('option', { name: 'Refused' }).click();
  await page.getByText('1 found').waitFor();
  await page
    .getByRole('list')
    .getByRole('button', { name: /Key was revoked/ })
    .click();
  await page.getByRole('region', { name: 'We answered 401' }).getByText('key_revoked').waitFor();
  await page.getByRole('region', { name: 'They sent' }).getByText('c•••@example.com').waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'call-log-open');

  await page.goto(`${node.url}/#!/change-logs-mgmt`);
  await page.getByText('looked at personal values').waitFor();
  expect(complaints).toEqual([]);
  await close();

  const phone = await openSignedIn(browser, node.url, owner, {
    viewport: PHONE,
    at: `${node.url}/#!/setup/us/payday/server-logs/buyer-tier-logs?outcome=rejected`,
  });
  await phone.page.getByText('5 found').waitFor();
  await phone.page.getByRole('list').getByRole('button').first().click();
  await phone.page.getByRole('region', { name: 'Request', exact: true }).waitFor();
  expect(await overflows(phone.page)).toBe(false);
  expect(await axe(phone.page)).toEqual([]);
  expect(phone.complaints).toEqual([]);
  await phone.close();
}, 90_000);
