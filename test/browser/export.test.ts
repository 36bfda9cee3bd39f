/** Page key 15 (console §3 data-mgmt/outbound): leads are exported now, and by a feed that is tested, runs, fails and is run again. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type SftpServer, startSftp } from '#test/harness/sftp.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let sftp: SftpServer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  sftp = await startSftp();
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker', name: 'Standard' }] }],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
  for (const email of ['ada@example.com', 'bob@example.com'])
    await node.post('/api/v1/leads', { ...LEAD, email }, { authorization: `Bearer ${world.key}` });
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await Promise.all([buyer.close(), sftp.close()]);
});

const at = (page: string) => `${node.url}/#!/setup/us/payday/${page}`;
const signedIn = (options: Parameters<typeof openPage>[1] = {}) => openSignedIn(browser, node.url, owner, options);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
async function check(page: Page, name: string): Promise<void> {
  expect(await axe(page)).toEqual([]);
  await shoot(page, name);
}

describe('console §3 data-mgmt/outbound', () => {
  it('leads are exported: chosen, followed, downloaded, and listed', async () => {
    const { page, complaints, close } = await signedIn();
    await page.getByRole('link', { name: 'List management' }).click();
    await page.getByRole('link', { name: 'Exports', exact: true }).click();
    await heading(page, 'Exports');
    await page.getByText('Nothing was exported here yet.').waitFor();
    await page.getByLabel(/^Email/).check();
    await page.getByLabel('Result', { exact: true }).nth(0).selectOption('sold');
    await check(page, 'export-form');
    await page.getByLabel('Show values of persons as they are').check();
    await page.getByRole('button', { name: 'Export now' }).click();
    await page.getByText('Say why.').waitFor();
    await page.getByLabel('Why persons are needed as they are').fill('Audit of the regulator');
    await check(page, 'export-form-persons');
    await page.getByRole('button', { name: 'Export now' }).click();
    await heading(page, 'Export of leads');
    await page.getByText('Done. The file is ready.').waitFor();
    expect(page.url()).toContain('/trackProcess');
    await check(page, 'export-done');
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: /^Download/ }).click()]);
    expect(download.suggestedFilename()).toMatch(/^leads-us-payday-\d\d[A-Z][a-z]{2}\d{4}\.csv$/);
    const text = readFileSync(await download.path(), 'utf8');
    expect(text).toContain('ada@example.com');
    expect(text).toContain('bob@example.com');
    await page.getByRole('link', { name: 'All exports' }).click();
    await page.getByRole('link', { name: /^leads-us-payday/ }).waitFor();
    await check(page, 'exports');
    expect(complaints).toEqual([]);
    await close();
  });

  it('a feed is set up, its server’s key pinned by a test, run now, and archived with Undo', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at('data-mgmt/outbound'));
    await page.getByRole('link', { name: 'Feeds', exact: true }).click();
    await heading(page, 'Feeds of leads');
    await check(page, 'feeds-empty');
    await page
      .getByRole('button', { name: /^Add a feed/ })
      .first()
      .click();
    await heading(page, 'New feed of leads');
    await page.getByLabel('By', { exact: true }).selectOption('sftp');
    await page.getByRole('button', { name: 'Add feed of leads' }).click();
    await page.getByText('The name of a server, such as files.example.com.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Nightly to Harbour');
    await page.getByLabel('Server', { exact: true }).fill('127.0.0.1');
    await page.getByLabel('Port', { exact: true }).fill(String(sftp.port));
    await page.getByLabel('User', { exact: true }).fill('feed');
    await page.getByLabel('Folder', { exact: true }).fill('in');
    await page.getByLabel('Password', { exact: true }).fill('open sesame');
    await check(page, 'feed-form');
    await page.getByRole('button', { name: 'Add feed of leads' }).click();
    await heading(page, 'Nightly to Harbour');
    await page.getByRole('button', { name: 'Test the destination' }).click();
    await page.getByText('It works.').waitFor();
    await page.getByText(sftp.fingerprint).first().waitFor();
    await node.pool.query(`update export_feed set covered_to = now() - interval '1 hour'`);
    // As if the leads had come ten minutes ago: the last three minutes wait for the next run.
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('Nothing to send').waitFor();
    await check(page, 'feed');
    await page.getByRole('link', { name: 'Feeds of leads' }).click();
    await page.getByRole('link', { name: 'Nightly to Harbour' }).waitFor();
    await check(page, 'feeds');
    await page.getByRole('button', { name: 'Actions for Nightly to Harbour' }).click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('cell', { name: 'Paused' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Nightly to Harbour' }).click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.locator('.toast-with-action').filter({ hasText: 'archived' }).getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('cell', { name: 'Paused' }).waitFor();
    await page.getByRole('button', { name: 'Actions for Nightly to Harbour' }).click();
    await page.getByRole('menuitem', { name: 'Resume' }).click();
    await page.getByRole('cell', { name: 'Paused' }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('the secret of a feed by HTTP is shown, and made anew once it was asked', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at('data-mgmt/outbound/feeds/new'));
    await heading(page, 'New feed of leads');
    await page.getByLabel('Name', { exact: true }).fill('To the CRM');
    await page.getByLabel('Address', { exact: true }).fill(`${buyer.url}/leads`);
    await page.getByRole('button', { name: 'Add feed of leads' }).click();
    await heading(page, 'To the CRM');
    const test = page.getByRole('region', { name: 'Test' });
    await test.getByRole('button', { name: 'Show', exact: true }).click();
    const secret = test.locator('.signing-secret code');
    const before = await secret.textContent();
    expect(before).toMatch(/^fsec_[0-9a-f]{64}$/);
    await test.getByRole('button', { name: 'Make a new secret' }).press('Enter');
    await page.getByText('The secret that is in force signs nothing from then on', { exact: false }).waitFor();
    await check(page, 'feed-new-secret');
    await page.getByRole('button', { name: 'Make the new secret' }).press('Enter');
    await page.getByText('Calls are signed with the new secret from now on.').waitFor();
    await expect.poll(() => secret.textContent()).not.toBe(before);
    await page.setViewportSize(PHONE);
    expect(await overflows(page)).toBe(false);
    await check(page, 'phone-feed-secret');
    await node.pool.query(`update export_feed set status = 'archived' where name = 'To the CRM'`);
    expect(complaints).toEqual([]);
    await close();
  });

  it('a feed that fails says why there, and among what is wrong', async () => {
    await node.pool.query(`update export_feed set covered_to = now() - interval '1 hour', send_empty = true`);
    sftp.readOnly = true;
    const { page, close } = await signedIn();
    await page.goto(at('data-mgmt/outbound/feeds'));
    await page.getByRole('link', { name: 'Nightly to Harbour' }).click();
    await page.getByRole('button', { name: 'Run now' }).click();
    await page.getByText('does not let this user write there').waitFor();
    await check(page, 'feed-failing');
    await page.goto(at('overview'));
    await page.getByText('has sent nothing for').waitFor();
    await page.getByRole('link', { name: 'Its runs' }).click();
    await heading(page, 'Nightly to Harbour');
    sftp.readOnly = false;
    await page.getByRole('button', { name: 'Run again' }).first().click();
    await page.getByText('Sent', { exact: true }).waitFor();
    expect([...sftp.files.keys()].length).toBe(1);
    await close();
  });

  it('holds on a phone, in the dark', async () => {
    const { page, close } = await signedIn({ viewport: PHONE, colorScheme: 'dark' } as never);
    for (const [path, name] of [
      ['data-mgmt/outbound', 'Exports'],
      ['data-mgmt/outbound/feeds', 'Feeds of leads'],
      ['data-mgmt/outbound/feeds/new', 'New feed of leads'],
    ] as const) {
      await page.goto(at(path));
      await heading(page, name);
      await page.waitForTimeout(300);
      expect(await overflows(page)).toBe(false);
      await check(page, `phone-${name.toLowerCase().replaceAll(' ', '-')}`);
    }
    await page.goto(at('data-mgmt/outbound/feeds'));
    await page.getByRole('link', { name: 'Nightly to Harbour' }).click();
    await page.getByText('Sent', { exact: true }).waitFor();
    expect(await overflows(page)).toBe(false);
    await check(page, 'phone-feed');
    await close();
  });
});
