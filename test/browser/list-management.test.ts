/** Page keys 14, 20, 21, 22, 23 and `{id}/trackProcess` (console §2): a list is made, filled, named by a tier, and refuses a lead; BINs get moves and are looked up. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot, standing } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };
const scratch = mkdtempSync(join(tmpdir(), 'sluice-files-'));

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
  rmSync(scratch, { recursive: true, force: true });
});

const at = (page: string) => `${node.url}/#!/setup/us/payday/${page}`;
const signedIn = (options: Parameters<typeof openPage>[1] = {}) => openSignedIn(browser, node.url, owner, options);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const post = (more: Record<string, unknown>) => node.post('/api/v1/leads', { ...LEAD, ...more }, { authorization: `Bearer ${world.key}` });

async function check(page: Page, name: string): Promise<void> {
  expect(await axe(page)).toEqual([]);
  await shoot(page, name);
}

/** As a person drags them out of a folder of the machine: the browser makes the DataTransfer itself. */
async function drag(page: Page, files: string[], over: Locator) {
  const box = (await over.boundingBox())!;
  const session = await page.context().newCDPSession(page);
  const at = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const dispatch = (type: 'dragEnter' | 'dragOver' | 'drop', { x, y } = at) =>
    session.send('Input.dispatchDragEvent', { type, x, y, data: { items: [], files, dragOperationsMask: 1 } });
  await dispatch('dragEnter');
  await dispatch('dragOver');
  return { drop: () => dispatch('drop'), leave: () => dispatch('dragOver', { x: 5, y: 5 }) };
}
const drop = async (page: Page, files: string[], onto: Locator) => (await drag(page, files, onto)).drop();

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
    await page.getByRole('dialog').getByLabel('Move', { exact: true }).selectOption('3');
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
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^bin-look-up-\d\d\w{3}\d{4}\.csv$/);

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

  it('console §2: a file is dragged into an import; several, or a folder, are told that one file is taken; what misses opens nothing', async () => {
    const folder = mkdtempSync(join(scratch, 'drop-'));
    const [first, second] = ['dropped.csv', 'other.csv'].map((name) => join(folder, name)) as [string, string];
    writeFileSync(first, 'bin,brand,type,bank_name,alpha_2\n411111,VISA,CREDIT,Dropped Bank,US\n');
    writeFileSync(second, '1\n');
    const { page, complaints, close } = await signedIn();
    await page.goto(at('bin-mgmt/import'));
    const zone = page.getByRole('group', { name: 'Choose or drop a file' });
    const hovering = await drag(page, [first], zone);
    await zone.getByText('Let go to take it.').waitFor();
    await check(page, 'import-drop');
    await hovering.leave();
    await zone.getByText('or drop it here').waitFor();
    await drop(page, [first, second], zone);
    await zone.getByRole('alert').filter({ hasText: 'One file is taken at a time, and these were 2.' }).waitFor();
    await drop(page, [folder], zone);
    await zone.getByRole('alert').filter({ hasText: 'this is a folder' }).waitFor();
    expect(await page.getByRole('button', { name: 'Import', exact: true }).isEnabled()).toBe(false);
    await check(page, 'import-drop-refused');
    await drop(page, [first], page.getByRole('heading', { level: 1 }));
    await heading(page, 'Import BIN ranges');
    expect(await page.getByText('dropped.csv').count()).toBe(0);
    await drop(page, [first], zone);
    await zone.getByText('dropped.csv').waitFor();
    expect(await zone.getByRole('alert').count()).toBe(0);
    expect(await page.getByLabel('Column 4').inputValue()).toBe('issuer');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Done.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §3: a look-up keeps whom it is for in its address, and no BIN; ranges are narrowed to a move, and set within that', async () => {
    const own = { organization_id: world.organizationId };
    const range = (first: number) => ({ ...own, id: newId(), first_bin: first, last_bin: first + 99, digits: 6, issuer: 'Own Bank' });
    const ranges = [range(49990000), range(49990100), range(49990200)];
    await node.db.insertInto('bin_range').values(ranges).execute();
    await node.db
      .insertInto('bin_move')
      .values(ranges.slice(0, 2).map(({ id }) => ({ ...own, id: newId(), bin_range_id: id, move: 2 })))
      .execute();
    const { page, complaints, close } = await signedIn();
    await page.goto(at('bin-mgmt/bin-lookup'));
    await page.getByRole('textbox', { name: 'BINs' }).fill('499900');
    await page.getByRole('combobox', { name: 'Campaign', exact: true }).click();
    await page.getByRole('option', { name: 'Main campaign' }).click();
    await page.waitForURL(/campaignId=/);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByRole('cell', { name: '2 USE 3D SECURE (Low)' }).waitFor();
    expect(page.url()).not.toContain('499900');
    await page.reload();
    const chosen = page.getByRole('combobox', { name: 'Campaign', exact: true });
    await chosen.waitFor();
    await expect.poll(() => chosen.inputValue(), { timeout: 10_000 }).toBe('Main campaign');

    await page.goto(at('bin-mgmt?q=Own%20Bank'));
    await page.getByText('3 BIN ranges').waitFor();
    await page.locator('.chip-body').filter({ hasText: 'Move' }).click();
    await page.getByRole('option', { name: '2 USE 3D SECURE (Low)' }).click();
    await page.getByText('2 BIN ranges').waitFor();
    expect(page.url()).toMatch(/move=/);
    await page.getByRole('button', { name: 'Set moves' }).click();
    await page.getByText('The ranges that the list finds by Own Bank that are USE 3D SECURE (Low) for all: 2.').waitFor();
    await check(page, 'bulk-move-narrowed');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear Move' }).click();
    await page.getByText('3 BIN ranges').waitFor();
    await page.locator('.chip-body').filter({ hasText: 'Move' }).click();
    await page.getByRole('option', { name: 'No move for all' }).click();
    await page.getByText('1 BIN range', { exact: true }).waitFor();
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

  it('console §2 bank-mgmt: a directory without separators is known by its lines, shown in its columns, and read so', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at('bank-mgmt/import'));
    const line = (code: string, name: string) =>
      `${code}O0210000180040419000000000${name.padEnd(36)}${'1 PIER STREET'.padEnd(36)}${'NEW YORK'.padEnd(20)}NY1028600002125550100${'11     '}\r\n`;
    const buffer = Buffer.from(line('322271627', 'HARBOUR SAVINGS BANK') + line('124003116', 'PIER BANK, N.A.'));
    await page.getByLabel('File to import').setInputFiles({ name: 'FedACHdir.txt', mimeType: 'text/plain', buffer });
    await page.getByRole('cell', { name: 'PIER BANK, N.A.' }).waitFor();
    const separator = page.getByLabel('Columns are separated by');
    expect([await separator.inputValue(), await page.getByLabel('The first line').inputValue()]).toEqual(['fedach', 'row']);
    expect([await page.getByLabel('Column 1', { exact: true }).inputValue(), await page.getByLabel('Column 7').inputValue()]).toEqual([
      'code',
      'name',
    ]);
    await check(page, 'import-fixed-width');
    // Another choice shows what it would come to, and the way back is the same choice.
    await separator.selectOption(',');
    await page.getByRole('cell', { name: 'PIER BANK, N.A.', exact: true }).waitFor({ state: 'detached' });
    await separator.selectOption('fedach');
    await page.getByRole('cell', { name: 'PIER BANK, N.A.', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Done.').waitFor();
    await page.getByRole('link', { name: 'To the list' }).click();
    await page.getByRole('link', { name: 'HARBOUR SAVINGS BANK' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §6: an import waits for one that was begun before it, and leads there; one that replaces by a file of mostly wrong rows fails, unless that is ticked', async () => {
    const { page, complaints, close } = await signedIn({ viewport: PHONE });
    const before = newId();
    await node.pool.query(
      `insert into job (organization_id, id, kind, status, name, settings, person_id, started_at, lease_until)
        values ($1, $2, 'bankImport', 'running', 'before.csv', '{"mode":"add"}', (select user_id from team_member where organization_id = $1 limit 1), now(), now() + interval '1 hour')`,
      [world.organizationId, before],
    );
    const begin = async () => {
      await page.goto(at('bank-mgmt/import'));
      const rows = ['Routing Number', 'nobody', 'nothing', '021000021'].map((row) => `${row}\r`).join('');
      await page.getByLabel('File to import').setInputFiles({ name: 'banks.csv', mimeType: 'text/csv', buffer: Buffer.from(rows) });
      // Its lines are those of an old Mac.
      expect(await page.getByLabel('The first line').inputValue()).toBe('header');
      await page.getByLabel('Mode').selectOption('replace');
    };
    const doesAnyway = page.getByLabel('Replace although most rows are wrong');
    await begin();
    await doesAnyway.waitFor();
    await check(page, 'import-replaces');
    expect(await overflows(page)).toBe(false);
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('It waits its turn', { exact: false }).waitFor();
    await check(page, 'import-waits');
    expect(await overflows(page)).toBe(false);
    await page.getByRole('link', { name: 'before.csv' }).click();
    await page.waitForURL(new RegExp(before));
    await page.getByRole('button', { name: 'Cancel the import' }).click();
    await page.getByText('Cancelled. What was done before stands.').waitFor();
    await page.goBack();
    await page.getByText('2 of 3 rows could not be read, so nothing was taken out', { exact: false }).waitFor();
    await page.getByRole('heading', { name: 'Lines that could not be used' }).waitFor();
    await begin();
    await doesAnyway.focus();
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('Done. Some lines could not be used.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §2: what is no CSV is refused before anything is sent; the lines that could not be used are saved as a file', async () => {
    const { page, complaints, close } = await signedIn();
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/v1/imports')) sent.push(request.url());
    });
    await page.goto(at('bank-mgmt/import'));
    const choose = (name: string, buffer: Buffer) =>
      page.getByLabel('File to import').setInputFiles({ name, mimeType: 'application/octet-stream', buffer });
    const begin = page.getByRole('button', { name: 'Import', exact: true });
    await choose('banks.csv.gz', gzipSync('Routing Number\n021000021\n'));
    await page.getByText('The file is packed with gzip. Unpack it', { exact: false }).waitFor();
    expect(await begin.isDisabled()).toBe(true);
    await choose('banks.xlsx', Buffer.from('PK\x03\x04\x14\x00'));
    await page.getByText('The file is a ZIP archive, or a spreadsheet', { exact: false }).waitFor();
    await choose('wide.csv', Buffer.from(`${Array.from({ length: 1_000_000 }, (_, nth) => `c${nth}`).join(',')}\n021000021\n`));
    await page.getByText(/^The first lines have [\d,]+ columns or more; 200 are the most\./).waitFor();
    expect(await begin.isDisabled()).toBe(true);
    expect(await page.getByLabel('Column 1', { exact: true }).count()).toBe(0);
    await check(page, 'import-too-wide');
    expect(sent).toEqual([]);

    await choose('banks.csv', Buffer.from('Routing Number\nnobody\n021000021\nnothing\n'));
    await begin.click();
    await page.getByText('Done. Some lines could not be used.').waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('region', { name: 'Lines that could not be used' }).getByRole('button', { name: 'CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^wrong-lines-banks\.csv-/);
    const lines = (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').trim().split('\r\n');
    expect([lines[0], ...lines.slice(1).map((line) => line.split(',')[0])]).toEqual(['Line,What is wrong', '2', '4']);
    await check(page, 'import-wrong-lines');
    expect(await overflows(page)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

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
    await page.getByText('Done.').waitFor({ timeout: 30_000 });
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
    // It may be dragged there as well.
    const dragged = join(scratch, 'longer.csv');
    writeFileSync(dragged, file('longer.csv').buffer);
    await drop(page, [dragged], page.getByRole('group', { name: 'Choose or drop a file' }));
    await page.getByText('Done.').waitFor({ timeout: 30_000 });
    expect(sent[0]).toBe('2');
    await page.getByText('60,000').first().waitFor();
    // What was broken off is no complaint.
    await close();
  });
});
