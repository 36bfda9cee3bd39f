/** console §3: the rows of a buyer's endpoint that say what is read of an answer, and the trial beside them. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, openSignedIn, shoot } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ({ ...ACCEPT, delayMs: 600 }));
  world = await buildWorld(node.db, { groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker', name: 'Standard' }] }] });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

async function opened() {
  const watched = await openSignedIn(browser, node.url, owner, {
    at: `${node.url}/#!/setup/us/payday/tier/add?buyerId=${world.tiers[0]!.buyerId}`,
  });
  const { page } = watched;
  await page.getByRole('heading', { level: 1, name: 'New buyer tier' }).waitFor();
  return watched;
}

describe('console §3: what is read of a buyer’s answer', () => {
  it('places and unit of the bid, its expiry, redirect and reference are rows; nothing of it needs JSON', async () => {
    const { page, complaints, close } = await opened();
    await page.getByLabel('Name', { exact: true }).fill('Bidder');
    await page.getByLabel('Delivery').selectOption('pingPost');
    await page.getByLabel('Price', { exact: true }).selectOption('bid');
    await page.getByText('Ping', { exact: true }).click();
    await page.getByRole('button', { name: 'Set the ping up' }).click();
    await page.getByLabel('Address', { exact: true }).fill(buyer.url);
    await page.getByRole('button', { name: 'Add a row' }).click();
    await page.getByLabel('Buyer’s key 1').fill('email');
    const bid = page.getByRole('region', { name: 'Bid in the answer', exact: true });
    await bid.getByRole('button', { name: 'Say where it stands: bid' }).click();
    await bid.getByLabel('Where it stands: bid').fill('offer.cents');
    await bid.getByRole('button', { name: 'Add another place: bid' }).click();
    await bid.getByLabel('Kind of place: bid, place 2').selectOption('header');
    await bid.getByLabel('Where it stands: bid, place 2').fill('x-bid');
    await bid.getByLabel('Written').selectOption('cent');
    const expiry = page.getByRole('region', { name: 'Expiry of the bid in the answer' });
    await expiry.getByRole('button', { name: 'Say where it stands: expiry' }).click();
    await expiry.getByLabel('Where it stands: expiry').fill('ttl');
    await expiry.getByLabel('Written as').selectOption('minutes');
    const wait = page.getByRole('region', { name: 'Time to wait in the answer' });
    await wait.getByRole('button', { name: 'Say where it stands: time to wait' }).click();
    await wait.getByLabel('Where it stands: time to wait').fill('retry_after');
    expect(await axe(page)).toEqual([]);
    await expiry.scrollIntoViewIfNeeded();
    await shoot(page, 'endpoint-answer');
    const pasted = page.getByRole('region', { name: 'A pasted answer' });
    await pasted.getByLabel('Answer of the buyer').fill('{"status":"accepted","ttl":2}');
    await pasted.getByLabel('Headers').fill('HTTP/1.1 200 OK\nX-Bid: 1950');
    await pasted.getByText(/price \$19\.50; by rule 1; holds until/).waitFor();
    await page.getByText('Post', { exact: true }).first().click();
    await page.getByLabel('Address', { exact: true }).fill(buyer.url);
    const redirect = page.getByRole('region', { name: 'Redirect in the answer' });
    await redirect.getByLabel('Where the answer names none').fill('https://buyer.example/thanks');
    const reference = page.getByRole('region', { name: 'Reference in the answer' });
    await reference.getByRole('button', { name: 'Say where it stands: reference' }).click();
    await reference.getByLabel('Where it stands: reference').fill('id');
    await page.getByRole('button', { name: 'Add buyer tier' }).click();
    await page.getByRole('heading', { level: 1, name: 'Taker' }).waitFor();
    const { rows } = await node.pool.query(`select endpoint from buyer_tier where name = 'Bidder'`);
    expect(rows[0].endpoint.ping.response).toMatchObject({
      price: { at: [{ path: 'offer.cents' }, { header: 'x-bid' }], unit: 'cent' },
      expiry: { at: [{ path: 'ttl' }], unit: 'minutes' },
      retryAfter: { at: [{ path: 'retry_after' }], unit: 'seconds' },
    });
    expect(rows[0].endpoint.post.response).toMatchObject({
      redirect: { template: 'https://buyer.example/thanks' },
      captures: { buyerRef: { at: [{ path: 'id' }] } },
    });
    // While a place is not named yet the preview says that the endpoint is not complete.
    expect(complaints.filter((one) => !one.includes('endpoint/preview'))).toEqual([]);
    await close();
  });

  it('an answer may be its code alone, and the test call keeps the tier’s time and says when it was passed', async () => {
    const { page, complaints, close } = await opened();
    await page.getByLabel('Address', { exact: true }).fill(buyer.url);
    const pasted = page.getByRole('region', { name: 'A pasted answer' });
    await pasted.getByLabel('HTTP code').fill('503');
    await pasted.getByText('Error', { exact: true }).waitFor();
    await page.getByLabel('Answer within').fill('200');
    const trial = page.getByRole('region', { name: 'A test call' });
    await trial.getByText('as long as the tier does, 200 ms', { exact: false }).waitFor();
    await trial.getByRole('button', { name: 'Call the buyer' }).click();
    await trial.getByText('The time limit of 200 ms was passed', { exact: false }).waitFor();
    await shoot(page, 'endpoint-timed-out');
    await page.getByLabel('Answer within').fill('5000');
    await trial.getByRole('button', { name: 'Call the buyer' }).click();
    await trial.getByText('HTTP 200 after', { exact: false }).waitFor();
    expect(await trial.getByText('was passed').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});
