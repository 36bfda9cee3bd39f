/** console §2 server-logs in the browser: from the menu to what went over the wire, on a desk and on a phone. */
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, DESKTOP, flaws, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { catchPrint, expectPrinted } from '#test/harness/printed.ts';
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
  // The button has the focus still, and the address the line.
  expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-expanded'))).toBe('true');
  await page.waitForURL(/open=[0-9a-f-]{38}/);

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

it('console §2: opened lines stand in the address: they outlive a reload, and a colleague sees them past the filters; one that is gone is told', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
    at: `${node.url}/#!/setup/us/payday/server-logs/buyer-tier-logs?outcome=rejected`,
  });
  const open = page.getByRole('list').getByRole('button', { expanded: true });
  const closed = page.getByRole('list').getByRole('button', { expanded: false });
  await closed.first().click();
  await closed.first().click();
  await expect.poll(() => open.count()).toBe(2);
  await page.reload();
  await open.nth(1).waitFor();
  expect(await open.count()).toBe(2);
  await page.getByRole('region', { name: 'Request', exact: true }).first().waitFor();
  const ids = new URLSearchParams(page.url().split('?')[1]).get('open')!;

  // Under another filter the list has none of them.
  const gone = `${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}-0`;
  await page.goto(`${node.url}/#!/setup/us/payday/server-logs/buyer-tier-logs?outcome=sold&open=${ids},${gone}`);
  const elsewhere = page.getByRole('list', { name: 'Opened by the address' });
  await elsewhere.getByRole('button', { expanded: true }).nth(1).waitFor();
  await page.getByRole('status').filter({ hasText: 'A call that the address opens is not here any more' }).waitFor();
  await shoot(page, 'log-opened');
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await elsewhere.getByRole('button', { expanded: true }).first().click();
  await expect.poll(() => elsewhere.getByRole('button', { expanded: true }).count()).toBe(1);
  expect(await axe(page)).toEqual([]);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await elsewhere.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
  await close();
}, 90_000);

it('console §2, §4: calls are found by the reason of their lead; what was filtered is found as leads, from the log of buyer tiers', async () => {
  await node.post('/api/v1/leads', { ...LEAD, email: 'no address', phone: '2125550391' }, { authorization: `Bearer ${world.key}` });
  await node.pool.query(
    `update lead_result set verdicts = jsonb_build_array(jsonb_build_object('t', $2::text, 'g', gen_random_uuid(), 'o', 'filtered', 'k', 7, 'c', 'x'))
      where organization_id = $1 and reason = 'publisher-validation-failed'`,
    [world.organizationId, world.tiers[0]!.buyerTierId],
  );
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
    at: `${node.url}/#!/setup/us/payday/server-logs/api-process-logs`,
  });
  await page.getByRole('button', { name: 'Reason', exact: true }).click();
  await page.getByRole('option', { name: /^Invalid Data/ }).click();
  await page.getByText('1 found').waitFor();
  await page.getByRole('list').getByText('Invalid Data').waitFor();
  expect(page.url()).toContain('reason=publisher-validation-failed');
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'call-log-reason');

  await page.goto(`${node.url}/#!/setup/us/payday/server-logs/buyer-tier-logs?buyerTierId=${world.tiers[0]!.buyerTierId}`);
  await page.getByRole('button', { name: 'Leads by filter reason' }).click();
  await page.getByRole('option', { name: 'Filter skipped' }).click();
  await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
  await page.getByRole('button', { name: /^Filter reason.*Filter skipped/ }).waitFor();
  await page.getByRole('button', { name: /^Tried buyer tier.*Northgate/ }).waitFor();
  await page.getByRole('status').filter({ hasText: /^1$/ }).waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'leads-filter-reason');
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  expect(complaints).toEqual([]);
  await close();
}, 90_000);

it('console §2: calls of publishers are kept as a view without what was searched for, and opened by its name', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
    at: `${node.url}/#!/setup/us/payday/server-logs/api-process-logs?end=refused&text=revoked`,
  });
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Refused calls');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Refused calls', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Ended as.*Refused/ }).waitFor();
  expect(page.url()).not.toContain('text=');
  await page.reload();
  await page.getByRole('button', { name: 'View: Refused calls', exact: true }).waitFor();
  await page.getByText('1 found').waitFor();
  expect(await axe(page)).toEqual([]);
  expect(complaints).toEqual([]);
  await close();
}, 90_000);

