/** console §2, §3, §5, §7: regions, verticals and fields on screen, as an owner uses them. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  axe,
  launchBrowser,
  type openPage,
  openSignedIn,
  overflows,
  PHONE,
  shoot,
  standing,
  type WatchedPage,
} from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

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

async function signedIn(options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  return await openSignedIn(browser, node.url, owner, options);
}
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const said = (page: Page, text: string | RegExp) => page.getByRole('status').filter({ hasText: text }).first().waitFor();
const undo = (page: Page, text: string) =>
  page.locator('.toast-with-action').filter({ hasText: text }).getByRole('button', { name: 'Undo' }).click();
const offered = async (page: Page, list: 'Region' | 'Vertical') => {
  const input = page.locator('.header').getByLabel(list, { exact: true });
  await input.click();
  await page.getByRole('option').first().waitFor();
  const names = await page.getByRole('option').allInnerTexts();
  await page.keyboard.press('Escape');
  return names;
};
const region = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

describe('console §3: regions and verticals have a screen', () => {
  it('a second region is added, renamed, archived and brought back, and the header shows it at once', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/#!/regions`);
    await heading(page, 'Regions and verticals');
    await page.getByRole('button', { name: 'Add a region' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a region' });
    // Console §7, §9: asked while typing, after 300 ms, and told at the field.
    await dialog.getByLabel('Name', { exact: true }).fill('united states');
    await dialog.getByText('"united states" is taken already. Choose another.').waitFor();
    await dialog.getByLabel('Name', { exact: true }).fill('Kingdom');
    await dialog.getByLabel('Name in addresses').fill('us');
    await dialog.getByText('Another region, maybe an archived one, has this name in addresses.').waitFor();
    await dialog.getByLabel('Name in addresses').fill('uk');
    await dialog.getByLabel('Country').selectOption('uk');
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'region-new');
    await dialog.getByRole('button', { name: 'Add region' }).click();
    await said(page, 'Region added.');
    await expect.poll(() => offered(page, 'Region')).toEqual(['United States', 'Kingdom']);
    await page.getByRole('link', { name: 'Kingdom', exact: true }).click();
    const edited = page.getByRole('dialog', { name: 'Edit the region Kingdom' });
    await edited.getByLabel('Name', { exact: true }).fill('United Kingdom');
    await edited.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Region saved.');
    await expect.poll(() => offered(page, 'Region')).toEqual(['United States', 'United Kingdom']);
    await page.getByRole('button', { name: 'Actions for United Kingdom' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await said(page, 'Region United Kingdom archived.');
    await expect.poll(() => offered(page, 'Region')).toEqual(['United States']);
    await undo(page, 'archived');
    await expect.poll(() => offered(page, 'Region')).toEqual(['United States', 'United Kingdom']);
    await page.getByRole('button', { name: 'Actions for United States' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('alert').filter({ hasText: 'The vertical Payday lies in it.' }).waitFor();
    await shoot(page, 'regions');
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    expect(complaints.filter((one) => !/409/.test(one))).toEqual([]);
    await close();
  });

  it('a region is made inside Add Vertical; the vertical opens at its configuration, is renamed, archived and read', async () => {
    const { page, complaints, close } = await signedIn();
    await page.getByRole('button', { name: 'Add vertical' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add vertical' });
    await dialog.getByRole('button', { name: 'New region' }).click();
    const inner = page.getByRole('dialog', { name: 'Add a region' });
    await inner.getByLabel('Name', { exact: true }).fill('North');
    await page.keyboard.press('Escape');
    await inner.waitFor({ state: 'detached' });
    await dialog.waitFor();
    await dialog.getByRole('button', { name: 'New region' }).click();
    await inner.getByLabel('Name', { exact: true }).fill('North');
    await inner.getByRole('button', { name: 'Add region' }).click();
    await inner.waitFor({ state: 'detached' });
    expect(await dialog.getByLabel('Region', { exact: true }).inputValue()).toBe('North');
    await dialog.getByLabel('Name', { exact: true }).fill('Solar');
    await dialog.getByRole('button', { name: 'Add vertical' }).click();
    await page.waitForURL(/setup\/north\/solar\/configuration/);
    await page.getByText('Begin with the primary field, email.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Solar panels');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Vertical saved.');
    await expect.poll(() => page.locator('.header').getByLabel('Vertical', { exact: true }).inputValue()).toBe('Solar panels');
    await shoot(page, 'vertical-new');
    await page.getByRole('button', { name: 'Archive this vertical' }).click();
    await page.waitForURL(/#!\/regions/);
    await said(page, 'Vertical Solar panels archived.');
    await region(page, 'verticals').getByRole('link', { name: 'Payday', exact: true }).waitFor();
    expect(await region(page, 'verticals').getByText('Solar panels').count()).toBe(0);
    await region(page, 'verticals').getByRole('button', { name: 'Status' }).click();
    await page
      .getByRole('option', { name: 'Archived' })
      .or(page.getByRole('menuitemradio', { name: 'Archived' }))
      .first()
      .click();
    await region(page, 'verticals').getByRole('link', { name: 'Solar panels', exact: true }).click();
    // Its leads are still there to read; nothing else of it opens.
    await page.waitForURL(/setup\/north\/solar\/leads/);
    await heading(page, 'Leads');
    expect(await page.locator('.header').getByLabel('Vertical', { exact: true }).inputValue()).toBe('Solar panels (archived)');
    await page.goto(`${node.url}/#!/setup/north/solar/configuration`);
    await page.waitForURL(/setup\/north\/solar\/leads/);
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §8: a first load of the regions that fails is silently ignored, and asked for again until it comes', async () => {
    const { page, close } = await signedIn();
    await heading(page, /./);
    let calls = 0;
    await page.route('**/get-regions-and-verticals', (route) => {
      calls += 1;
      return calls < 3 ? route.fulfill({ status: 400, json: { status: false, msg: 'broken' } }) : route.continue();
    });
    await page.goto(`${node.url}/#!/setup/us/payday/configuration`);
    await page.reload();
    await expect.poll(() => calls).toBeGreaterThan(0);
    // What stands there meanwhile is the start, not a page of an error.
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await page.getByText('broken').count()).toBe(0);
    await heading(page, 'Vertical configuration');
    expect(calls).toBeGreaterThanOrEqual(3);
    await close();
  });

  it('console §2, §8: what somebody else changes stands in the header without a reload; a load that fails is silently ignored', async () => {
    const { page, close } = await signedIn();
    await page.clock.install({ time: Date.now() });
    await page.reload();
    await standing(page);
    const rename = (name: string) =>
      node.db
        .updateTable('vertical')
        .set({ name })
        .where('id', '=', world.verticalId)
        .where('organization_id', '=', world.organizationId)
        .execute();
    const shown = () => page.locator('.header').getByLabel('Vertical', { exact: true }).inputValue();
    await rename('Payday loans');
    await page.clock.fastForward(61_000);
    await expect.poll(shown).toBe('Payday loans');
    await page.route('**/get-regions-and-verticals', (route) => route.fulfill({ status: 500, json: { status: false, msg: 'broken' } }));
    await rename('Payday');
    await page.clock.fastForward(61_000);
    await page.clock.fastForward(2_000);
    expect(await shown()).toBe('Payday loans');
    expect(await page.getByRole('alert').count()).toBe(0);
    // Nor does a change of one's own that cannot be read back take the page away.
    await page.goto(`${node.url}/#!/setup/us/payday/configuration`);
    await page.getByLabel('Name', { exact: true }).fill('Payday advances');
    await page.getByRole('button', { name: 'Save' }).click();
    await said(page, 'Vertical saved.');
    await page.clock.fastForward(2_000);
    await heading(page, 'Vertical configuration');
    await page.unroute('**/get-regions-and-verticals');
    await page.clock.fastForward(61_000);
    await expect.poll(shown).toBe('Payday advances');
    await rename('Payday');
    await close();
  });

  it('console §2: on a phone a vertical is added from the drawer, and its configuration opens', async () => {
    const { page, complaints, close } = await signedIn({ viewport: PHONE });
    await page.getByRole('button', { name: 'Open the menu' }).click();
    await page.getByRole('dialog').getByText('Reporting time zone').waitFor();
    await shoot(page, 'drawer');
    await page.getByRole('button', { name: 'Add vertical' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add vertical' });
    await dialog.getByLabel('Name', { exact: true }).fill('Pocket loans');
    expect(await overflows(page)).toBe(false);
    await dialog.getByRole('button', { name: 'Add vertical' }).click();
    await page.waitForURL(/pocket-loans\/configuration/);
    await heading(page, 'Vertical configuration');
    expect(await overflows(page)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('console §3: the fields of a vertical', () => {
  it('are searched, saved as CSV, and a removed one comes back at its place', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/#!/setup/us/payday/configuration`);
    const names = () => page.locator('.field-name button').allInnerTexts();
    await page.locator('.field-line').first().waitFor();
    const before = await names();
    const [first = ''] = before.filter((one) => one !== 'Email');
    await page.getByRole('button', { name: `Actions for ${first}` }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    await expect.poll(names).toEqual(before.filter((one) => one !== first));
    await said(page, `Field ${first} deleted.`);
    await undo(page, 'deleted');
    await expect.poll(names).toEqual(before);
    await page.getByLabel('Search by name or label').fill('EMAIL');
    await expect.poll(names).toEqual(['Email']);
    await page.getByText(`1 of ${before.length} fields`).waitFor();
    await shoot(page, 'fields');
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    const [head = '', ...rows] = readFileSync(await file.path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(head).toContain('fieldName');
    expect(rows.filter((row) => row.includes('email'))).toHaveLength(1);
    await page.getByLabel('Search by name or label').fill('nothing of the kind');
    await page.getByText('No fields match.').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show all of them' }).click();
    await expect.poll(names).toEqual(before);
    // By type, on the server; while not all are shown none can be moved.
    await page.locator('.chip-body').filter({ hasText: /Type$/ }).click();
    await page.getByLabel('Search Type').fill('mail');
    await page.getByRole('option', { name: 'E-mail' }).click();
    await expect.poll(names).toEqual(['Email']);
    await page.getByText(`1 of ${before.length} fields`).waitFor();
    for (const move of await page.locator('.field-line').getByRole('button', { name: /^Move/ }).all())
      expect(await move.isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Clear Type' }).click();
    await expect.poll(names).toEqual(before);
    await page.getByRole('button', { name: 'Add a field' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a field' });
    await dialog.getByLabel('Name', { exact: true }).fill('email');
    await dialog.getByText(/is taken already. Choose another./).waitFor();
    expect(Object.keys(LEAD)).toContain('email');
    expect(complaints).toEqual([]);
    await close();
  });
});
