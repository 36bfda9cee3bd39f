/** Page keys 14, 20, 21, 22, 23 and `{id}/trackProcess` (console §2): a list is made, filled, named by a tier, and refuses a lead; BINs get moves and are looked up. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot, standing } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    fields: [{ field_name: 'card', field_human_name: 'Card', type: 'bin', privacy_class: 'P2' }],
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker', name: 'Standard' }] }],
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

const at = (page: string) => `${node.url}/#!/setup/us/payday/${page}`;
const signedIn = (options: Parameters<typeof openPage>[1] = {}) => openSignedIn(browser, node.url, owner, options);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const post = (more: Record<string, unknown>) => node.post('/api/v1/leads', { ...LEAD, ...more }, { authorization: `Bearer ${world.key}` });

async function check(page: Page, name: string): Promise<void> {
  expect(await axe(page)).toEqual([]);
  await shoot(page, name);
}

describe('list management', () => {
  it('console §6: the menu leads to it; a list is made, filled by a paste, named by a buyer tier, and leaves that tier out', async () => {
    const { page, complaints, close } = await signedIn();
    await page.getByRole('link', { name: 'List management' }).click();
    await heading(page, 'Imports');
    await page.getByRole('link', { name: 'Suppression lists' }).click();
    await page.getByText('No suppression lists yet.').waitFor();
    await check(page, 'lists-empty');
    await page.getByRole('button', { name: 'Add a suppression list' }).last().click();
    await heading(page, 'New suppression list');
    await page.getByLabel('Name').fill('Customers of Taker');
    await check(page, 'list-form');
    await page.getByRole('button', { name: 'Add suppression list' }).click();
    await page.getByRole('heading', { name: 'No entries yet' }).waitFor();
    await page.getByRole('link', { name: 'Import', exact: true }).click();
    await heading(page, 'Imports');
    await page.getByText('Paste', { exact: true }).click();
    await page.getByLabel('Lines').fill('id;e-mail\n1;Ada@Example.com\n2;nobody\n');
    // The columns are guessed, and shown.
    expect(await page.getByLabel('Column 2').inputValue()).toBe('value');
    expect(await page.getByLabel('The first line').inputValue()).toBe('header');
    await check(page, 'import-form');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await heading(page, 'Import of a suppression list');
    await page.getByText('Done. Some lines could not be used.').waitFor();
    await page.getByText('It is no e-mail address.').waitFor();
    expect(page.url()).toContain('/trackProcess');
    await check(page, 'import-done');
    await page.getByRole('link', { name: 'All imports' }).click();
    await page.getByRole('link', { name: 'Pasted' }).waitFor();
    await check(page, 'imports');

    await page.goto(at(`tier/edit/${world.tiers[0]!.buyerTierId}?of=buyer`));
    await page.getByRole('combobox', { name: 'Suppression lists' }).click();
    await page.getByRole('option', { name: 'Customers of Taker (1)' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/buyers\//);
    expect((await post({ email: 'ada@example.com' })).json.status).toBe('rejected');
    expect((await post({ email: 'bob@example.com' })).json.status).toBe('accepted');
    await page.goto(at('data-mgmt/configuration'));
    // How long people are kept: what cannot be taken back is told and ticked.
    await page.getByRole('link', { name: 'Retention' }).click();
    await page.getByRole('button', { name: 'Take the usual' }).click();
    await page.getByText('Nothing is older than that today.').waitFor();
    await page.getByRole('button', { name: 'Add rules' }).click();
    await page.getByText('Tick this, or keep more.').waitFor();
    await check(page, 'retention');
    await page.getByLabel('It cannot be taken back, and I want it').check();
    await page.getByRole('button', { name: 'Add rules' }).click();
    await page.getByText('The rules have not been applied yet', { exact: false }).waitFor();
    expect(await page.getByLabel('People in unsold leads').inputValue()).toBe('90');
    await check(page, 'retention-saved');
    await page.getByRole('link', { name: 'Suppression lists' }).click();
    await page.getByRole('link', { name: 'Customers of Taker' }).click();
    await page.getByText('Buyer tier Standard of Taker').waitFor();
    await check(page, 'list');
    expect(complaints).toEqual([]);
    await close();
  });

  it('a file is imported as BINs, a range gets a move, a filter offers moves by their labels, and the look-up says what decided', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at('bin-mgmt/import'));
    const csv = 'bin,brand,type,bank_name,alpha_2\n457173,VISA,DEBIT,Example Bank,DK\n510510,MASTERCARD,CREDIT,Other Bank,US\n';
    await page.getByLabel('File to import').setInputFiles({ name: 'bins.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) });
    await page.getByText('bins.csv').waitFor();
    expect(await page.getByLabel('Column 4').inputValue()).toBe('issuer');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('link', { name: 'To the list' }).click();
    await heading(page, 'BIN ranges');
    await page.getByRole('link', { name: '457173' }).waitFor();
    await check(page, 'bins');
    await page.getByRole('button', { name: 'Set moves' }).click();
    await page.getByText('All ranges: 2.').waitFor();
    await page.getByLabel('Move', { exact: true }).selectOption('3');
    await check(page, 'bulk-move');
    await page.getByRole('button', { name: 'Set for 2 ranges' }).click();
    await page.getByText('2 moves changed.').waitFor();
    await page.getByRole('link', { name: '457173' }).click();
    await page.getByRole('combobox', { name: 'Campaign', exact: true }).click();
    await page.getByRole('option', { name: 'Main campaign' }).click();
    await page.getByRole('button', { name: 'Add the move' }).click();
    await page.getByRole('cell', { name: 'Main campaign', exact: true }).waitFor();
    await check(page, 'bin-range');
    const { json } = await post({ email: 'c@example.com', card: '4571731234567890' });
    expect(json).toMatchObject({ status: 'rejected', reason: 'publisher-tier-filter-failed' });

    await page.getByRole('link', { name: 'BIN look-up' }).click();
    await page.getByRole('textbox', { name: 'BINs' }).fill('457173\n510510, 999999');
    await page.getByRole('combobox', { name: 'Campaign', exact: true }).click();
    await page.getByRole('option', { name: 'Main campaign' }).click();
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('cell', { name: '1 BLOCK (Blocked)' }).waitFor();
    await page.getByRole('cell', { name: '457173: specific campaign and all affiliates' }).waitFor();
    await page.getByRole('cell', { name: '4 UNSORTED' }).waitFor();
    await check(page, 'bin-lookup');

    await page.goto(at(`tier/edit/${world.tiers[0]!.buyerTierId}?of=buyer`));
    await page.getByRole('switch', { name: 'Only certain leads' }).click({ force: true });
    await page.getByRole('combobox', { name: 'Field', exact: true }).click();
    await page.getByRole('option', { name: 'BIN move' }).click();
    await page.getByLabel('Comparison', { exact: true }).selectOption('in');
    await page.getByRole('combobox', { name: 'Values' }).click();
    await page.getByRole('option', { name: '2 USE 3D SECURE (Low)' }).click();
    await page.keyboard.press('Escape');
    await check(page, 'move-filter');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.waitForURL(/buyers\//);
    const tier = await node.db.selectFrom('buyer_tier').select('filter').executeTakeFirstOrThrow();
    expect(tier.filter).toEqual({ all: [{ field: 'bin_move', is: 'in', value: ['Low'] }] });
    expect(complaints).toEqual([]);
    await close();
  });

  it('account §6: everybody who is signed in may look a BIN up; a bank is added and deleted; all of it on a phone', async () => {
    const { page, complaints, close } = await signedIn({ viewport: PHONE });
    await page.goto(at('bank-mgmt/new'));
    await heading(page, 'New bank');
    await page.getByLabel('Name').fill('First Example');
    await page.getByLabel('Routing number').fill('021000022');
    await page.getByRole('button', { name: 'Add bank' }).click();
    await page
      .getByRole('alert')
      .getByText(/nine digits/)
      .waitFor();
    await page.getByLabel('Routing number').fill('021000021');
    await page.getByRole('button', { name: 'Add bank' }).click();
    await heading(page, 'Banks');
    await page.getByRole('link', { name: 'First Example' }).waitFor();
    await check(page, 'banks');
    await page.getByRole('button', { name: 'Actions for First Example' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByText('No banks yet.').waitFor();
    await page.goto(`${node.url}/#!/bins-lookup`);
    await page.getByRole('textbox', { name: 'BINs' }).fill('457173');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('cell', { name: '3 ACCEPT (Medium)' }).waitFor();
    await check(page, 'bins-lookup');
    for (const one of [
      'data-mgmt/configuration',
      'data-mgmt/configuration/retention',
      'data-mgmt/inbound',
      'bank-mgmt',
      'bin-mgmt',
      'bin-mgmt/bin-lookup',
      'bin-mgmt/new',
    ]) {
      await page.goto(at(one));
      await standing(page);
      expect([one, await overflows(page)]).toEqual([one, false]);
    }
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
    await close();
  });

  it('an upload that was interrupted goes on: by its form, and by the same file after the tab was closed', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => `${String(600_000 + at)},VISA,DEBIT,Bank of line ${at},US`);
    const file = (name: string, first = 'bin,brand,type,bank_name,alpha_2') => ({
      ...{ name, mimeType: 'text/csv' },
      buffer: Buffer.from([first, ...rows].join('\n')),
    });
    const sent: string[] = [];
    const { page, close } = await signedIn();
    page.on('request', (request) => {
      if (request.method() === 'POST' && /\/parts\/\d+$/.test(request.url())) sent.push(request.url().split('/').at(-1)!);
    });
    const breakOff = () => page.route('**/parts/2', (route) => route.abort());
    const choose = async (name: string) => {
      await page.goto(at('bin-mgmt/import'));
      await page.getByLabel('File to import').setInputFiles(file(name));
      await page.getByRole('button', { name: 'Import', exact: true }).click();
    };
    // The line breaks, and is there again.
    await breakOff();
    await choose('long.csv');
    await page.getByRole('alert').filter({ hasText: 'offline' }).waitFor();
    await page.unroute('**/parts/2');
    sent.length = 0;
    await page.getByRole('button', { name: 'Go on', exact: true }).click();
    await page.getByText('Done.').waitFor();
    expect(sent[0]).toBe('2');

    // The tab is closed; somebody comes back to the job.
    await breakOff();
    await choose('longer.csv');
    await page.getByRole('alert').filter({ hasText: 'offline' }).waitFor();
    await page.unroute('**/parts/2');
    await page.goto(at('bin-mgmt/import'));
    await page.reload();
    await page.getByRole('link', { name: 'longer.csv' }).click();
    await page.getByText('1,024 KiB are here.').waitFor();
    await check(page, 'import-go-on');
    const again = page.getByLabel('The same file again');
    for (const other of [file('other.csv'), file('longer.csv', 'bin,brand,type,bank,country')]) {
      sent.length = 0;
      await again.setInputFiles(other);
      await page.getByRole('alert').filter({ hasText: 'not the file that was being sent' }).waitFor();
      expect(sent).toEqual([]);
    }
    await again.setInputFiles(file('longer.csv'));
    await page.getByText('Done.').waitFor({ timeout: 30_000 });
    expect(sent[0]).toBe('2');
    await page.getByText('60,000').first().waitFor();
    // What was broken off is no complaint.
    await close();
  });
});