it.each([
  [
    'buyer-tier-logs',
    ['HTTP', 'What the buyer said'],
    'Connect, wait, read',
    /^Began \(UTC\),Buyer,Buyer tier,Leg,Outcome,Bid,Price,Took ms,Connect ms,Wait ms,Read ms,Test,Lead id$/,
  ],
  [
    'api-process-logs',
    ['Key', 'Why'],
    'Address',
    /^Came \(UTC\),Publisher,Publisher tier,Call,Method,Path,Ended as,HTTP status,Took ms,Test,Lead id$/,
  ],
] as const)(
  'console §2: the columns of %s are chosen, stay in the address and in a view, and are those of its file',
  async (route, away, more, head) => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
      at: `${node.url}/#!/setup/us/payday/server-logs/${route}`,
    });
    const heads = page.locator('.log-columns span');
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    const choice = page.getByRole('dialog', { name: 'Columns to show' });
    for (const one of away) await choice.getByLabel(one, { exact: true }).uncheck();
    await choice.getByLabel(more, { exact: true }).check();
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    expect(page.url()).toContain('columns=');
    await page.getByRole('button', { name: 'Views', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Save as a new view…' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Few of them');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'View: Few of them', exact: true }).waitFor();
    await page.getByRole('button', { name: 'Columns', exact: true }).click();
    await choice.getByRole('button', { name: 'As at the start' }).click();
    await page.keyboard.press('Escape');
    await heads.getByText(away[0], { exact: true }).waitFor();
    await page.getByRole('button', { name: 'View: Few of them' }).click();
    await page.getByRole('menuitem', { name: 'Few of them', exact: true }).click();
    await heads.getByText(more, { exact: true }).waitFor();
    for (const one of away) expect(await heads.getByText(one, { exact: true }).count()).toBe(0);
    // Each cell stands below its head.
    const lefts = (row: string) =>
      page
        .locator(row)
        .first()
        .evaluate((of) => [...of.children].slice(1).map((cell) => Math.round(cell.getBoundingClientRect().left)));
    const [above, below] = [await lefts('.log-columns'), await lefts('.log-head')];
    expect(below).toEqual(above);
    expect(await overflows(page)).toBe(false);
    await shoot(page, `columns-${route}`);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const text = await readFile(await (await download).path(), 'utf8');
    expect(text.replace('\uFEFF', '').split('\r\n')[0]).toMatch(head);
    await page.setViewportSize(PHONE);
    expect(await overflows(page)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  },
  90_000,
);

it('console §2: calls are narrowed by HTTP status, listed or typed, and by whose lead it was; a view keeps that, and all is cleared at once', async () => {
  refuser.answer(() => ({ status: 503, body: 'down for the night' }));
  await send(40);
  refuser.answer(() => ({ status: 418, body: 'a teapot' }));
  await send(41);
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
    at: `${node.url}/#!/setup/us/payday/server-logs/buyer-tier-logs`,
  });
  const chip = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) });
  const lines = page.getByRole('list').getByRole('button', { expanded: false });
  await chip('HTTP').click();
  await page.getByRole('option', { name: '5xx' }).waitFor();
  await shoot(page, 'log-http-choices');
  expect(await axe(page)).toEqual([]);
  await page.getByRole('option', { name: '5xx' }).click();
  await page.getByText('1 found').waitFor();
  await lines.getByText('503').waitFor();
  // One that is not listed is typed.
  await chip('HTTP.*5xx').click();
  await page.getByLabel('Search HTTP').fill('418');
  await page.keyboard.press('Enter');
  await lines.getByText('418').waitFor();
  expect(page.url()).toContain('http=418');
  await chip('Publisher$').click();
  await page.getByRole('option', { name: 'Publisher One' }).click();
  await chip('Campaign').click();
  await page.getByRole('option', { name: 'Main campaign' }).click();
  await chip('Campaign.*Main campaign').waitFor();
  await page.getByText('1 found').waitFor();
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Save as a new view…' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Teapots');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Teapots', exact: true }).waitFor();
  await page.reload();
  await chip('Publisher.*Publisher One').waitFor();
  await chip('HTTP.*418').waitFor();
  await page.getByText('1 found').waitFor();
  expect(await flaws(page, 'log-narrowed')).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await flaws(page, 'log-narrowed')).toEqual([]);
  await page.setViewportSize(DESKTOP);
  await chip('HTTP.*418').click();
  await page.getByLabel('Search HTTP').fill('599');
  await page.getByRole('option', { name: '599' }).click();
  await page.getByText('Nothing matches.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await chip('HTTP$').waitFor();
  expect(page.url()).not.toMatch(/http=|publisherId=|campaignId=/);

  await page.getByRole('link', { name: 'API process logs' }).click();
  await chip('Refused with').click();
  await page.getByRole('option', { name: '401' }).click();
  await page.getByText('1 found').waitFor();
  await chip('Publisher$').click();
  await page.getByRole('option', { name: 'Publisher One' }).click();
  await page.getByText('1 found').waitFor();
  expect(await flaws(page, 'call-log-narrowed')).toEqual([]);
  await page.setViewportSize(PHONE);
  expect(await flaws(page, 'call-log-narrowed')).toEqual([]);
  await page.getByRole('button', { name: 'Clear all' }).click();
  await chip('Refused with$').waitFor();
  expect(complaints).toEqual([]);
  await close();
}, 90_000);

const PRINTED = [
  ['leads?status=sold', ['StatusSold'], '.data-table'],
  ['server-logs/buyer-tier-logs?outcome=rejected&reason=ZIP', ['OutcomeDeclines'], '.attempt-list'],
  ['server-logs/api-process-logs?period=today', ['PeriodToday'], '.attempt-list'],
  ['buyers?status=active', ['StatusActive'], '.data-table'],
  ['lead-flow/inbound?period=today', ['PeriodToday'], '.report-table'],
  ['payment-processor-stats/payments?period=today', ['PeriodToday'], 'h2'],
] as const;

it.each(PRINTED)('console §2: %s is printed whole, without chrome, with its filters in words', async (route, filters, whole) => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
  await catchPrint(page);
  await page.goto('about:blank');
  await page.goto(`${node.url}/#!/setup/us/payday/${route}`);
  await expectPrinted(page, { name: route.split('?')[0]!.replaceAll('/', '-'), filters, whole });
  if (route.includes('reason='))
    expect(await page.locator('.print-words').evaluate((words) => getComputedStyle(words, '::after').content)).toBe(
      '"Search by what the buyer said: ZIP"',
    );
  expect(complaints).toEqual([]);
  await close();
});
