/** product.md, key 25: a processor is connected, reports, and its figures lead to the payments. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, DESKTOP, flaws, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { catchPrint, expectPrinted } from '#test/harness/printed.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Ann Finance' }] }],
  });
  await node.planBook.reload(world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

/** Ends with the hour at hand, so that a midnight cuts nothing off. */
const minute = (ms: number) => new Date(ms).toISOString().slice(0, 16);
const [FROM, TO] = [minute(Date.now() - 24 * 3_600_000), minute(Date.now() + 600_000)];
const LAST_DAY = `period=customRange&from=${FROM}&to=${TO}`;
const at = (route: string) => `${node.url}/#!/setup/us/payday/${route}`;

/** Of the page's file: the heads of its columns. */
async function headOfFile(page: Page): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  return (await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').split('\r\n')[0]!;
}

it('product.md, key 25: from no processor to the payments behind a figure', async () => {
  const owner = await buildUser(node.db, world.organizationId);
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: at('payment-processor-stats?period=today') });
  await page.getByText('No payment processor yet.').waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'payments-none');
  await page.getByRole('button', { name: 'Add a processor' }).click();
  await page.getByRole('heading', { level: 1, name: 'New payment processor' }).waitFor();
  await page.getByRole('button', { name: 'Add payment processor' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Cardwell');
  await page.getByRole('button', { name: 'Add payment processor' }).click();
  const href = (await page.locator('.embed-line code').first().textContent())!;
  expect(href).toContain(`${node.url}/api/v1/payments/`);
  await page.getByText('One payment, as JSON').click();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'payment-processor');
  await page.goto(at('payment-processor-stats?period=today'));
  await page.getByText('Nothing was reported yet: give “Cardwell” its address').waitFor();
  await shoot(page, 'payments-silent');

  const lead = await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${world.key}` });
  const reasons = ['Insufficient funds', 'Do not honor', 'Insufficient funds'];
  const many = Array.from({ length: 60 }, (_, n) => ({
    ...{ transactionId: `T-${1000 + n}`, amount: `${20 + (n % 7)}.5`, bin: ['457173', '50012345', '411111'][n % 3] },
    ...(n % 4 === 0 ? { result: 'declined', reason: reasons[n % 3] } : { result: 'approved' }),
    ...(n % 2 === 0 && { leadId: lead.json.leadId }),
    at: new Date(Date.now() - n * 60_000).toISOString(),
  }));
  expect((await node.post(new URL(href).pathname, { payments: many })).json.taken).toBe(60);
  await node.post(new URL(href).pathname, { transactionId: 'T-1001', result: 'chargeback', reason: 'Fraud' });
  await page.goto(at(`payment-processor-stats?${LAST_DAY}`));
  await page.reload();
  const by = (name: string) => page.getByRole('group', { name: 'By' }).getByRole('button', { name, exact: true });
  const figure = (label: string) => page.locator('.report-figures > *', { hasText: label }).first();
  await expect.poll(() => figure('Attempts').textContent(), { timeout: 10_000 }).toContain('60');
  expect(await figure('Approval rate').textContent()).toContain('75.0%');
  expect(await figure('Chargebacks').textContent()).toContain('1');
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'payments');
  await by('Decline reason').click();
  await page.getByRole('button', { name: 'Insufficient funds' }).waitFor();
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  expect((await download).suggestedFilename()).toMatch(/^payments-us-payday-/);
  await by('BIN').click();
  await page.getByRole('button', { name: '457173' }).click();
  await expect.poll(() => figure('Attempts').textContent(), { timeout: 10_000 }).toContain('20');
  expect(page.url()).toContain('bin=457173');
  await by('Publisher').click();
  await page.getByRole('link', { name: 'Payments of Publisher One' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  await page.getByRole('status').filter({ hasText: /^10$/ }).waitFor();
  await page.goto(at(`payment-processor-stats/payments?result=chargeback&${LAST_DAY}`));
  await page.getByText('2 reports').click();
  await page.getByText('Chargeback: Fraud').waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'payment-list');
  const [list] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  expect(list.suggestedFilename()).toMatch(/^payment-list-us-payday-/);
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await page.goto(at(`payment-processor-stats?${LAST_DAY}`));
  await figure('Attempts').waitFor();
  expect(await overflows(page)).toBe(false);
  expect(complaints).toEqual([]);
  await close();
}, 90_000);

it('product.md, key 25: one payment is found by its transaction or its lead in any span; the list is asked anew and kept as a view', async () => {
  const owner = await buildUser(node.db, world.organizationId);
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: at('payment-processor-stats?period=today') });
  const search = page.getByLabel('Find payments by transaction id or lead id');
  const find = async (text: string) => {
    await search.fill(text);
    await search.press('Enter');
  };
  const rows = page.getByRole('table').getByRole('row');
  await search.waitFor();
  expect(await flaws(page, 'payments-search')).toEqual([]);
  await find('T-1042');
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  await page.getByRole('cell', { name: 'T-1042' }).waitFor();
  expect(await rows.count()).toBe(2);
  await page.getByText('in any span').waitFor();
  expect(await flaws(page, 'payment-found')).toEqual([]);
  const leadId = (await node.db.selectFrom('payment').select('lead_id').where('lead_id', 'is not', null).limit(1).executeTakeFirstOrThrow())
    .lead_id!;
  await find(leadId);
  await page.getByRole('status').filter({ hasText: /^30$/ }).waitFor();
  await page.getByRole('button', { name: 'Result', exact: true }).click();
  await page.getByRole('option', { name: 'Declined' }).click();
  await page.getByRole('status').filter({ hasText: /^15$/ }).waitFor();

  // Columns are chosen, in the address and in the file.
  await page.getByRole('button', { name: 'Columns' }).click();
  const choice = page.getByRole('dialog', { name: 'Columns to show' });
  expect(await flaws(page, 'payment-list-columns')).toEqual([]);
  for (const head of ['Processor', 'Reports']) await choice.getByLabel(head, { exact: true }).uncheck();
  await page.keyboard.press('Escape');
  const heads = () => page.getByRole('columnheader').allTextContents();
  await expect.poll(heads).toEqual(['Tried', 'Transaction', 'Result', 'Amount', 'BIN', 'Lead']);
  expect(page.url()).toContain('columns=transaction');
  expect(await headOfFile(page)).toBe(
    'Tried (UTC),Transaction,Result,Amount,Refunded,Charged back,Currency,Reason,BIN,BIN move,Publisher,Buyer,Lead id',
  );

  // What was searched for is no part of a view; the columns are.
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Declined ones');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Declined ones', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Result.*Declined/ }).waitFor();
  expect(page.url()).not.toContain('q=');
  await page.getByRole('button', { name: 'Columns' }).click();
  await choice.getByLabel('BIN', { exact: true }).uncheck();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'View: Declined ones changed' }).click();
  await page.getByRole('menuitem', { name: 'Back to the view as saved' }).click();
  await expect.poll(heads).toEqual(['Tried', 'Transaction', 'Result', 'Amount', 'BIN', 'Lead']);
  await find('T-nobody');
  await page.getByText('No payment by this id within these filters.').waitFor();
  await page.setViewportSize(PHONE);
  expect(await flaws(page, 'payment-not-found')).toEqual([]);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await page.getByRole('button', { name: 'Result', exact: true }).waitFor();
  expect(page.url()).not.toMatch(/[?&](q|result)=/);
  await find('T-nobody');
  await page.getByText('No payment by this id.', { exact: true }).waitFor();

  // One that is reported meanwhile is there when the list is asked anew.
  await page.goto(at(`payment-processor-stats/payments?${LAST_DAY}`));
  await page
    .getByRole('status')
    .filter({ hasText: /^50\+$/ })
    .waitFor();
  const { id } = await node.db.selectFrom('payment_processor').select('id').where('name', '=', 'Cardwell').executeTakeFirstOrThrow();
  const { path } = (await page.evaluate(
    async (of) => (await fetch(`/api/console/payment-processors/${of}/address`, { headers: { 'x-requested-with': 'sluice' } })).json(),
    id,
  )) as { path: string };
  await node.post(path, { transactionId: 'T-meanwhile', result: 'approved', amount: '3' });
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('T-meanwhile').waitFor();
  expect(await flaws(page, 'payment-list-phone')).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
}, 90_000);

it('console §3: rows of payments stand beside what they had before, and lead to payments of none', async () => {
  const owner = await buildUser(node.db, world.organizationId);
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
  await catchPrint(page);
  await page.goto('about:blank');
  const { id } = await node.db.selectFrom('payment_processor').select('id').where('name', '=', 'Cardwell').executeTakeFirstOrThrow();
  await page.goto(at(`payment-processor-stats?by=reason&${LAST_DAY}`));
  const { path } = (await page.evaluate(
    async (of) => (await fetch(`/api/console/payment-processors/${of}/address`, { headers: { 'x-requested-with': 'sluice' } })).json(),
    id,
  )) as { path: string };
  const dayBefore = new Date(Date.now() - 30 * 3_600_000).toISOString();
  const old = ['Expired card', 'Expired card', 'Do not honor'].map((reason, n) => ({
    ...{ transactionId: `T-old-${n}`, result: 'declined', reason, at: dayBefore },
  }));
  await node.post(path, { payments: old });
  const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
  await row('Not declined').waitFor();
  expect(await row('Expired card').count()).toBe(0);
  await page.getByRole('button', { name: 'Columns' }).click();
  const choice = page.getByRole('dialog', { name: 'Columns to show' });
  await choice.waitFor();
  await shoot(page, 'payments-columns');
  for (const head of ['Attempts before', 'Attempts change', 'Declined change', 'Approval rate change'])
    await choice.getByLabel(head, { exact: true }).check();
  await page.keyboard.press('Escape');
  // What was there before alone is a row too; that less was declined is good.
  await row('Expired card').waitFor();
  const cell = (name: string, head: string) => row(name).locator(`[data-head="${head}"]`);
  expect(await cell('Expired card', 'Attempts change').textContent()).toBe('−2');
  expect(await cell('Expired card', 'Attempts change').locator('.bad').count()).toBe(1);
  expect(await cell('Expired card', 'Declined change').locator('.good').textContent()).toBe('−2');
  expect(await cell('Total', 'Attempts before').textContent()).toBe('3');
  await page.getByRole('columnheader', { name: 'Attempts change' }).getByRole('button').click();
  expect(page.url()).toContain('sort=-attemptsChange');
  await expect.poll(() => page.locator('tbody tr').last().textContent()).toContain('Expired card');
  await expect.poll(() => page.locator('[data-stale]').count()).toBe(0);
  expect(await flaws(page, 'payments-before')).toEqual([]);
  expect(await headOfFile(page)).toContain('Decline reason,Attempts,Attempts before,Attempts change,Approved,Declined,Declined change,');
  await page.setViewportSize(PHONE);
  expect(await flaws(page, 'payments-before')).toEqual([]);
  await page.getByRole('button', { name: 'Columns' }).click();
  await choice.waitFor();
  expect(await flaws(page, 'payments-columns')).toEqual([]);
  await page.keyboard.press('Escape');
  await page.setViewportSize(DESKTOP);
  await expectPrinted(page, { name: 'payments-before', filters: [`Period${FROM} – ${TO}`.replaceAll('T', ' ')], whole: '.report-table' });
  await page.emulateMedia({ media: 'screen', colorScheme: null });

  // Of none: the report is narrowed, and the payments are listed.
  await row('Not declined').getByRole('button', { name: 'Not declined' }).click();
  await page.locator('.chip', { hasText: 'Decline reasonnone' }).waitFor();
  await page.getByRole('group', { name: 'By' }).getByRole('button', { name: 'Publisher', exact: true }).click();
  await page.getByRole('link', { name: 'Payments of No lead' }).click();
  await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor();
  for (const name of ['Decline reason', 'Publisher']) await page.locator('.chip', { hasText: `${name}none` }).waitFor();
  await page.getByRole('status').filter({ hasText: /^31$/ }).waitFor();
  await page.reload();
  await page.getByRole('status').filter({ hasText: /^31$/ }).waitFor();
  expect(await flaws(page, 'payment-list-none')).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await flaws(page, 'payment-list-none')).toEqual([]);
  await page.getByRole('button', { name: 'Clear Publisher', exact: true }).click();
  await page.getByRole('status').filter({ hasText: /^46$/ }).waitFor();
  await page.goto(at(`lead-flow/inbound?publisherId=&${LAST_DAY}`));
  await page.getByRole('heading', { level: 1, name: 'Inbound' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
}, 120_000);

it('console §3: who may look and not set up sees figures, and neither an address nor a way to add one', async () => {
  const { regionId, verticalId } = world;
  const pages = [{ value: 'payment-processor-stats', pageChecked: true }];
  const permissions = [{ regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages }] }];
  const member = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
  const { page, complaints, close } = await openSignedIn(browser, node.url, member, { at: at('payment-processor-stats/processors') });
  await page.getByRole('link', { name: 'Cardwell' }).click();
  await page.getByText('No notes.').waitFor();
  expect(await page.getByText('How it reports').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Add a processor' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
}, 60_000);
