/** Buyers that pay another price than they bid: from the panel of the outbound report to the leads, and to what a lead says of its price. */
import { readFile } from 'node:fs/promises';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flaws, launchBrowser, openSignedIn, SCREENS, standing } from '#test/harness/browser.ts';
import { type BuyerCall, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { catchPrint, expectPrinted } from '#test/harness/printed.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let haggler: ScriptedBuyer;
let steady: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };
/** In the order in which they came. */
const leadIds: string[] = [];

const address = (route: string) => `${node.url}/#!/setup/us/payday/${route}`;
const says = (ping: string, post: string) => (call: BuyerCall) => ({
  body: JSON.stringify({ result: 'accepted', price: call.path === '/ping' ? ping : post, id: `r-${post}` }),
});
const no = () => ({ body: JSON.stringify({ result: 'rejected', reason: 'not wanted' }) });

/** Of the bids and prices of both, in the order of the leads: less, more, the same, nothing, and one that may not be billed. */
async function sell(): Promise<void> {
  const send = async () => {
    const nth = leadIds.length;
    const answer = await node.post(
      '/api/v1/leads',
      { ...LEAD, email: `price${nth}@example.com`, phone: `212555030${nth}` },
      { authorization: `Bearer ${world.key}` },
    );
    expect(answer.json).toMatchObject({ status: 'accepted' });
    leadIds.push(answer.json.leadId);
  };
  for (const post of ['15.00', '24.00', '20.00']) {
    haggler.answer(says('20.00', post));
    await send();
  }
  haggler.answer(no);
  await send();
  await node.db.updateTable('buyer_tier').set({ post_price_rule: 'refuse' }).where('organization_id', '=', world.organizationId).execute();
  await node.planBook.reload(world.organizationId);
  haggler.answer(says('20.00', '25.00'));
  await send();
}

