/** product.md, account §6: each page of a buyer's and of a publisher's portal, on a desk and on a phone. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { flaws, launchBrowser, openSignedIn, SCREENS, standing } from '#test/harness/browser.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { type Office, openOffice } from '#test/harness/office.ts';
import { buildUser, dollars, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let taker: ScriptedBuyer;
let office: Office;
let world: World;
/** Who is bound to the buyer, and who to the publisher. */
const desks: Record<string, { email: string; password: string }> = {};
const ADD = '/api/v1/common/post-add-data';

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer(() => ACCEPT);
  office = await openOffice(node, taker, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'priority',
        tiers: [
          {
            ...{ url: taker.url, buyer: 'Northgate Loans', name: 'Northgate $20', price: { kind: 'fixed', price: dollars(20) } },
            caps: [{ measure: 'sold', limit: 8, period: 'day', timeZone: 'UTC' }],
            buyerCaps: [{ measure: 'money', limit: dollars(500), period: 'month', timeZone: 'UTC' }],
            pauseDates: { timeZone: 'UTC', days: [{ from: '2027-12-25', to: '2027-12-25', note: 'Christmas' }] },
          },
        ],
      },
    ],
    publisher: { caps: [{ measure: 'sold', limit: 10, period: 'day', timeZone: 'UTC' }], ipAllow: ['127.0.0.1', '::1', '203.0.113.0/24'] },
  });
  ({ world } = office);
  const [{ buyerId }] = world.tiers as [World['tiers'][number]];
  const leads: string[] = [];
  for (let at = 0; at < 8; at++) {
    taker.answer(() => (at % 4 === 3 ? REJECT : ACCEPT));
    const { json } = await node.post(
      '/api/v1/leads',
      { ...LEAD, email: `consumer${at}@example.com`, phone: `212555040${at}` },
      { authorization: `Bearer ${world.key}` },
    );
    if (json.status === 'accepted') leads.push(json.leadId);
  }
  expect(leads).toHaveLength(6);
  for (const [leadId, reason] of [
    [leads[0], 'Duplicate'],
    [leads[3], 'Duplicate'],
  ]) {
    const { json } = await office.post(`/api/console/leads/${leadId}/return`, {
      saleIndex: 0,
      reason,
      note: 'We had this consumer a week before',
    });
    expect(json.status).toBe(true);
  }
  for (const entry of [
    { partyKind: 'buyer', partyId: buyerId, kind: 'payment', amount: '50.00', note: 'Wire of November' },
    { partyKind: 'publisher', partyId: world.publisherId, kind: 'adjustment', amount: '-5.00', note: 'Traffic that was not asked for' },
  ])
    expect((await office.post('/api/console/ledger/entries', entry)).json.status).toBe(true);
  for (const company of [{ buyerId }, { publisherId: world.publisherId }])
    expect(
      (
        await office.post(ADD, {
          model: 'contact',
          firstName: 'Grace',
          lastName: 'Harper',
          email: 'grace@example.com',
          job: 'Accounts',
          ...company,
        })
      ).json.status,
    ).toBe(true);
  for (const [kind, bound] of Object.entries({ buyer: { buyer_id: buyerId }, publisher: { publisher_id: world.publisherId } })) {
    const { userId, ...person } = await buildUser(node.db, world.organizationId, { role: 'member' });
    await node.db.updateTable('team_member').set(bound).where('user_id', '=', userId).execute();
    desks[kind] = person;
  }
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await taker.close();
});

/** A tab, and what stands in it when it is there. */
const TABS = {
  buyer: [
    ['Figures', 'Spent'],
    ['Leads', 'Northgate $20'],
    ['Returns', 'We had this consumer a week before'],
    ['Statement', 'Wire of November'],
    ['Tiers and contacts', 'Grace Harper'],
    ['Requests', 'Nothing was asked for yet.'],
  ],
  publisher: [
    ['Figures', 'EPL'],
    ['Leads', 'Main seat'],
    ['Returns', 'Duplicate'],
    ['Statement', 'Traffic that was not asked for'],
    ['Tiers and contacts', '203.0.113.0/24'],
    ['Requests', 'Nothing was asked for yet.'],
  ],
} as const;
const CASES = (['buyer', 'publisher'] as const).flatMap((kind) => SCREENS.map(([screen, options]) => [kind, screen, options] as const));

it.each(CASES)(
  'account §6: every page of a %s’s portal stands without a flaw on %s',
  async (kind, screen, options) => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, desks[kind]!, options);
    const tabs = page.getByRole('navigation', { name: 'Your pages here' });
    const found: string[] = [];
    for (const [tab, shown] of TABS[kind]) {
      await tabs.getByRole('link', { name: new RegExp(`^${tab}`) }).click();
      await page.getByRole('main').getByText(shown).first().waitFor();
      await standing(page);
      // The open tab is in sight, however far the bar was scrolled to reach it.
      const open = (await tabs.locator('[aria-current="page"]').boundingBox())!;
      expect([open.x >= 0, open.x + open.width <= page.viewportSize()!.width], tab).toEqual([true, true]);
      found.push(...(await flaws(page, `portal-${kind}-${tab}-${screen}`)).map((flaw) => `${tab}: ${flaw}`));
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
  120_000,
);

