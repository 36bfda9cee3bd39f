/** console §3: the rows of a buyer's endpoint that say what is read of an answer, and the trial beside them. */
import type { Browser, Page } from 'playwright-core';
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
    await page.getByText('without an answer in 10 s').click();
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

describe('console §3: every format of an endpoint has its form, with a preview', () => {
  const endpointOf = async (name: string) =>
    (await node.pool.query('select endpoint from buyer_tier where name = $1', [name])).rows[0].endpoint.post;
  const previewed = (page: Page, text: string | RegExp) =>
    page.getByRole('region', { name: 'Preview' }).locator('pre').filter({ hasText: text }).waitFor();

  it('a SOAP call by its parts, signed, after a call for a token', async () => {
    const { page, complaints, close } = await opened();
    await page.getByLabel('Name', { exact: true }).fill('Soapy');
    await page.getByLabel('Amount', { exact: true }).fill('12');
    await page.getByLabel('Address', { exact: true }).fill(`${buyer.url}/soap`);
    await page.getByLabel('Sent as').selectOption('soap');
    await page.getByLabel('Operation', { exact: true }).fill('PostLead');
    await page.getByLabel('Action', { exact: true }).fill('urn:b/PostLead');
    await page.getByLabel('Namespace of the operation').fill('urn:b');
    await page.getByLabel('Buyer’s key 1').fill('Lead.Email');
    await page.getByText('Signature', { exact: true }).click();
    await page.getByRole('switch', { name: 'Sign the body' }).click();
    await page.getByRole('combobox', { name: 'Until then also with' }).fill('signing_old');
    await page.getByRole('combobox', { name: 'Until then also with' }).press('Enter');
    await page.getByLabel('Until (UTC)').fill('2026-12-24T12:00');
    await page.getByLabel('Authentication').selectOption('tokenCall');
    await page.getByLabel('Token address').fill(`${buyer.url}/login`);
    await page.getByRole('switch', { name: 'Follow redirects' }).click();
    await page.getByRole('switch', { name: 'Try again when nothing was sent' }).click();
    await previewed(page, '<PostLead xmlns="urn:b"><Lead><Email>');
    await previewed(page, 'soapaction: "urn:b/PostLead"');
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('Operation', { exact: true }).scrollIntoViewIfNeeded();
    await shoot(page, 'endpoint-soap');
    await page.getByRole('button', { name: 'Add buyer tier' }).click();
    await page.getByRole('heading', { level: 1, name: 'Taker' }).waitFor();
    expect(await endpointOf('Soapy')).toMatchObject({
      body: { format: 'soap', version: '1.1', operation: 'PostLead', action: 'urn:b/PostLead', namespace: 'urn:b' },
      sign: { secret: 'signing', previous: { secret: 'signing_old', until: '2026-12-24T12:00:00Z' } },
      followRedirects: true,
      retryUnsent: true,
      auth: { kind: 'tokenCall', scheme: 'Bearer', call: { url: `${buyer.url}/login`, token: [{ path: 'access_token' }] } },
    });
    expect(complaints.filter((one) => !one.includes('endpoint/preview'))).toEqual([]);
    await close();
  });

  it('an e-mail with a text, HTML and an attached document', async () => {
    const { page, complaints, close } = await opened();
    await page.getByLabel('Name', { exact: true }).fill('Reader');
    await page.getByLabel('Amount', { exact: true }).fill('12');
    await page.getByLabel('Sent as').selectOption('mail');
    await page.getByLabel('Address', { exact: true }).fill('leads@buyer.example');
    expect(await page.getByLabel('Authentication').count()).toBe(0);
    expect(await page.getByRole('switch', { name: /redirects|Try again/ }).count()).toBe(0);
    await page.getByLabel('Text', { exact: true }).fill('A lead: {{first_name}}');
    await page.getByLabel('HTML', { exact: true }).fill('<b>{{first_name}}</b>');
    await page.getByRole('switch', { name: 'Attach the lead as an XML document' }).click();
    await page.getByRole('button', { name: 'Add a row' }).click();
    await page.getByLabel('Buyer’s key 1').fill('email');
    await previewed(page, '--- lead.xml ---');
    const pasted = page.getByRole('region', { name: 'A pasted answer' });
    await pasted.getByLabel('Answer of the buyer').fill('550 no such mailbox');
    await pasted.getByLabel('HTTP code').fill('550');
    await pasted.getByText('Declined', { exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByLabel('Subject', { exact: true }).scrollIntoViewIfNeeded();
    await shoot(page, 'endpoint-mail');
    await page.getByRole('button', { name: 'Add buyer tier' }).click();
    await page.getByRole('heading', { level: 1, name: 'Taker' }).waitFor();
    expect(await endpointOf('Reader')).toMatchObject({
      url: 'mailto:leads@buyer.example',
      body: {
        format: 'mail',
        text: 'A lead: {{first_name}}',
        html: '<b>{{first_name}}</b>',
        attachment: { name: 'lead.xml', root: 'lead' },
      },
      response: { outcomes: [{ outcome: 'accepted', when: [{ at: { part: 'status' }, is: 'equal', value: 250 }] }] },
    });
    expect(complaints.filter((one) => !one.includes('endpoint/preview'))).toEqual([]);
    await close();
  });

  it('one object, one parameter with others beside it, and free text that is escaped for its grammar', async () => {
    const { page, complaints, close } = await opened();
    await page.getByLabel('Name', { exact: true }).fill('Wrapped');
    await page.getByLabel('Amount', { exact: true }).fill('12');
    await page.getByLabel('Address', { exact: true }).fill(buyer.url);
    await page.getByLabel('Buyer’s key 1').fill('Email');
    await page.getByText('Wrapped in something').click();
    await page.getByLabel('In one object named').fill('Request');
    await previewed(page, '{"Request":{"Email":');
    await page.getByLabel('In one form parameter named').fill('payload');
    await page.getByRole('button', { name: 'Add a row' }).last().click();
    await page.getByLabel('Buyer’s key 1').last().fill('source');
    await previewed(page, /source=\S+&payload=%7B%22Request%22/);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'endpoint-wrapped');
    await page.getByRole('button', { name: 'Add buyer tier' }).click();
    await page.getByRole('heading', { level: 1, name: 'Taker' }).waitFor();
    expect((await endpointOf('Wrapped')).body).toMatchObject({
      root: 'Request',
      wrap: { parameter: 'payload', beside: [{ to: 'source' }] },
    });
    await page.goto(`${node.url}/#!/setup/us/payday/tier/add?buyerId=${world.tiers[0]!.buyerId}`);
    await page.getByLabel('Address', { exact: true }).fill(buyer.url);
    await page.getByLabel('Sent as').selectOption('text');
    await page.getByLabel('Text', { exact: true }).fill('<lead><mail>{{email}}</mail></lead>');
    await page.getByLabel('Values are written for').selectOption('xml');
    await previewed(page, 'content-type: text/xml');
    expect(complaints.filter((one) => !one.includes('endpoint/preview'))).toEqual([]);
    await close();
  });
});
