/** Decision 0018 on screen: returns, leads to settle, a buyer's account and its statement, as an owner uses them. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot, standing } from '#test/harness/browser.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let buyer: ScriptedBuyer;
let browser: Browser;
let world: World;
let owner: { email: string; password: string };
const leads: Record<string, string> = {};

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(({ body, path }) => {
    const email = String((JSON.parse(body) as { email: string }).email);
    if (path.includes('slow')) return { body: JSON.stringify({ result: 'accepted', price: '21.00' }), delayMs: 350 };
    const result = email.startsWith('pending') ? 'pending' : 'accepted';
    return { body: JSON.stringify({ result, id: `B-${email}` }) };
  });
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'priority',
        tiers: [
          {
            url: `${buyer.url}/slow`,
            buyer: 'Slow Loans',
            name: 'Late',
            timeLimitMs: 150,
            filter: { field: 'email', is: 'startsWith', value: 'late' },
          },
          { url: buyer.url, buyer: 'Beacon Loans', name: 'Main' },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  for (const email of ['sold-1', 'sold-2', 'sold-3', 'pending-1', 'pending-2', 'pending-3', 'late-1']) {
    const answer = await node.post('/api/v1/leads', { ...LEAD, email: `${email}@example.com` }, { authorization: `Bearer ${world.key}` });
    leads[email] = answer.json.leadId;
  }
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

const signedIn = (options: Parameters<typeof openPage>[1] = {}) => openSignedIn(browser, node.url, owner, options);
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const told = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const at = (path: string) => `${node.url}/#!/setup/us/payday/${path}`;
const beacon = () => world.tiers[1]!;

describe('a return', () => {
  it('is made on the page of the lead, with a reason and a part of the price, and stands there afterwards', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at(`leads/${leads['sold-1']}`));
    await page.getByRole('button', { name: 'Return this lead' }).click();
    const dialog = page.getByRole('dialog', { name: 'Return this lead for Beacon Loans' });
    await dialog.getByRole('button', { name: 'Return the lead' }).click();
    await dialog.getByText('Choose a reason.').waitFor();
    await dialog.getByLabel('Reason').selectOption('Wrong number');
    await dialog.getByLabel('The buyer gets back').fill('25');
    await dialog.getByRole('button', { name: 'Return the lead' }).click();
    await dialog.getByText('Up to 20.00.').waitFor();
    await dialog.getByLabel('The buyer gets back').fill('5');
    await dialog.getByLabel('Note').fill('The number belongs to somebody else.');
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'return-dialog');
    await dialog.getByRole('button', { name: 'Return the lead' }).click();
    await told(page, 'The lead is returned.');
    await told(page, 'Returned: Wrong number');
    expect(await page.getByRole('button', { name: 'Return this lead' }).count()).toBe(0);
    await page
      .getByRole('button', { name: /Dismiss|Close/ })
      .first()
      .click()
      .catch(() => {});
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'returned-lead');
    await page.goto(at('leads'));
    await page.locator('tr', { hasText: 'Returned' }).first().waitFor();
    await page.goto(at('overview'));
    await told(page, 'One lead returned today');
    await shoot(page, 'overview-returned');
    expect(complaints).toEqual([]);
    await close();
  });

  it('of many is made from a file: every line says what became of it', async () => {
    const { page, complaints, close } = await signedIn();
    const file = join(mkdtempSync(join(tmpdir(), 'returns-')), 'returns.csv');
    writeFileSync(file, `lead,reason\n${leads['sold-2']},Duplicate\nB-sold-3@example.com,Bad mood\nB-nobody,Duplicate\n`);
    await page.goto(at('leads'));
    await page.getByRole('button', { name: 'Returns from a file' }).click();
    const dialog = page.getByRole('dialog', { name: 'Return the leads of a file' });
    await dialog.getByLabel('Buyer').click();
    await page.getByRole('option', { name: 'Beacon Loans' }).click();
    await dialog.locator('input[type=file]').setInputFiles(file);
    await dialog.getByRole('button', { name: 'Return the leads' }).click();
    await told(page, '1 of 3 lines of the file are returned.');
    await dialog.getByText('Give one of these reasons:').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'return-file');
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Save as CSV' }).click();
    expect(readFileSync((await (await download).path())!, 'utf8').split('\r\n').length).toBe(5);
    await dialog.getByRole('button', { name: 'Done' }).click();
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('leads to settle', () => {
  it('are read, not settled, by who may only read leads; what a buyer said later that could not be taken is told', async () => {
    const { organizationId, regionId, verticalId } = world;
    const buyerTierId = beacon().buyerTierId;
    const why = 'The balance of the buyer does not pay 60.00: 40.01 is left for this lead. It stays held until we settle it.';
    const refused = { organization_id: organizationId, lead_id: leads['pending-1']!, buyer_tier_id: buyerTierId, why, said_at: new Date() };
    await node.db.insertInto('refused_postback').values(refused).execute();
    const pages = [{ value: 'leadFlow-Inbound', pageChecked: true }];
    const reader = await buildUser(node.db, organizationId, {
      role: 'member',
      permissions: [{ regionId, regionChecked: true, verticals: [{ verticalId, verticalChecked: true, pages }] }],
    });
    const { page, complaints, close } = await openSignedIn(browser, node.url, reader);
    await page.goto(at('leads/to-settle'));
    await told(page, 'who sets this vertical up settles them');
    await told(page, 'It said later that it bought.');
    expect(await page.getByRole('button', { name: /^Buyer (bought|did)/ }).count()).toBe(0);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'to-settle-reader');
    await page.goto(at('leads'));
    await page.getByRole('link', { name: /To settle/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Returns from a file' }).count()).toBe(0);
    await page.goto(at(`leads/${leads['sold-3']}`));
    await told(page, 'A return is entered by who sets this vertical up.');
    expect(await page.getByRole('button', { name: 'Return this lead' }).count()).toBe(0);
    await shoot(page, 'lead-reader');
    expect(complaints).toEqual([]);
    await close();
  });

  it('are listed with what is known, and settled one by one or many at once', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at('leads'));
    await page.getByRole('link', { name: /To settle/ }).click();
    await heading(page, 'To settle');
    await told(page, 'The buyer said it will decide later.');
    await told(page, 'It was sold to Beacon Loans meanwhile.');
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'to-settle');
    // Of one that a colleague settles while the dialog is open it is said so, though its line is gone.
    const lost = page.locator('.to-settle-list > li').filter({ hasText: leads['pending-3']!.slice(-8) });
    await lost.getByLabel(/pays/).fill('0');
    await lost.getByRole('button', { name: 'Buyer bought it' }).click();
    const bought = page.getByRole('button', { name: 'Settle as bought', exact: true });
    await told(page, 'The price must be more than 0.');
    expect(await bought.isDisabled()).toBe(true);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await lost.getByLabel(/pays/).fill('20');
    await lost.getByRole('button', { name: 'Buyer bought it' }).click();
    await page.getByRole('dialog').getByText('and the publisher is paid $16.00').waitFor();
    await page.evaluate(
      async (body) => {
        const headers = { 'content-type': 'application/json', 'x-requested-with': 'sluice' };
        await fetch('/api/console/settlements', { method: 'POST', headers, body });
      },
      JSON.stringify({ leads: [{ leadId: leads['pending-3'], buyerTierId: beacon().buyerTierId, outcome: 'notBought' }] }),
    );
    await bought.click();
    await page.getByRole('alert').getByText('It is settled already: the lead was not bought.', { exact: false }).waitFor();
    await expect.poll(() => page.locator('.to-settle-list > li').count()).toBe(3);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'settled-meanwhile');
    const item = page.locator('.to-settle-list > li').filter({ hasText: 'Late yes' });
    await item.getByRole('button', { name: 'Buyer did not' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    expect(await page.locator('.to-settle-list > li').count()).toBe(3);
    await item.getByRole('button', { name: 'Buyer did not' }).click();
    await page
      .getByRole('dialog', { name: 'Settle the lead at Slow Loans as not bought?' })
      .getByRole('button', { name: 'Settle as not bought' })
      .click();
    await expect.poll(() => page.locator('.to-settle-list > li').count()).toBe(2);
    await page.getByLabel('Choose all').check();
    const first = page.locator('.to-settle-list > li').first();
    await first.getByLabel(/pays/).fill('');
    expect(await page.getByRole('button', { name: 'Buyer bought them' }).isDisabled()).toBe(true);
    await first.getByLabel(/pays/).fill('1750');
    await page.getByRole('button', { name: 'Buyer bought them' }).click();
    const sure = page.getByRole('dialog', { name: 'Settle 2 leads as bought?' });
    await sure.getByText('is far above').waitFor();
    expect(await sure.getByRole('button', { name: 'Settle as bought' }).isDisabled()).toBe(true);
    await sure.getByLabel('The price is right').check();
    // It waits for what the publishers would be paid.
    await expect.poll(() => sure.getByRole('button', { name: 'Settle as bought' }).isEnabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'settle-far-price');
    await sure.getByRole('button', { name: 'Cancel' }).click();
    await first.getByLabel(/pays/).fill('17.5');
    await page.getByRole('button', { name: 'Buyer bought them' }).click();
    await expect.poll(() => sure.getByRole('button', { name: 'Settle as bought' }).isEnabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'settle-dialog');
    await page.getByRole('dialog', { name: 'Settle 2 leads as bought?' }).getByRole('button', { name: 'Settle as bought' }).click();
    await told(page, 'Nothing is open');
    await shoot(page, 'nothing-to-settle');
    await page.goto(at(`leads/${leads['pending-1']}`));
    await heading(page, /Settled by hand: the buyer bought it for \$17.50/);
    expect(complaints.filter((one) => !/\/api\/console\/settlements/.test(one))).toEqual([]);
    await close();
  });
});

describe('a buyer’s account', () => {
  it('is billed, paid into and adjusted on its page; the figures follow', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at(`buyers/${beacon().buyerId}`));
    const account = page.getByRole('region', { name: 'Account' });
    await account.getByText('The buyer owes us').waitFor();
    // One sign for it everywhere: on its page, in the list and on the statement.
    const owed = (await account.getByText(/^−\$[\d.]+$/).textContent())!;
    await page.goto(at(`buyers/${beacon().buyerId}/statement`));
    await page.getByRole('row', { name: 'Closing balance' }).getByText(owed, { exact: true }).waitFor();
    await page.goto(at('buyers'));
    await page.getByRole('row', { name: 'Beacon Loans' }).getByText(owed, { exact: true }).waitFor();
    await page.goto(at(`buyers/${beacon().buyerId}`));
    await page.getByLabel('How it pays').selectOption('credit');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Enter a value').or(page.getByText('is required')).or(page.locator('[aria-invalid=true]')).first().waitFor();
    await page.getByLabel('It may owe up to').fill('500');
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Buyers');
    await page.goto(at(`buyers/${beacon().buyerId}`));
    await account.getByText('Left to spend').waitFor();
    await account.getByRole('button', { name: 'Enter a payment' }).click();
    const dialog = page.getByRole('dialog', { name: 'Enter a payment' });
    await dialog.getByLabel('Amount').fill('250');
    await dialog.getByRole('button', { name: 'Enter the payment' }).click();
    await dialog.locator('[aria-invalid=true]').first().waitFor();
    await dialog.getByLabel('What for').fill('Bank transfer of November');
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'payment');
    await dialog.getByRole('button', { name: 'Enter the payment' }).click();
    await account.getByText('Paid in advance by the buyer').waitFor();
    await account.getByRole('button', { name: 'Enter an adjustment' }).click();
    await page.getByText('Charge the buyer').click();
    await page.getByLabel('Amount').fill('12.34');
    await page.getByLabel('What for').fill('Agreed on the phone');
    await page.getByRole('button', { name: 'Enter the adjustment' }).click();
    await told(page, 'Entered.');
    await shoot(page, 'buyer-account');
    await page.getByRole('region', { name: 'Return keys' }).getByRole('button', { name: 'Make a key' }).click();
    await told(page, 'Copy the key now');
    expect(await axe(page)).toEqual([]);
    await account.getByRole('link', { name: 'Statements' }).click();
    await heading(page, 'Statement of Beacon Loans');
    await told(page, 'Closing balance');
    await told(page, 'Provisional');
    await told(page, 'Bank transfer of November');
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'statement');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'Print' }).isVisible()).toBe(false);
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/statement-print.png` });
    await page.emulateMedia({ media: null });
    await page.getByLabel('The month before').click();
    await page.waitForURL(/month=/);
    await told(page, 'None this month.');
    expect(await page.getByLabel('The month after').isEnabled()).toBe(true);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect((await download).suggestedFilename()).toMatch(/^statement-Beacon-Loans-\d{4}-\d\d-\d\d\w{3}\d{4}\.csv$/);
    expect(complaints).toEqual([]);
    await close();
  });

  it('of a publisher says what we owe it', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at(`publishers/${world.publisherId}`));
    const account = page.getByRole('region', { name: 'Account' });
    await account.getByText('We owe the publisher').waitFor();
    await account.getByRole('link', { name: 'Statements' }).click();
    await heading(page, 'Statement of Publisher One');
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('what a tier and the organization say of returns and pending sales', () => {
  it('is set on their pages; the address for postbacks is shown and made anew', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at(`tier/edit/${beacon().buyerTierId}?of=buyer`));
    const postback = page.getByRole('region', { name: 'Postback address' });
    const address = postback.locator('code', { hasText: '/api/v1/postback/' });
    const before = await address.textContent();
    await page.getByLabel('A pending sale is decided within').fill('24');
    await page.getByLabel('A lead may be returned for').fill('7');
    await shoot(page, 'buyer-tier-after-post');
    await postback.getByRole('button', { name: 'Make a new address' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Make the new address' }).click();
    await expect.poll(() => address.textContent()).not.toBe(before);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save' }).click();
    await heading(page, 'Beacon Loans');
    const tier = await node.db
      .selectFrom('buyer_tier')
      .select(['pending_hours', 'return_days'])
      .where('id', '=', beacon().buyerTierId)
      .executeTakeFirst();
    expect(tier).toEqual({ pending_hours: 24, return_days: 7 });
    await page.goto(`${node.url}/#!/organization-edit`);
    const card = page.getByRole('form', { name: 'Returns' });
    await card.getByLabel('A lead may be returned for').fill('21');
    await card.getByLabel('Reasons a buyer may give').fill('Moved away');
    await page.keyboard.press('Enter');
    await card.getByRole('button', { name: 'Save the terms' }).click();
    await told(page, 'Organization saved.');
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'organization-returns');
    const terms = await node.db
      .selectFrom('organization')
      .select(['return_days', 'return_reasons'])
      .where('id', '=', world.organizationId)
      .executeTakeFirstOrThrow();
    expect([terms.return_days, terms.return_reasons.at(-1)]).toEqual([21, 'Moved away']);
    expect(complaints).toEqual([]);
    await close();
  });
});

it('every one of these screens fits a phone', async () => {
  const { page, close } = await signedIn({ viewport: PHONE });
  for (const path of [
    `leads/${leads['sold-1']}`,
    'leads/to-settle',
    'leads',
    `buyers/${beacon().buyerId}`,
    `buyers/${beacon().buyerId}/statement`,
  ]) {
    await page.goto(at(path));
    await standing(page);
    expect([path, await overflows(page)]).toEqual([path, false]);
  }
  await close();
});
