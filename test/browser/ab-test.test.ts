/** console §3 "ab-testing" in the browser: a test is made, started, read, and its winner promoted. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  let asked = 0;
  // Two of three are bought, so that leads differ.
  buyer = await startBuyer(() => ({ body: JSON.stringify({ result: asked++ % 3 === 0 ? 'rejected' : 'accepted' }) }));
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: buyer.url, buyer: 'Ann', name: 'First', price: { kind: 'fixed', price: dollars(20) } },
          { url: buyer.url, buyer: 'Bob', name: 'Second', price: { kind: 'fixed', price: dollars(60) } },
        ],
      },
    ],
    priceModel: { kind: 'fixed', price: dollars(10) },
  });
  await node.db
    .insertInto('tree_draft')
    .values({
      organization_id: world.organizationId,
      campaign_id: world.campaignId,
      groups: JSON.stringify([
        {
          _id: null,
          name: 'Bob first',
          mode: 'priority',
          timeLimitMs: null,
          members: world.tiers.toReversed().map(({ buyerTierId }) => ({ buyerTierId, weight: null })),
        },
      ]),
      updated_by: 'Una User',
    })
    .execute();
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

const signedIn = (options: Parameters<typeof openPage>[1] = {}) => openSignedIn(browser, node.url, owner, options);

async function sendMany(count: number) {
  for (let from = 0; from < count; from += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, at) =>
        node.post(
          '/api/v1/leads',
          { ...LEAD, email: `t${from + at}@example.com`, phone: `212555${1000 + from + at}` },
          { authorization: `Bearer ${world.key}` },
        ),
      ),
    );
}

describe('console §3 ab-testing', () => {
  it('an empty page teaches; a test is made, started, read and its winner promoted', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/#!/setup/us/payday/promotions`);
    await page.getByRole('navigation', { name: 'Growth pages' }).getByRole('link', { name: 'A/B tests' }).click();
    await page.getByText('No A/B tests yet.').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'ab-tests-empty');
    await page.getByRole('link', { name: 'Add an A/B test' }).first().click();
    await page.getByRole('button', { name: 'Add A/B test' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-path'))).toBe('name');
    await page.getByLabel('Name').first().fill('Bob first');
    await page.getByLabel('Ping tree').selectOption({ index: 1 });
    await page.getByRole('button', { name: 'Add a variant' }).click();
    await page.getByLabel('Floor').last().fill('25');
    await page.getByText('100% of 100%').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'ab-test-form');
    await page.getByRole('button', { name: 'Remove the variant C' }).click();
    await page.getByRole('button', { name: 'Add A/B test' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bob first' }).waitFor();
    await page.getByRole('button', { name: 'Change this tree in flow control…' }).click();
    await page.getByRole('button', { name: 'Change it in flow control' }).click();
    await page.getByRole('heading', { level: 1, name: 'Flow control' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Start…' }).click();
    await page.getByText('too few leads of the last 30 days').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Start the test' }).click();
    await page.getByText('No lead of this campaign has reached a tree since the start.').waitFor();
    await page.goto(`${node.url}/#!/setup/us/payday/flow-control`);
    await page.getByRole('note').getByRole('link', { name: 'Bob first' }).click();
    await page.getByRole('heading', { level: 1, name: 'Bob first' }).waitFor();
    await sendMany(600);
    await page.reload();
    await page.getByText(/B brings [\d.]+% more per lead than the control, at least/).waitFor();
    await page
      .getByRole('row', { name: /^B 50%/ })
      .getByText('Better')
      .waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'ab-test-result');
    await page.getByRole('button', { name: 'Promote… B' }).click();
    await page.getByText('The tree is published and can be rolled back in flow control.').first().waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'ab-test-promote');
    await page.getByRole('button', { name: 'Promote B', exact: true }).click();
    await page
      .getByRole('row', { name: /^B 50%/ })
      .getByText('Promoted')
      .waitFor();
    // The leads of one variant: chosen, kept in the address, and cleared.
    await page.goto(`${node.url}/#!/setup/us/payday/leads`);
    await page.getByText('50 of 600').waitFor();
    await page.getByRole('button', { name: 'Variant' }).click();
    await page.getByRole('option', { name: 'Bob first, B' }).click();
    await page.waitForURL(/variantId=/);
    const found = page.getByRole('status').filter({ hasText: /^50 of [23]\d\d$/ });
    await found.waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'leads-of-variant');
    await page.reload();
    await found.waitFor();
    await page.getByText('Bob first, B').waitFor();
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('50 of 600').waitFor();
    await page.goto(`${node.url}/#!/setup/us/payday/ab-testing`);
    await page
      .getByRole('row', { name: /Bob first/ })
      .getByText('Stopped')
      .waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'ab-tests');
    expect(complaints).toEqual([]);
    await close();
  });

  it('a draft is thrown away and taken back on a phone', async () => {
    const { page, complaints, close } = await signedIn({ viewport: PHONE });
    await page.goto(`${node.url}/#!/setup/us/payday/ab-testing/new`);
    await page.getByLabel('Name').first().fill('Dearer');
    await page.getByLabel('Publishers’ prices').fill('110');
    expect(await overflows(page)).toBe(false);
    await page.getByRole('button', { name: 'Add A/B test' }).click();
    await page.getByRole('heading', { level: 1, name: 'Dearer' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Throw away' }).click();
    await page.getByRole('heading', { level: 1, name: 'A/B tests' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Dearer' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('link', { name: 'Dearer' }).waitFor();
    expect(await overflows(page)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  });
});