it.each([
  ['buyer', 'Returns', '$40.00', /^Given back/],
  ['publisher', 'Returns', '$32.00', /^Given back/],
  ['buyer', 'Statement', '$50.00', /./],
  ['publisher', 'Statement', '$5.00', /./],
] as const)(
  'account §6: a %s’s %s tell what was entered, and have it as a file',
  async (kind, tab, amount, head) => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, desks[kind]!);
    await page.getByRole('navigation', { name: 'Your pages here' }).getByRole('link', { name: tab, exact: true }).click();
    await page.getByRole('main').getByText(amount).first().waitFor();
    const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    const text = (await (await download.createReadStream()).toArray()).join('').replace('\uFEFF', '');
    expect(text).toMatch(head);
    expect(complaints).toEqual([]);
    await close();
  },
  60_000,
);

const headsOf = async (page: Page, table: string) =>
  (
    await page
      .getByRole('region', { name: `${table}, table` })
      .getByRole('columnheader')
      .allTextContents()
  ).map((head) => head.trim());
const fileOf = async (page: Page) => {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  return (await (await download.createReadStream()).toArray()).join('').replace('\uFEFF', '').split('\r\n');
};
/** In the dialog of the columns. */
const choose = async (page: Page, choice: Record<string, boolean>) => {
  await page.getByRole('button', { name: 'Columns' }).click();
  const dialog = page.getByRole('dialog', { name: 'Columns to show' });
  for (const [column, isShown] of Object.entries(choice)) await dialog.getByLabel(column, { exact: true }).setChecked(isShown);
  await page.keyboard.press('Escape');
};

it.each([
  [
    ...(['buyer', 'Leads you bought', { 'Your reference': false, 'Lead id': true }] as const),
    ...(['Bought,Tier,State,Price,Given back,Lead id', /^Bought \(.+\),Tier,State,Test,Price,Given back,Lead id$/] as const),
  ],
  [
    ...(['publisher', 'Your leads', { Consumer: false, 'Sub id': false, 'Taken back': true }] as const),
    ...([
      'Received,Status,Reason,Tier,Payout,Taken back',
      /^Received \(.+\),Status,Test,Ping,Reason,Tier,Payout,Taken back,Lead id$/,
    ] as const),
  ],
] as const)(
  'console §2: the columns of a %s’s leads are chosen, stay in the address, and are those of its file',
  async (kind, table, choice, heads, head) => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, desks[kind]!);
    const tabs = page.getByRole('navigation', { name: 'Your pages here' });
    await tabs.getByRole('link', { name: 'Leads', exact: true }).click();
    await page.getByRole('region', { name: `${table}, table` }).waitFor();
    await choose(page, choice);
    expect(page.url()).toContain('columns=');
    await page.reload();
    await page.getByRole('region', { name: `${table}, table` }).waitFor();
    expect(await headsOf(page, table)).toEqual(heads.split(','));
    expect((await fileOf(page))[0]).toMatch(head);
    // Another tab has columns of its own.
    await tabs.getByRole('link', { name: 'Returns', exact: true }).click();
    expect(page.url()).not.toContain('columns=');
    expect(complaints).toEqual([]);
    await close();
  },
  60_000,
);

it.each([
  ['buyer', 'Offered', 'By tier'],
  ['publisher', 'Attempts', 'By tier'],
] as const)(
  'console §3: rows of a %s’s figures are compared with the span before, sorted, and have both in their file',
  async (kind, all, table) => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, desks[kind]!);
    await page.getByRole('region', { name: `${table}, table` }).waitFor();
    await choose(page, { [`${all} before`]: true, [`${all} change`]: true });
    const region = page.getByRole('region', { name: table, exact: true });
    await region.getByRole('cell', { name: '+8', exact: true }).first().waitFor();
    await region.getByRole('button', { name: `${all} change`, exact: true }).click();
    await page.waitForURL(/sort=-/);
    await page.getByText('Compared with', { exact: false }).waitFor();
    const [head, line] = await fileOf(page);
    expect(head).toContain(`Tier,${all},${all} before,${all} change,`);
    expect(line).toContain(',8,0,8,');
    expect(await flaws(page, `portal-${kind}-compared`)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  },
  60_000,
);

it('account §6: a cap says whose day it is of, and when that began and starts again', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, desks.buyer!);
  const caps = page.getByRole('region', { name: 'Caps', exact: true });
  await caps.getByText(/^Day of UTC: began \w{3} \d+, 00:00, starts again \w{3} \d+, 00:00$/).waitFor();
  await caps.getByText(/^Month of UTC: began \w{3} 1, 00:00, starts again \w{3} 1, 00:00$/).waitFor();
  expect(complaints).toEqual([]);
  await close();
});
