/** console §3, key 24: from the set-up area to the page that a publisher reads, on a desk, on a phone and on paper. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;
let system: ScriptedBuyer;

beforeAll(async () => {
  node = await startTestWorld();
  system = await startBuyer();
  world = await buildWorld(node.db, {
    name: 'Spec Leads',
    groups: [{ mode: 'priority', tiers: [{ url: system.url }] }],
    testValues: { field: 'email', sold: 'sold@example.com', rejected: 'no@example.com' },
    publisher: { duplicate: { fields: ['email'], match: 'any', windowDays: 30, counts: 'received' } },
  });
  await node.planBook.reload(world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await system.close();
});

it('a specification is switched on, read by somebody without a sign-in, renewed and switched off', async () => {
  const owner = await buildUser(node.db, world.organizationId);
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
    at: `${node.url}/#!/setup/us/payday/flow-control`,
  });
  await page.getByRole('navigation', { name: 'Set-up pages' }).getByRole('link', { name: 'API' }).click();
  await page.getByRole('heading', { level: 1, name: 'API and posting specifications' }).waitFor();
  const open = page.getByRole('link', { name: 'Open the specification for Publisher One, Main seat' });
  expect(await open.count()).toBe(0);
  await page.getByRole('switch').click();
  await open.waitFor();
  expect(await axe(page)).toEqual([]);
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'posting-specs');
  const first = new URL((await open.getAttribute('href'))!).pathname;

  const reader = await openPage(browser);
  await reader.page.goto(node.url + first);
  await reader.page.getByRole('heading', { level: 1, name: 'Posting specification' }).waitFor();
  await reader.page.getByRole('region', { name: 'Fields' }).getByText('monthly_income').waitFor();
  await reader.page.getByText('sold@example.com').waitFor();
  expect(await axe(reader.page)).toEqual([]);
  await shoot(reader.page, 'posting-spec');
  await reader.page.setViewportSize(PHONE);
  expect(await overflows(reader.page)).toBe(false);
  expect(await axe(reader.page)).toEqual([]);
  await reader.page.emulateMedia({ media: 'print' });
  expect(await reader.page.getByText('urllib.request.urlopen').isVisible()).toBe(true);
  expect(await reader.page.getByRole('navigation').count()).toBe(0);

  await page.getByRole('button', { name: 'New link for Publisher One, Main seat' }).click();
  await page.getByRole('button', { name: 'Make the new link' }).click();
  await expect.poll(async () => new URL((await open.getAttribute('href'))!).pathname, { timeout: 8_000 }).not.toBe(first);
  const second = new URL((await open.getAttribute('href'))!).pathname;
  const gone = await reader.page.goto(node.url + first);
  expect(gone!.status()).toBe(404);
  await reader.page.getByRole('heading', { name: 'There is no such specification' }).waitFor();
  await page.getByRole('switch').click();
  await open.waitFor({ state: 'detached' });
  expect((await reader.page.goto(node.url + second))!.status()).toBe(404);
  // The tab beside it: a webhook is made, tried, hears of a sale, and is told what came back.
  await page.getByRole('navigation', { name: 'Set-up pages' }).getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('A webhook tells a system of yours', { exact: false }).waitFor();
  await shoot(page, 'webhooks-empty');
  await page.getByRole('button', { name: 'Add a webhook' }).first().click();
  await page.getByLabel('Name', { exact: true }).fill('CRM');
  await page.getByLabel('Address', { exact: true }).fill(`${system.url}/crm`);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Add webhook' }).click();
  await page.getByText('Nothing was told yet.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Send a test call' }).click();
  await page.getByText('Taken with HTTP 200', { exact: false }).waitFor();
  const secret = page.locator('.signing-secret code');
  await page.getByRole('button', { name: 'Show', exact: true }).click();
  const signedBy = await secret.textContent();
  expect(signedBy).toMatch(/^whsec_[0-9a-f]{64}$/);
  await page.getByRole('button', { name: 'Make a new secret' }).click();
  await page.getByRole('button', { name: 'Make the new secret' }).click();
  await expect.poll(() => secret.textContent(), { timeout: 8_000 }).not.toBe(signedBy);
  system.answer(({ path }) => (path === '/crm' ? { status: 503 } : ACCEPT));
  await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` });
  await expect.poll(() => system.calls.filter(({ path }) => path === '/crm').length, { timeout: 8_000 }).toBe(2);
  await page.getByRole('button', { name: 'Look again' }).click();
  await page.getByRole('cell', { name: 'It answered with HTTP 503.', exact: false }).waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'webhook');
  await page.getByRole('link', { name: 'Webhooks' }).last().click();
  await page.getByRole('link', { name: 'CRM' }).waitFor();
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'webhooks');
  // The browser itself logs the refused pages.
  expect(reader.complaints.filter((one) => !one.includes('404'))).toEqual([]);
  expect(complaints).toEqual([]);
  await Promise.all([close(), reader.close()]);
}, 90_000);
