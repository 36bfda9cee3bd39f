/** engine §2: an answer of the buyer is kept from the endpoint editor and from a lead, judged while the endpoint is changed, and stands in the way of a misreading. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
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
});

const at = (path: string) => `${node.url}/#!/setup/us/payday/${path}`;
const tierPage = () => at(`tier/edit/${world.tiers[0]!.buyerTierId}?of=buyer`);

async function looksWell(page: Page, name: string): Promise<void> {
  expect([name, await axe(page)]).toEqual([name, []]);
  const before = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  expect([name, await overflows(page)]).toEqual([name, false]);
  await page.setViewportSize(before);
  await shoot(page, name);
}

it('engine §2: a pasted answer is kept, fails while the endpoint misreads it, is edited, removed and brought back', async () => {
  await node.pool.query('delete from answer_sample');
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: tierPage() });
  await page.getByRole('heading', { level: 1, name: 'Standard' }).waitFor();
  const samples = page.getByRole('region', { name: 'Samples' });
  await samples.getByText('None yet.', { exact: false }).waitFor();
  const pasted = page.getByRole('region', { name: 'A pasted answer' });
  await pasted.getByLabel('Answer of the buyer').fill('{"result":"accepted","price":"12.50"}');
  await pasted.getByRole('button', { name: 'Keep as a sample' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keep this answer as a sample' });
  expect(await dialog.getByLabel('Name').inputValue()).toBe('Accepted 12.50');
  expect(await dialog.getByLabel('Price').inputValue()).toBe('12.50');
  await dialog.getByLabel('Name').fill('');
  await dialog.getByRole('button', { name: 'Keep the sample' }).click();
  await dialog.getByText('Name it by what it shows.').waitFor();
  await dialog.getByLabel('Name').fill('Bought at 12.50');
  await looksWell(page, 'sample-keep');
  await dialog.getByRole('button', { name: 'Keep the sample' }).click();
  await samples.getByText('Passes', { exact: true }).waitFor();

  const price = page.getByRole('region', { name: 'Price in the answer' });
  await price.getByLabel('Where it stands: price').fill('amount');
  await samples.getByText('Fails', { exact: true }).waitFor();
  await samples.getByText('No price is read, and should be 12.50.').waitFor();
  await samples.scrollIntoViewIfNeeded();
  await looksWell(page, 'sample-fails');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('it misreads what is kept of this buyer', { exact: false }).first().waitFor();

  await samples.getByRole('button', { name: 'Edit sample Bought at 12.50' }).click();
  const edit = page.getByRole('dialog', { name: 'Sample' });
  await edit.getByRole('button', { name: 'Take what is read now' }).click();
  expect(await edit.getByLabel('Price').inputValue()).toBe('');
  await edit.getByRole('button', { name: 'Keep the sample' }).click();
  await samples.getByText('Passes', { exact: true }).waitFor();
  await samples.getByRole('button', { name: 'Remove sample Bought at 12.50' }).click();
  await samples.getByText('None yet.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await samples.getByText('Bought at 12.50').waitFor();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Taker' }).waitFor();
  // The refusal is a 422 that the page told.
  expect(complaints.filter((one) => !one.includes('422'))).toEqual([]);
  await close();
});

it('engine §2: the answer to a real attempt is kept from the page of its lead, masked', async () => {
  await node.pool.query('delete from answer_sample');
  await node.pool.query('update buyer_tier set endpoint = jsonb_set(endpoint, $1, $2)', [
    '{post,response,price}',
    '{"at": [{"path": "price"}]}',
  ]);
  await node.planBook.reload(world.organizationId);
  buyer.answer(({ body }) => ({ body: JSON.stringify({ ...JSON.parse(ACCEPT.body!), echo: JSON.parse(body).email }) }));
  const posted = { ...LEAD, email: 'grace.hopper@example.com' };
  const { leadId } = (await node.post('/api/v1/leads', posted, { authorization: `Bearer ${world.key}` })).json;
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: at(`leads/${leadId}`) });
  await page
    .getByRole('region', { name: 'Attempts' })
    .getByRole('button', { name: /Standard post/ })
    .click();
  await page.getByRole('button', { name: 'Keep the answer as a sample' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keep this answer as a sample of Standard' });
  const shown = await dialog.getByRole('region', { name: 'The answer' }).textContent();
  expect(shown).toContain('"result":"accepted"');
  expect(shown).not.toContain('hopper');
  await looksWell(page, 'sample-of-attempt');
  await dialog.getByRole('button', { name: 'Keep the sample' }).click();
  await page.getByText('The answer is kept as a sample of its tier.').waitFor();
  await page.goto(tierPage());
  await page.getByRole('region', { name: 'Samples' }).getByText('Passes', { exact: true }).waitFor();
  expect(complaints).toEqual([]);
  await close();
});

it('engine §2: a tree with a tier that misreads its sample is not published, says so until it is mended, and keeps what was drawn', async () => {
  await node.pool.query('delete from answer_sample');
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: tierPage() });
  const pasted = page.getByRole('region', { name: 'A pasted answer' });
  await pasted.getByLabel('Answer of the buyer').fill('{"result":"accepted","price":"12.50"}');
  await pasted.getByRole('button', { name: 'Keep as a sample' }).click();
  const dialog = page.getByRole('dialog', { name: 'Keep this answer as a sample' });
  await dialog.getByLabel('Outcome').selectOption('rejected');
  await dialog.getByRole('button', { name: 'Keep the sample' }).click();
  await page.getByRole('region', { name: 'Samples' }).getByText('Fails', { exact: true }).waitFor();
  await page.goto(at('flow-control'));
  const group = page.getByLabel('Name of group 1');
  await group.fill('Renamed');
  const publish = async () => {
    await page.getByRole('button', { name: 'Publish…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish' }).click();
  };
  await publish();
  const refusal = page.getByRole('alert').filter({ hasText: 'The tree does not go live. Taker, Standard: Sample “Accepted 12.50”' });
  await refusal.waitFor();
  await looksWell(page, 'sample-holds-tree');
  expect(await group.inputValue()).toBe('Renamed');
  await node.pool.query(`update answer_sample set status = 'archived'`);
  await publish();
  await expect.poll(async () => (await node.pool.query('select name from tree_group')).rows).toEqual([{ name: 'Renamed' }]);
  await refusal.waitFor({ state: 'detached' });
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
  await close();
});
