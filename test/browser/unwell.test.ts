/** engine §3 and §4: a loss notice is set up in the endpoint editor and seen on the lead; a throttle is set on the tier, and seen wherever the tier is. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let winner: ScriptedBuyer;
let loser: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

const bids = (price: string) => (call: { path: string }) =>
  call.path === '/lost' ? { status: 204 } : { body: JSON.stringify({ result: 'accepted', price, id: `B-${price}` }) };

beforeAll(async () => {
  node = await startTestWorld();
  [winner, loser] = [await startBuyer(bids('30.00')), await startBuyer(bids('20.00'))];
  const tier = { delivery: 'pingPost' as const, price: { kind: 'bid' as const } };
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'auction',
        tiers: [
          { url: winner.url, buyer: 'Taker', name: 'Standard', ...tier },
          { url: loser.url, buyer: 'Loser', name: 'Second', ...tier },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await Promise.all([winner.close(), loser.close()]);
});

const at = (path: string) => `${node.url}/#!/setup/us/payday/${path}`;
const tierPage = (place: number) => at(`tier/edit/${world.tiers[place]!.buyerTierId}?of=buyer`);
let sent = 0;
const send = async (): Promise<string> => {
  const lead = { ...LEAD, email: `unwell${sent++}@example.com` };
  return (await node.post('/api/v1/leads', lead, { authorization: `Bearer ${world.key}` })).json.leadId;
};

async function looksWell(page: Page, name: string): Promise<void> {
  expect([name, await axe(page)]).toEqual([name, []]);
  const before = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  expect([name, await overflows(page)]).toEqual([name, false]);
  await page.setViewportSize(before);
  await shoot(page, name);
}

it('engine §3: a loss notice is set up, refused while it tells what it may not, tried, and stands on the lead', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: tierPage(1) });
  await page.getByRole('heading', { level: 1, name: 'Second' }).waitFor();
  await page.getByText('Loss notice', { exact: true }).click();
  await page.getByText('The buyer is not told when it is outbid.').waitFor();
  await page.getByRole('button', { name: 'Set the loss notice up' }).click();
  await page.getByLabel('Address', { exact: true }).fill(`${loser.url}/lost`);
  await page.getByRole('button', { name: 'Add a row' }).click();
  await page.getByLabel('Buyer’s key 3').fill('winning');
  await page.getByLabel('Source of winning').selectOption('system');
  await page.getByLabel('Value of winning').selectOption('winningPrice');
  await page.getByRole('region', { name: 'Preview' }).getByText('"winning":"25.00"', { exact: false }).waitFor();
  expect(await page.getByRole('region', { name: 'A pasted answer' }).count()).toBe(0);
  const trial = page.getByRole('region', { name: 'A test call' });
  await trial.getByRole('button', { name: 'Call the buyer' }).click();
  await trial.getByText('Heard', { exact: true }).waitFor();
  await page.getByText('Loss notice', { exact: true }).scrollIntoViewIfNeeded();
  await looksWell(page, 'notice-set-up');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('The loss notice tells the winning price.', { exact: false }).first().waitFor();
  await page.getByRole('switch', { name: 'The notice may tell what the winner pays' }).check();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Loser' }).waitFor();
  const leadId = await send();
  await expect
    .poll(async () => (await node.pool.query('select outcome from loss_notice where lead_id = $1', [leadId])).rows, { timeout: 5_000 })
    .toEqual([{ outcome: 'told' }]);
  await page.goto(at(`leads/${leadId}`));
  await page.getByText('It was told that it lost.', { exact: false }).waitFor();
  const call = page.getByRole('region', { name: 'Attempts' }).getByRole('button', { name: /Second loss notice/ });
  await call.click();
  await page.getByText('"winning": "30.00"', { exact: false }).first().waitFor();
  expect(await page.getByRole('button', { name: 'Keep the answer as a sample' }).count()).toBe(0);
  await call.scrollIntoViewIfNeeded();
  await looksWell(page, 'notice-on-lead');
  expect(complaints.filter((one) => !/endpoint\/preview|post-edit-data/.test(one))).toEqual([]);
  await close();
});

it('engine §4: a throttle is set on the tier’s page, begins, and is seen on tier, flow-control, overview and lead', async () => {
  const tierId = world.tiers[0]!.buyerTierId;
  await node.pool.query('update buyer_tier set throttle = null');
  await node.pool.query('delete from throttled_tier');
  await node.breakers.reload(world.organizationId);
  winner.answer(() => ({ status: 503 }));
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: tierPage(0) });
  await page.getByRole('heading', { level: 1, name: 'Standard' }).waitFor();
  const section = page.getByRole('group', { name: 'Throttle' });
  await section.getByRole('switch', { name: 'Send fewer leads while it is slow or fails' }).check();
  await section.getByLabel('When so many calls fail').fill('');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Say how many calls may fail, how many may be slow, or both.').waitFor();
  await section.getByLabel('When so many calls fail').fill('50');
  await section.getByLabel('Of at least').fill('3');
  await section.getByLabel('Send only so many leads').fill('1');
  await section.getByText('of at least 3, 1 of 100 leads are sent', { exact: false }).waitFor();
  await section.scrollIntoViewIfNeeded();
  await looksWell(page, 'throttle-set');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Taker' }).waitFor();
  await page.goto(tierPage(0));
  await section.getByText('All of its leads are sent.').waitFor();
  for (const _ of [1, 2, 3]) await send();
  await expect.poll(() => node.breakers.throttlesOf(world.organizationId).find(tierId)).toBeDefined();
  await section.getByText('Only 1% of its leads are sent', { exact: false }).waitFor();
  await section.scrollIntoViewIfNeeded();
  await looksWell(page, 'throttle-on-tier');
  // One in a hundred of them is drawn.
  const leads = [await send(), await send(), await send()];
  await page.goto(at('flow-control'));
  await page.getByText('Taker, Standard: Throttled since', { exact: false }).first().waitFor();
  await looksWell(page, 'throttle-in-flow');
  await page.goto(at('overview'));
  await page.getByText('Taker, Standard: Throttled since', { exact: false }).first().waitFor();
  const { rows } = await node.pool.query('select lead_id from attempt where buyer_tier_id = $1 and lead_id = any($2::uuid[])', [
    tierId,
    leads,
  ]);
  const left = leads.find((id) => !rows.some((row) => row.lead_id === id))!;
  await page.goto(at(`leads/${left}`));
  await page.getByText('This lead is not among them.', { exact: false }).first().waitFor();
  await page.getByText('Throttle', { exact: true }).first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});
