/** engine §5, console §3: a ready-made check is chosen in the form of a service, tried, saved, and opens as it was saved. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db, { name: 'Harbour Leads' });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

const at = (path: string) => `${node.url}/#!/setup/us/payday/${path}`;

it('engine §5: an e-mail check begins with the throw-away domains there are, takes others, is tried and saved', async () => {
  await node.pool.query('delete from service');
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: at('third-party-service/new') });
  await page.getByLabel('Name', { exact: true }).fill('Real addresses');
  await page.getByLabel('Kind', { exact: true }).selectOption('email');
  expect(await page.getByRole('heading', { name: 'Preview' }).count()).toBe(0);
  const domains = page.getByLabel('Domains that are refused');
  expect(await domains.inputValue()).toContain('mailinator.com');
  await domains.fill('mailinator.com\nNot A Domain');
  await page.getByRole('button', { name: 'Add third-party service' }).click();
  await page.getByText('"not" is no domain; write mailinator.com, one a line.').first().waitFor();
  await domains.fill('mailinator.com\nThrown.Example');
  const trial = page.getByRole('region', { name: 'Try the check' });
  await trial.getByLabel('Email to try').fill('ada@eu.thrown.example');
  await trial.getByRole('button', { name: 'Try it' }).click();
  await trial.getByText('Refused', { exact: true }).waitFor();
  await trial.getByText('thrown.example gives out addresses that are thrown away').waitFor();
  expect(await axe(page)).toEqual([]);
  const before = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await page.setViewportSize(before);
  await shoot(page, 'pre-check-email');
  await trial.getByLabel('Email to try').fill('ada@example.com');
  await trial.getByRole('button', { name: 'Try it' }).click();
  await trial.getByText('Passed', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Add third-party service' }).click();
  await page.getByRole('link', { name: 'Real addresses' }).click();
  expect(await page.getByLabel('Kind', { exact: true }).inputValue()).toBe('email');
  expect(await page.getByLabel('Domains that are refused').inputValue()).toBe('mailinator.com\nthrown.example');

  // Another kind begins with the fields that fit it.
  await page.getByLabel('Kind', { exact: true }).selectOption('address');
  expect([
    await page.getByLabel('State', { exact: true }).inputValue(),
    await page.getByLabel('ZIP code', { exact: true }).inputValue(),
  ]).toEqual(['state', 'zip']);
  await page.getByLabel('Kind', { exact: true }).selectOption('consent');
  await page.getByText('Choose the field that is looked at.').waitFor();
  await page.getByLabel('Kind', { exact: true }).selectOption('phone');
  await page.getByLabel('A number of').selectOption('us uk');
  await shoot(page, 'pre-check-phone');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect
    .poll(async () => (await node.pool.query('select endpoint from service')).rows)
    .toEqual([{ endpoint: { check: { kind: 'phone', field: 'phone', countries: ['us', 'uk'], whenEmpty: 'refuse' } } }]);
  expect(complaints).toEqual([]);
  await close();
});