beforeAll(async () => {
  node = await startTestWorld();
  haggler = await startBuyer();
  steady = await startBuyer(says('10.00', '10.00'));
  const tier = { delivery: 'pingPost', price: { kind: 'bid' } } as const;
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'auction',
        tiers: [
          { ...tier, url: haggler.url, buyer: 'Haggling Lenders of the Northern Counties', name: 'First look' },
          { ...tier, url: steady.url, buyer: 'Steady', name: 'Main' },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  await sell();
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await Promise.all([haggler.close(), steady.close()]);
});

const SOON = { timeout: 5_000 };
const NAME = 'Haggling Lenders of the Northern Counties, First look';

describe('console §3, engine “Price”: sold at another price than bid', () => {
  for (const [screen, options] of SCREENS)
    it(`at ${screen}: the panel of Outbound leads to the leads, and each says what was bid and what is paid`, async () => {
      const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
        ...options,
        at: address('lead-flow/outbound?period=today'),
      });
      const panel = page.getByRole('region', { name: 'Bids and prices', exact: true });
      const row = panel.getByRole('row').filter({ hasText: NAME });
      await row.waitFor();
      const told = async (of: typeof row) => (await of.getByRole('cell').allTextContents()).slice(0, 7);
      expect(await told(row)).toEqual(['4', '2', '50.0%', '1', '$40.00', '$39.00', '−$1.00']);
      expect(await told(panel.getByRole('row').filter({ hasText: 'All buyer tiers' }))).toEqual([
        ...['5', '2', '40.0%', '1', '$40.00', '$39.00', '−$1.00'],
      ]);
      expect(await panel.getByRole('row').filter({ hasText: 'Steady' }).count()).toBe(0);
      await standing(page);
      expect(await flaws(page, 'bid-prices')).toEqual([]);
      const download = page.waitForEvent('download');
      await panel.getByRole('button', { name: 'CSV of bids and prices' }).click();
      const file = await download;
      expect(file.suggestedFilename()).toMatch(/^bids-and-prices-us-payday-\d\d[A-Z][a-z]{2}\d{4}\.csv$/);
      expect((await readFile(await file.path(), 'utf8')).replace('\uFEFF', '').trim().split('\r\n')[1]).toBe(
        `"${NAME}",4,2,50.0,1,40.00,39.00,-1.00,${world.tiers[0]!.buyerTierId}`,
      );

      await row.getByRole('link', { name: `Leads that ${NAME} bought at another price` }).click();
      await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
      await page.getByRole('status').filter({ hasText: /^2$/ }).waitFor();
      await page.getByRole('button', { name: 'Sold at Another price than bid' }).waitFor();
      await page.getByRole('button', { name: `Bought by tier ${NAME}` }).waitFor();
      expect(page.url()).toContain('otherPrice=true');
      await page.reload();
      await page.getByRole('status').filter({ hasText: /^2$/ }).waitFor();
      await standing(page);
      expect(await flaws(page, 'bid-prices-leads')).toEqual([]);
      await page.getByRole('button', { name: 'Clear Sold at' }).click();
      await page.getByRole('status').filter({ hasText: /^4$/ }).waitFor();
      // Chosen by itself, it is of any buyer.
      await page.goto(address('leads'));
      await page.getByRole('status').filter({ hasText: /^5$/ }).waitFor();
      await page.getByRole('button', { name: 'Sold at', exact: true }).click();
      await page.getByRole('option', { name: 'Another price than bid' }).click();
      await page.getByRole('status').filter({ hasText: /^2$/ }).waitFor();

      const money = page.getByRole('region', { name: 'Money' });
      for (const [lead, note] of [
        [0, 'bid $20.00, sold at another price'],
        [1, 'bid $20.00, sold at another price'],
        [2, ''],
        [4, 'named another price with the lead; its bid counts'],
      ] as const) {
        await page.goto(address(`leads/${leadIds[lead]}`));
        await money.getByText('Payout to the publisher').waitFor();
        const first = money.locator('.money-lines > div').first();
        await expect.poll(() => first.locator('dt').textContent(), SOON).toBe(`First look ${note}`);
        expect(await first.locator('dd').textContent()).toBe(`$${['15.00', '24.00', '20.00', '', '20.00'][lead]}`);
        await standing(page);
        if (note) expect([lead, await flaws(page, `bid-prices-lead-${lead}`)]).toEqual([lead, []]);
      }
      expect(complaints).toEqual([]);
      await close();
    }, 120_000);

  it('says where every buyer paid what it had bid, where none had bid, and where it cannot be told; other verticals have none', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
      at: address(`lead-flow/outbound?period=today&buyerId=${world.tiers[1]!.buyerId}`),
    });
    const panel = page.getByRole('region', { name: 'Bids and prices', exact: true });
    await panel.getByText('Every buyer paid what it had bid. Sales that came of a bid: 1.').waitFor();
    await standing(page);
    expect(await flaws(page, 'bid-prices-all-as-bid')).toEqual([]);
    await page.goto(address('lead-flow/outbound?period=yesterday'));
    await panel.getByText('No sale came of a bid in this span.').waitFor();
    await standing(page);
    expect(await flaws(page, 'bid-prices-none')).toEqual([]);
    await page.goto(address('lead-flow/outbound?period=today&by=vertical'));
    await page.getByRole('region', { name: 'Verticals', exact: true }).waitFor();
    expect(await panel.count()).toBe(0);
    expect(complaints).toEqual([]);

    let isBroken = true;
    await page.route(/reports\/bid-prices\?/, (route) =>
      isBroken ? route.fulfill({ status: 400, json: { status: false, code: 'x', msg: 'It cannot be told now.' } }) : route.continue(),
    );
    await page.goto(address(`lead-flow/outbound?period=today&by=buyerTier&buyerId=${world.tiers[0]!.buyerId}`));
    await panel.getByText('It cannot be told now.').waitFor();
    await page.getByRole('region', { name: 'Buyer tiers', exact: true }).waitFor();
    expect(await flaws(page, 'bid-prices-error')).toEqual([]);
    isBroken = false;
    await panel.getByRole('button').click();
    await panel.getByRole('row').filter({ hasText: NAME }).waitFor();
    // Refreshed with the report.
    const again = page.waitForRequest(/reports\/bid-prices\?/);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await again;
    await close();
  }, 60_000);

  it('is printed whole with the report', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
    await catchPrint(page);
    await page.goto('about:blank');
    await page.goto(address('lead-flow/outbound?period=today'));
    await standing(page);
    await page.getByRole('row').filter({ hasText: 'All buyer tiers' }).waitFor();
    await expectPrinted(page, { name: 'outbound-bid-prices', filters: ['PeriodToday'], whole: '[aria-label="Bids and prices"] table' });
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);
});
