/** engine "Life of a lead": the link of a sold lead in a real browser, and what the console says of it; a buyer that takes no more, on the screens. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, jsonEndpoint, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let busy: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(({ method }) => {
    if (method === 'GET')
      return { headers: { 'content-type': 'text/html' }, body: '<link rel="icon" href="data:,"><h1>Welcome at the buyer</h1>' };
    return { body: JSON.stringify({ result: 'accepted', price: '20.00', redirect: `${buyer.url}/welcome?ref=7` }) };
  });
  busy = await startBuyer(() => ({ status: 429, headers: { 'retry-after': '3600' } }));
  const tiers = [
    { url: busy.url, buyer: 'Busy', name: 'Standard' },
    { url: buyer.url, buyer: 'Taker', name: 'Standard' },
  ];
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers }] });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await Promise.all([buyer.close(), busy.close()]);
});

const at = (path: string) => `${node.url}/#!/setup/us/payday/${path}`;
let sent = 0;
const send = async () =>
  (await node.post('/api/v1/leads', { ...LEAD, email: `redirect${sent++}@example.com` }, { authorization: `Bearer ${world.key}` })).json;

async function looksWell(page: Page, name: string): Promise<void> {
  expect([name, await axe(page)]).toEqual([name, []]);
  const before = page.viewportSize()!;
  await page.setViewportSize(PHONE);
  expect([name, await overflows(page)]).toEqual([name, false]);
  await page.setViewportSize(before);
  await shoot(page, name);
}

it('the consumer comes to the buyer, and the lead’s page says when; a link that is over says so', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
  const { leadId, redirectUrl } = await send();
  await page.goto(at(`leads/${leadId}`));
  const money = page.getByRole('region', { name: 'Money' });
  await money.getByText('Not yet', { exact: true }).waitFor();
  await money.getByText(/^the link is open until /).waitFor();
  await money.scrollIntoViewIfNeeded();
  await looksWell(page, 'redirect-not-yet');

  const consumer = await openPage(browser);
  await consumer.page.goto(redirectUrl);
  await consumer.page.getByRole('heading', { name: 'Welcome at the buyer' }).waitFor();
  expect(consumer.page.url()).toBe(`${buyer.url}/welcome?ref=7`);
  expect(buyer.calls.at(-1)!.headers.referer).toBeUndefined();
  await consumer.page.goto(redirectUrl);
  await consumer.page.getByRole('heading', { name: 'Welcome at the buyer' }).waitFor();

  await page.reload();
  await money.getByText(/after our answer; the link was followed 2 times$/).waitFor();
  await looksWell(page, 'redirect-followed');

  await node.pool.query(`update redirect set expires_at = now() - interval '1 second'`);
  await consumer.page.goto(redirectUrl);
  await consumer.page.getByRole('heading', { name: 'This link has expired' }).waitFor();
  await looksWell(consumer.page, 'redirect-expired');
  await consumer.close();
  expect(complaints).toEqual([]);
  await close();
});

it('the seat’s switch and how long links stay open are set up on their pages', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
  await page.goto(at(`tier/edit/${world.publisherTierId}?of=publisher`));
  const raw = page.getByRole('switch', { name: 'The buyer’s own address as redirect' });
  await raw.check();
  await raw.scrollIntoViewIfNeeded();
  await looksWell(page, 'redirect-seat');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Publisher One' }).waitFor();
  await expect.poll(async () => (await send()).redirectUrl).toBe(`${buyer.url}/welcome?ref=7`);
  const { leadId } = await send();
  await page.goto(at(`leads/${leadId}`));
  await page.getByText('the publisher was given the buyer’s own address').waitFor();

  await page.goto(`${node.url}/#!/preferences`);
  const hours = page.getByLabel('Consumers’ links stay open');
  await hours.fill('0');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('Write a number of hours from 1 to 720.').waitFor();
  await hours.fill('36');
  await looksWell(page, 'redirect-hours');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => node.planBook.find(world.organizationId)!.redirectHours).toBe(36);
  expect(complaints).toEqual([]);
  await close();
});

it('wire-quirks 43: a buyer that asked to be left alone is told of on the overview, in flow-control and on the lead', async () => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
  const first = await send();
  await page.goto(at(`leads/${first.leadId}`));
  await page
    .getByText(/(takes no more leads for now|asked to be left alone until)/)
    .first()
    .waitFor();
  await page.goto(at('overview'));
  await page
    .getByRole('region', { name: 'What is wrong now' })
    .getByText(/^Busy, Standard takes no more leads for now and asked to be left alone/)
    .waitFor();
  await looksWell(page, 'resting-overview');
  await page.goto(at('flow-control'));
  const seat = page.locator('.flow-seat').filter({ hasText: 'Busy, Standard' });
  await seat.getByText('Asked to wait', { exact: true }).waitFor();
  await looksWell(page, 'resting-flow');
  await page.goto(at(`tier/edit/${world.tiers[0]!.buyerTierId}?of=buyer`));
  const section = page.getByRole('group', { name: 'Breaker' });
  await section.getByText(/^The buyer takes no more for now: nothing is sent until /).waitFor();
  await section.scrollIntoViewIfNeeded();
  await looksWell(page, 'resting-tier');
  await section.getByRole('button', { name: 'Try again now' }).click();
  await section.getByText('Asked to wait').waitFor({ state: 'detached' });
  expect(node.rests.of(world.organizationId).find(world.tiers[0]!.buyerTierId)).toBeUndefined();
  expect(complaints).toEqual([]);
  await close();
});

it('wire-quirks 44: the page of a lead shows where its call was sent on to, and so does a test call', async () => {
  const mover = await startBuyer(({ path }) => (path === '/there' ? ACCEPT : { status: 307, headers: { location: `${mover.url}/there` } }));
  const { post } = jsonEndpoint(mover.url, 'post');
  const tiers = [{ url: mover.url, buyer: 'Mover', name: 'Standard', endpoint: { post: { ...post, followRedirects: true } } }];
  const own = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers }] });
  await node.planBook.reload(own.organizationId);
  const person = await buildUser(node.db, own.organizationId);
  const { json } = await node.post('/api/v1/leads', LEAD, { authorization: `Bearer ${own.key}` });
  const { page, complaints, close } = await openSignedIn(browser, node.url, person, { at: at(`leads/${json.leadId}`) });
  await page.getByText('Mover').first().waitFor();
  await page.keyboard.press('j');
  await page.getByText(`Redirected by 307 to POST ${mover.url}/there`).waitFor();
  await looksWell(page, 'redirected-call');
  await page.goto(at(`tier/edit/${own.tiers[0]!.buyerTierId}?of=buyer`));
  const trial = page.getByRole('region', { name: 'A test call' });
  await trial.getByRole('button', { name: 'Call the buyer' }).click();
  await trial.getByText(`Redirected by 307 to POST ${mover.url}/there`).waitFor();
  expect(complaints).toEqual([]);
  await close();
  await mover.close();
});
