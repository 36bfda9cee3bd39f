/** Saved views of reports in the browser: kept, opened, shared, and taken back, by mouse and by keyboard. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { insertPastLead, inventLead } from '#test/harness/past-leads.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;

const HOUR = 3_600_000;
const SOON = { timeout: 10_000 };
const at = (route: string) => `${node.url}/#!/setup/us/payday/${route}`;
const views = (page: Page) => page.getByRole('button', { name: /^View/ });
const item = (page: Page, name: string | RegExp) => page.getByRole('menuitem', { name });
const open = async (page: Page, name: string | RegExp) => {
  await views(page).click();
  await item(page, name).click();
};

beforeAll(async () => {
  node = await startTestWorld();
  const tiers = ['Ann', 'Bob', 'Cid'].map((name) => ({ url: 'http://127.0.0.1:9', buyer: name }));
  world = await buildWorld(node.db, { name: 'Harbour Leads', groups: [{ mode: 'priority', tiers }] });
  await node.planBook.reload(world.organizationId);
  await node.pool.query(`select ensure_month_partitions((now() - interval '2 day')::date)`);
  let state = 5;
  const chance = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const { keys } = node.planBook.find(world.organizationId)!;
  const client = await node.pool.connect();
  for (let nth = 0; nth < 60; nth++)
    // Some of them are of today, however young it is.
    await insertPastLead(client, world, inventLead(world, Date.now() - (nth < 8 ? nth : Math.floor(chance() * 24 * HOUR)), chance), keys);
  client.release();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

it('console §2: a view keeps span, grouping, filters, columns and order, survives a reload, is changed, and comes back after Undo', async () => {
  const owner = await buildUser(node.db, world.organizationId);
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: at('lead-flow/inbound?period=thisMonth') });
  await page.getByRole('region', { name: 'Publishers, table' }).waitFor();
  await page.getByRole('group', { name: 'By' }).getByRole('button', { name: 'Sub id' }).click();
  await page.getByRole('button', { name: 'Accepts', exact: true }).click();
  await page.getByRole('button', { name: 'Columns' }).click();
  await page.getByRole('checkbox', { name: 'Error' }).uncheck();
  await page.getByRole('checkbox', { name: 'Pings' }).check();
  await page.keyboard.press('Escape');
  expect(new URLSearchParams(page.url().split('?')[1]).get('columns')).toMatch(/pings/);

  // By the keyboard alone.
  await views(page).focus();
  await page.keyboard.press('Enter');
  await item(page, 'Save as a new view…').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('ArrowDown');
  await item(page, 'Save as a new view…').press('Enter');
  await page.getByLabel('Name', { exact: true }).fill('Sub ids of the month');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'View: Sub ids of the month' }).waitFor();
  await page.reload();
  await page.getByRole('button', { name: 'View: Sub ids of the month', exact: true }).waitFor();
  const heads = () => page.locator('.report-table thead th').allTextContents();
  expect(await heads()).toContain('Pings');
  expect(await heads()).not.toContain('Error');

  // The same name once more is refused at its field, and nothing typed is lost.
  await open(page, 'Save as a new view…');
  await page.getByLabel('Name', { exact: true }).fill('sub IDS of the month');
  await page.getByRole('button', { name: 'Save view' }).click();
  await page.getByText('There is a view of this name already.').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('group', { name: 'By' }).getByRole('button', { name: 'State' }).click();
  await page.getByRole('button', { name: /^View: .* changed$/ }).waitFor();
  await shoot(page, 'view-changed');
  await open(page, /^Save changes/);
  await page.getByRole('button', { name: 'View: Sub ids of the month', exact: true }).waitFor();
  await open(page, 'Rename…');
  await page.getByLabel('Name', { exact: true }).fill('States');
  await page.getByRole('button', { name: 'Rename', exact: true }).click();
  await page.getByRole('button', { name: 'View: States', exact: true }).waitFor();
  await views(page).click();
  await item(page, /^States/).waitFor();
  await shoot(page, 'views-menu');
  await page.keyboard.press('Escape');
  await item(page, /^States/).waitFor({ state: 'detached' });

  // The page begins with it, in the span that the address names, until it is left.
  await open(page, 'Open this page with it');
  await page.getByText('The page opens with “States” for you.').waitFor();
  await page.goto(at('lead-flow/outbound'));
  await page.getByRole('heading', { level: 1, name: 'Outbound' }).waitFor();
  await page.goto(at('lead-flow/inbound'));
  await page.getByRole('button', { name: 'View: States', exact: true }).waitFor();
  await page.getByRole('region', { name: 'States, table' }).waitFor();
  await open(page, 'Leave the view');
  await page.getByRole('region', { name: 'Publishers, table' }).waitFor();
  await page.getByRole('button', { name: 'Views', exact: true }).waitFor();

  await open(page, /^States/);
  await open(page, /^Delete/);
  await page.getByText('View “States” deleted.').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('View “States” is back.').waitFor();
  await open(page, /^States/);
  await page.getByRole('button', { name: 'View: States', exact: true }).waitFor();
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  // The refusal of a name is logged by the browser itself.
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
  await close();
}, 120_000);

it('console §3: a shared view is opened by a colleague, says what is archived, and is theirs neither to change nor to delete', async () => {
  const owner = await buildUser(node.db, world.organizationId);
  const first = await openSignedIn(browser, node.url, owner, {
    at: at(`lead-flow/outbound?period=thisMonth&publisherId=${world.publisherId}`),
  });
  await open(first.page, 'Save as a new view…');
  await first.page.getByLabel('Name', { exact: true }).fill('Clicks');
  await first.page.getByRole('checkbox', { name: /^Share it/ }).check();
  await first.page.getByRole('button', { name: 'Save view' }).click();
  await first.page.getByRole('button', { name: 'View: Clicks', exact: true }).waitFor();
  await first.close();
  await node.db
    .updateTable('publisher')
    .set({ status: 'archived' })
    .where('organization_id', '=', world.organizationId)
    .where('id', '=', world.publisherId)
    .execute();
  const { regionId, verticalId } = world;
  const pages = [{ value: 'leadFlow-Outbound', pageChecked: true }];
  const permissions = [{ regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages }] }];
  const member = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
  const { page, complaints, close } = await openSignedIn(browser, node.url, member, { at: at('lead-flow/outbound') });
  await open(page, /^Clicks of Una User/);
  await page.getByText('The publisher Publisher One is archived.').waitFor();
  await expect.poll(() => page.url(), SOON).toContain(world.publisherId);
  await page.locator('.report-body:not([data-stale])').waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'view-archived');
  await views(page).click();
  await item(page, 'Leave the view').waitFor();
  expect(await item(page, /^(Rename|Delete|Stop sharing|Share)/).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
}, 60_000);

it.each([
  ['lead-flow/reason-report', 'Why leads were not sold, table', 'Before', 'Count'],
  ['lead-flow/buyer-timeout-track', 'Buyer tiers, table', 'p90 answer', 'Calls'],
  ['lead-flow/performance-report', 'Pairs, table', 'Declines', 'Attempts'],
])(
  'console §2: %s has columns and an order, both in its address',
  async (route, region, column, order) => {
    const owner = await buildUser(node.db, world.organizationId);
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: at(`${route}?period=thisMonth`) });
    const table = page.getByRole('region', { name: region });
    await table.getByRole('button', { name: order, exact: true }).click();
    await table.getByRole('columnheader', { name: order, exact: true }).and(page.locator('[aria-sort=descending]')).waitFor();
    await page.getByRole('button', { name: 'Columns' }).first().click();
    await page.getByRole('checkbox', { name: column, exact: true }).uncheck();
    await page.keyboard.press('Escape');
    await page.reload();
    await table.getByRole('columnheader', { name: order, exact: true }).and(page.locator('[aria-sort=descending]')).waitFor();
    expect(await table.getByRole('columnheader', { name: column, exact: true }).count()).toBe(0);
    expect(page.url()).toMatch(/columns=.*sort=|sort=.*columns=/);
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
  60_000,
);

it.each([
  ['leads?period=thisMonth&status=unsold', 'leads', 'Unsold of the month', /^Status.*Unsold/, 'Status'],
  ['server-logs/buyer-tier-logs?outcome=rejected', 'server-logs/buyer-tier-logs', 'What buyers decline', /^Outcome.*Declines/, 'Outcome'],
])(
  'console §2: %s is kept as a view, opened by its name, and left',
  async (route, bare, name, chip, filter) => {
    const owner = await buildUser(node.db, world.organizationId);
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: at(route) });
    await page.getByRole('button', { name: chip }).waitFor();
    await open(page, 'Save as a new view…');
    await page.getByLabel('Name', { exact: true }).fill(name);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: `View: ${name}`, exact: true }).waitFor();
    await page.getByRole('button', { name: `Clear ${filter}` }).click();
    await page.getByRole('button', { name: `View: ${name} changed` }).waitFor();
    await open(page, 'Back to the view as saved');
    await page.getByRole('button', { name: chip }).waitFor();
    await open(page, 'Open this page with it');
    await page.goto(at('lead-flow/inbound'));
    await page.getByRole('heading', { level: 1, name: 'Inbound' }).waitFor();
    await page.goto(at(bare));
    await page.getByRole('button', { name: `View: ${name}`, exact: true }).waitFor();
    await page.getByRole('button', { name: chip }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, `view-${bare.replaceAll('/', '-')}`);
    await open(page, 'Leave the view');
    await page.getByRole('button', { name: chip }).waitFor({ state: 'detached' });
    await page.setViewportSize(PHONE);
    expect(await overflows(page)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  },
  60_000,
);
