/** Lists narrowed to what no index finds: they say how far back they looked, and go on when asked to. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { LOOKED_AT } from '#server/kit/looked-at.ts';
import { axe, launchBrowser, openSignedIn, overflows, shoot } from '#test/harness/browser.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { copyLead } from '#test/harness/many-leads.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let rejected: string;

const send = async (email: string): Promise<string> =>
  (await node.post('/api/v1/leads', { ...LEAD, email }, { authorization: `Bearer ${world.key}` })).json.leadId;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => REJECT);
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker' }] }] });
  await node.planBook.reload(world.organizationId);
  rejected = await send('old@example.com');
  buyer.answer(() => ACCEPT);
  const sold = await send('sold@example.com');
  await copyLead(node.db, { organizationId: world.organizationId, leadId: sold, from: Date.now() + 60_000, count: LOOKED_AT + 1_000 });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

it('console §2: the leads list searches further back when asked, forth again, and has a file of what it has not found yet', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, await buildUser(node.db, world.organizationId));
  await page.goto(`${node.url}/#!/setup/us/payday/leads?reason=buyer-all-tier-failed`);
  const found = page.getByRole('region', { name: 'Leads found' });
  await found.getByText('Nothing found back to').waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'leads-looked-back');
  const [file] = await Promise.all([page.waitForEvent('download'), found.getByRole('button', { name: 'CSV' }).click()]);
  expect(file.suggestedFilename()).toMatch(/^leads-/);
  await found.getByRole('link', { name: 'Search further back' }).click();
  await found.getByText('o•••@example.com').waitFor();
  expect(await found.getByText('Search further back').count()).toBe(0);
  await found.getByRole('link', { name: 'Newer' }).click();
  await found.getByText('Nothing found up to').waitFor();
  await found.getByRole('link', { name: 'Search further on' }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

it('product: a publisher’s portal searches further back when asked, on a phone too', async () => {
  const desk = await buildUser(node.db, world.organizationId, { role: 'member' });
  await node.db
    .updateTable('team_member')
    .set({ publisher_id: world.publisherId })
    .where('user_id', '=', (await node.db.selectFrom('app_user').select('id').where('email', '=', desk.email).executeTakeFirstOrThrow()).id)
    .execute();
  const { page, complaints, close } = await openSignedIn(browser, node.url, desk);
  await page.goto(`${node.url}/#!/setup/home-publisher?tab=leads&status=rejected`);
  const leads = page.getByRole('region', { name: 'Your leads', exact: true });
  await leads.getByText('Nothing found back to').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'portal-looked-back');
  expect(await leads.getByRole('button', { name: 'CSV' }).isEnabled()).toBe(true);
  await leads.getByRole('button', { name: 'Search further back' }).click();
  await leads.getByText('o•••@example.com').waitFor();
  expect(await leads.getByRole('button', { name: 'Search further back' }).count()).toBe(0);
  await page.locator('.portal-open').first().click();
  await leads.getByText(rejected).waitFor();
  // Of one sub id, in the address and by name.
  await leads.getByLabel('Leads of one sub id').fill('nobody');
  await leads.getByLabel('Leads of one sub id').press('Enter');
  await page.waitForURL(/subId=nobody/);
  await leads.getByText('Nothing found back to').waitFor();
  await leads.getByRole('button', { name: 'Clear the search' }).click();
  await page.waitForURL((url) => !url.hash.includes('subId'));
  // Nor does a sub id that finds nothing survive the clearing of all filters.
  await page.goto(`${node.url}/#!/setup/home-publisher?tab=leads&subId=nobody`);
  await leads.getByRole('button', { name: 'Search further back' }).click();
  await leads.getByText('No leads match.').waitFor();
  await leads.getByRole('button', { name: 'Clear filters' }).click();
  await page.waitForURL((url) => !url.hash.includes('subId'));
  await page.locator('.portal-open').first().waitFor();
  expect(complaints).toEqual([]);
  await close();
});

it('console §9: the change log looks for a text so far back and says so, on a phone too', async () => {
  await node.pool.query(
    `insert into change_log (organization_id, id, user_id, user_name, model, record_id, record_name, action)
      select $1, uuidv7(), $2, 'Una User', 'buyer', $2, case when n = 1 then 'Long gone' else 'Filler' end, 'edit' from generate_series(1, $3) as n`,
    [world.organizationId, newId(), LOOKED_AT + 1],
  );
  const { page, complaints, close } = await openSignedIn(browser, node.url, await buildUser(node.db, world.organizationId));
  await page.goto(`${node.url}/#!/change-logs-mgmt?q=long%20gone`);
  await page.getByText('Nothing found back to').waitFor();
  expect(await axe(page)).toEqual([]);
  await page.setViewportSize({ width: 390, height: 844 });
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'change-log-looked-back');
  await page.getByRole('button', { name: 'Search further back' }).click();
  await page.getByText('Long gone').waitFor();
  expect(await page.getByRole('button', { name: 'Search further back' }).count()).toBe(0);
  expect(complaints).toEqual([]);
  await close();
});
