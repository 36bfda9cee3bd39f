/** console §2 lead-flow/data-request in the browser: a consumer is found, handed out and erased, and the proof is read. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inTenant } from '#server/kit/tenant.ts';
import { insertSample } from '#server/lab/lab.sql.ts';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let leadId: string;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, {
    name: 'Kept Leads',
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Harbour Credit', name: 'Harbour $20' }] }],
  });
  await node.planBook.reload(world.organizationId);
  for (const income of ['3100', '3200'])
    leadId = (
      await node.post(
        '/api/v1/leads',
        { ...LEAD, email: 'gone.soon@example.com', monthly_income: income },
        { authorization: `Bearer ${world.key}` },
      )
    ).json.leadId;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

it('console §2: found by any spelling, handed out as a file, erased after a word is typed, and proven', async () => {
  const owner = await buildUser(node.db, world.organizationId);
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
    at: `${node.url}/#!/setup/us/payday/lead-flow/data-request`,
  });
  const tab = page.getByRole('navigation', { name: 'Reports' }).getByRole('link', { name: 'Data request' });
  expect(await tab.getAttribute('aria-current')).toBe('page');
  const search = page.getByLabel('A whole e-mail address');
  await search.fill('GONE.soon@example.com');
  await search.press('Enter');
  await page.getByText('2 leads').waitFor();
  expect(page.url()).not.toContain('gone');
  await page
    .getByRole('row', { name: /Harbour Credit, Harbour \$20 at a post/ })
    .first()
    .getByText('First name, Email, Phone')
    .waitFor();
  expect(await page.getByText('gone.soon').count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'data-request');
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.getByRole('button', { name: 'Hand out' }).click();
  await page.getByLabel('Why').fill('Request 12');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Hand out the file' }).click();
  expect((await saved).suggestedFilename()).toMatch(/^data-request-\d\d[A-Z][a-z]{2}\d{4}\.json$/);
  const file = JSON.parse(readFileSync((await (await saved).path())!, 'utf8')) as { leads: { fields: { email: string } }[] };
  expect(file.leads.map((one) => one.fields.email)).toEqual(['gone.soon@example.com', 'gone.soon@example.com']);

  await page.getByRole('button', { name: 'Hand out' }).click();
  await page.getByLabel('Format').selectOption('csv');
  await page.getByLabel('Why').fill('Request 12');
  const asked = page.waitForRequest((request) => request.url().endsWith('/download-file/data-request'));
  const savedCsv = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Hand out the file' }).click();
  expect(new URLSearchParams((await asked).postData()!).get('isDownloadCSV')).toBe('true');
  expect((await savedCsv).suggestedFilename()).toMatch(/^data-request-\d\d[A-Z][a-z]{2}\d{4}\.csv$/);
  expect(readFileSync((await (await savedCsv).path())!, 'utf8')).toContain('gone.soon@example.com');

  await page.getByRole('button', { name: 'Erase' }).click();
  await page.getByLabel('Why').fill('Request 12');
  const go = page.getByRole('dialog').getByRole('button', { name: 'Erase the person' });
  await page.getByLabel('Type ERASE to go on').fill('erase');
  expect(await go.isDisabled()).toBe(true);
  await page.getByLabel('Type ERASE to go on').fill('ERASE');
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'data-request-erase');
  await go.click();
  await page.getByRole('heading', { level: 1, name: 'Erasure of one person' }).waitFor();
  await page.getByText('Done. The proof stands in the change log.').waitFor();
  await shoot(page, 'data-request-job');
  // What was erased, when and by whom, on one upright sheet.
  await page.evaluate(() => {
    window.print = () => document.body.setAttribute('data-printed', 'yes');
  });
  await page.getByRole('button', { name: 'Print' }).click();
  expect(await page.locator('body').getAttribute('data-printed')).toBe('yes');
  await page.emulateMedia({ media: 'print' });
  expect(await page.locator('header.header').isVisible()).toBe(false);
  expect(await page.locator('.page :is(button, a):visible').allTextContents()).toEqual([]);
  const paper = (await page.locator('.page').textContent())!;
  expect(paper).toMatch(/Erasure of one person.*Done\. The proof stands in the change log\..*Looked at.*Started by .*, /);
  await page.emulateMedia({ media: null });

  await page.goto(`${node.url}/#!/setup/us/payday/leads/${leadId}`);
  await page.getByRole('heading', { name: 'The person was erased' }).waitFor();
  await page.goto(`${node.url}/#!/change-logs-mgmt`);
  await page.getByRole('button', { name: 'one person, done' }).waitFor();
  await page.goto(`${node.url}/#!/setup/us/payday/lead-flow/data-request`);
  await search.fill('gone.soon@example.com');
  await search.press('Enter');
  await page.getByRole('heading', { name: 'This person is not taken again' }).waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'data-request-refused');
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });

  const again = (income: string) =>
    node.post(
      '/api/v1/leads',
      { ...LEAD, email: 'gone.soon@example.com', monthly_income: income },
      { authorization: `Bearer ${world.key}` },
    );
  const refused = (await again('3300')).json;
  expect(refused.code).toBe('lead_person_erased');
  await page.goto(`${node.url}/#!/setup/us/payday/leads/${refused.leadId}`);
  await page.getByRole('heading', { name: 'Nothing of the person was kept' }).waitFor();
  await shoot(page, 'lead-refused');

  await page.goto(`${node.url}/#!/setup/us/payday/lead-flow/data-request`);
  await search.fill('gone.soon@example.com');
  await search.press('Enter');
  await page.getByRole('button', { name: 'Take them again' }).click();
  await page.getByRole('dialog').getByLabel('Why').fill('Request 13');
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'data-request-again');
  await page.getByRole('dialog').getByRole('button', { name: 'Take them again' }).click();
  await page.getByText('Their leads are taken again from now on.').waitFor();
  await page.getByText('Nothing is held under this value.').waitFor();
  expect((await again('3400')).json.status).toBe('accepted');
  expect(complaints).toEqual([]);
  await close();
}, 90_000);

it('console §2: a lead that was damaged is listed and erased, and the job says what nobody could search', async () => {
  const key = { authorization: `Bearer ${world.key}` };
  const person = { ...LEAD, email: 'torn.soon@example.com' };
  const torn = (await node.post('/api/v1/leads', person, key)).json.leadId;
  await node.post('/api/v1/leads/post', person, key);
  const calls = () => node.pool.query('select id from api_call where organization_id = $1 and lead_id is null', [world.organizationId]);
  await expect.poll(async () => (await calls()).rowCount).toBe(1);
  await node.pool.query(`update lead_result set explained = 'torn' where lead_id = $1`, [torn]);
  await node.pool.query(`update api_call set wire = 'torn' where id = $1`, [(await calls()).rows[0].id]);
  const owner = await buildUser(node.db, world.organizationId);
  const { page, close } = await openSignedIn(browser, node.url, owner, { at: `${node.url}/#!/setup/us/payday/lead-flow/data-request` });
  const search = page.getByLabel('A whole e-mail address');
  await search.fill('torn.soon@example.com');
  await search.press('Enter');
  await page.getByText('What is kept of this lead was damaged and cannot be opened').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByRole('button', { name: 'Erase' }).click();
  await page.getByLabel('Why').fill('Request 14');
  await page.getByLabel('Type ERASE to go on').fill('ERASE');
  await page.getByRole('dialog').getByRole('button', { name: 'Erase the person' }).click();
  await page.getByText('One refused call or sample lead was damaged and could not be searched').waitFor();
  await page.getByText('Damaged, erased unread').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await close();
}, 90_000);

it('console §2: a person who stands in no lead is found beside them, and the reason is warned of where it is typed', async () => {
  const owner = await buildUser(node.db, world.organizationId);
  const person = { first_name: 'Mildred', email: 'beside.only@example.com', phone: '2125550142', state: 'NY' };
  const { keys } = node.planBook.find(world.organizationId)!;
  await inTenant(node.db, world.organizationId, (tx) =>
    insertSample(tx, keys, { verticalId: world.verticalId, name: 'From life', fields: person }),
  );
  await node.post('/api/v1/leads/post', { ...LEAD, ...person }, { authorization: `Bearer ${world.key}` });
  await expect
    .poll(async () => (await node.db.selectFrom('api_call').select('id').where('lead_id', 'is', null).execute()).length)
    .toBeGreaterThan(0);
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
    at: `${node.url}/#!/setup/us/payday/lead-flow/data-request`,
  });
  const search = page.getByLabel('A whole e-mail address');
  await search.fill('beside.only@example.com');
  await search.press('Enter');
  await page.getByText('1 sample lead and 1 refused call').waitFor();
  await page.getByRole('region', { name: 'Sample leads' }).getByText('From life').waitFor();
  await page.getByRole('region', { name: 'Refused calls' }).getByText('M•••').waitFor();
  expect(await page.getByText('Mildred').count()).toBe(0);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'data-request-beside');
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 1440, height: 900 });

  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Erase' }).press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Do not name the person here: this is kept.').waitFor();
  await dialog.getByText('1 sample lead and 1 refused call').waitFor();
  await dialog.getByLabel('Why').fill('Request 14');
  await dialog.getByLabel('Type ERASE to go on').fill('ERASE');
  expect(await axe(page)).toEqual([]);
  await dialog.getByRole('button', { name: 'Erase the person' }).press('Enter');
  await page.getByText('Done. The proof stands in the change log.').waitFor();
  expect(complaints).toEqual([]);
  await close();
}, 90_000);
