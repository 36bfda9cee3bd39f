/** console §3, key 24: from the set-up area to the page that a publisher reads, on a desk, on a phone and on paper. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db, {
    name: 'Spec Leads',
    groups: [{ mode: 'priority', tiers: [{ url: 'http://127.0.0.1:9' }] }],
    testValues: { field: 'email', sold: 'sold@example.com', rejected: 'no@example.com' },
    publisher: { duplicate: { fields: ['email'], match: 'any', windowDays: 30, counts: 'received' } },
  });
  await node.planBook.reload(world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
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
  await expect.poll(async () => new URL((await open.getAttribute('href'))!).pathname).not.toBe(first);
  const second = new URL((await open.getAttribute('href'))!).pathname;
  const gone = await reader.page.goto(node.url + first);
  expect(gone!.status()).toBe(404);
  await reader.page.getByRole('heading', { name: 'There is no such specification' }).waitFor();
  await page.getByRole('switch').click();
  await open.waitFor({ state: 'detached' });
  expect((await reader.page.goto(node.url + second))!.status()).toBe(404);
  // The browser itself logs the refused pages.
  expect(reader.complaints.filter((one) => !one.includes('404'))).toEqual([]);
  expect(complaints).toEqual([]);
  await Promise.all([close(), reader.close()]);
}, 60_000);
