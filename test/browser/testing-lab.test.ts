/** console §2, §3 "testing-lab" in the browser: a lead is sent, samples are kept, leads replayed and published, and the eligibility checker opened by its token. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { axe, launchBrowser, openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, dollars, jsonEndpoint, LEAD, type World } from '#test/harness/world.ts';

const LAB = '/#!/setup/us/payday/testing-lab';
let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  // The first one refuses every third lead.
  buyer = await startBuyer(({ path, body }) => {
    const refuses = path.startsWith('/ann') && Number(/t(\d+)@/.exec(body)?.[1] ?? 1) % 3 === 0;
    return { body: JSON.stringify({ result: refuses ? 'rejected' : 'accepted' }) };
  });
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    testValues: { field: 'email', sold: 'sold@example.com', rejected: 'no@example.com' },
    priceModel: { kind: 'fixed', price: dollars(5) },
    groups: [
      {
        mode: 'priority',
        tiers: [
          {
            ...{ url: `${buyer.url}/ann`, buyer: 'Ann Finance', name: 'Ann $20', price: { kind: 'fixed', price: dollars(20) } },
            endpoint: jsonEndpoint(`${buyer.url}/ann`, 'post', [{ to: 'is_test', from: { kind: 'system', name: 'test' } }]),
          },
        ],
      },
      {
        mode: 'highestPrice',
        tiers: [{ url: `${buyer.url}/bob`, buyer: 'Bob Loans', name: 'Bob $12', price: { kind: 'fixed', price: dollars(12) } }],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  for (let n = 0; n < 12; n++) {
    const lead = { ...LEAD, email: `t${n}@example.com`, phone: `212555${1000 + n}` };
    await node.post('/api/v1/leads', lead, { authorization: `Bearer ${world.key}` });
  }
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

const open = (at: string, options: Parameters<typeof openPage>[1] = {}) =>
  openSignedIn(browser, node.url, owner, { at: node.url + at, ...options });
const tab = (page: Page, name: string) => page.getByRole('navigation', { name: 'Testing lab' }).getByRole('link', { name });
const email = (page: Page) => page.getByRole('textbox', { name: /^Email/ });
const members = (at: number) => [{ buyerTierId: world.tiers[at]!.buyerTierId, weight: null }];

/** Bob before Ann. */
async function saveDraft(): Promise<void> {
  const groups = [
    { _id: null, name: 'Bob first', mode: 'priority', timeLimitMs: null, members: members(1) },
    { _id: null, name: 'Then Ann', mode: 'priority', timeLimitMs: null, members: members(0) },
  ];
  const row = { organization_id: world.organizationId, campaign_id: world.campaignId };
  await node.db.deleteFrom('tree_draft').where('campaign_id', '=', world.campaignId).execute();
  await node.db
    .insertInto('tree_draft')
    .values({ ...row, groups: JSON.stringify(groups), updated_by: 'Una User' })
    .execute();
}

describe('console §3 testing-lab: one lead', () => {
  it('goes to simulated buyers by the keyboard alone, and every decision is told as on the page of a lead', async () => {
    const { page, complaints, close } = await open('/');
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Growth' }).click();
    await page.getByRole('navigation', { name: 'Growth pages' }).getByRole('link', { name: 'Testing lab' }).click();
    await email(page).waitFor();
    expect(await email(page).inputValue()).toBe('sample.person@example.com');
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await shoot(page, 'lab-send');
    const calls = buyer.calls.length;
    await page.getByLabel('What Ann Finance, Ann $20 says').focus();
    await page.keyboard.type('dec');
    await page.getByLabel('What Bob Loans, Bob $12 pays').focus();
    await page.keyboard.type('13.5');
    await email(page).focus();
    await page.keyboard.press('Enter');
    await page.getByText('The lead went to simulated buyers. Nothing of it is kept.').waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('What came of it');
    await page.getByRole('heading', { level: 2, name: /sold/i }).first().waitFor();
    const verdicts = page.locator('.verdict-table');
    await verdicts.getByRole('row').filter({ hasText: 'Ann $20' }).getByText('Declines', { exact: true }).waitFor();
    expect(await verdicts.getByRole('row').filter({ hasText: 'Bob $12' }).textContent()).toContain('Accepts');
    await page.getByText('$13.50').first().waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'lab-sent');
    // The conversation of a simulated buyer holds the real request.
    await page.getByRole('button', { name: 'Bob $12', exact: true }).click();
    await page.getByText('No answer came').last().waitFor();
    expect(buyer.calls.length).toBe(calls);
    // What was set stays set.
    await page.reload();
    await expect.poll(() => page.getByLabel('What Ann Finance, Ann $20 says').inputValue()).toBe('rejects');
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §5: a wrong field is told at the field; a test value of the campaign is put in with a click', async () => {
    const { page, complaints, close } = await open(LAB);
    await email(page).fill('nobody');
    await page.getByRole('button', { name: 'Send the lead' }).click();
    await page.getByRole('heading', { name: 'One field is wrong' }).waitFor();
    expect(await email(page).getAttribute('aria-invalid')).toBe('true');
    await page.getByRole('button', { name: 'no@example.com is always declined' }).click();
    await page.getByRole('button', { name: 'Send the lead' }).click();
    await page.getByText('Test lead: rejected. Nothing was reserved, sent or counted.').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('goes to real buyers only after it was said what that means, and is kept as a test with a page of its own', async () => {
    const { page, complaints, close } = await open(LAB);
    const calls = buyer.calls.length;
    await page.getByRole('radio', { name: /^Real/ }).check();
    await page.getByRole('button', { name: 'Send to real buyers…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Up to 2 buyer tiers').waitFor();
    // Ann is told by a field of hers; Bob would take it for a real lead.
    const untold = dialog.locator('.form-note');
    await untold.getByText('Nothing tells this buyer that it is a test.').waitFor();
    expect(await untold.getByRole('listitem').allTextContents()).toEqual(['Bob Loans, Bob $12']);
    await dialog.getByText('Ann Finance, Ann $20, by is_test').waitFor();
    await shoot(page, 'lab-ask-real');
    expect(await axe(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(buyer.calls.length).toBe(calls);
    await page.getByRole('button', { name: 'Send to real buyers…' }).click();
    await dialog.getByRole('button', { name: 'Send to real buyers all the same' }).click();
    await page.getByText('sent to real buyers and is kept as a test').waitFor();
    expect(buyer.calls.length).toBe(calls + 1);
    expect(JSON.parse(buyer.calls.at(-1)!.body)).toMatchObject({ is_test: 'true' });
    await page.getByRole('link', { name: 'Open its page' }).click();
    await page.waitForURL(/\/leads\/[0-9a-f-]{36}/);
    // From there it can be tried again; what is personal is not shown.
    await page.getByRole('link', { name: 'Try it again in the testing lab' }).click();
    await page.getByText('What is personal is used as it came').waitFor();
    expect(await email(page).inputValue()).toBe('');
    expect(await page.getByRole('radio', { name: /^Real/ }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Send the lead' }).click();
    await page.getByText('Nothing of it is kept.').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('goes by the draft where that is chosen', async () => {
    await saveDraft();
    const { page, close } = await open(LAB);
    await page.getByLabel('Ping tree').selectOption('draft');
    await page.getByText('Bob first').waitFor();
    await page.getByRole('button', { name: 'All buy' }).click();
    await page.getByRole('button', { name: 'Send the lead' }).click();
    const first = page.locator('.verdict-table tbody').first();
    await first.getByText('Bob $12').waitFor();
    expect(await first.textContent()).toContain('Accepts');
    await close();
  });
});

describe('console §6: who has this page alone', () => {
  it('begins there, finds it in the menu, and is led to nothing that is not open', async () => {
    const pages = [{ value: 'testing-lab', pageChecked: true }];
    const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages }];
    const permissions = [{ regionId: world.regionId, regionChecked: true, verticals }];
    const member = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
    const { page, complaints, close } = await openSignedIn(browser, node.url, member);
    await page.waitForURL(/#!\/setup\/us\/payday\/testing-lab/);
    await email(page).waitFor();
    expect(await page.getByRole('navigation', { name: 'Pages', exact: true }).getByRole('link').allTextContents()).toEqual(['Growth']);
    expect(await page.getByRole('navigation', { name: 'Growth pages' }).getByRole('link').allTextContents()).toEqual(['Testing lab']);
    await page.getByRole('radio', { name: /^Real/ }).check();
    await page.getByRole('button', { name: 'Send to real buyers…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Send to real buyers all the same' }).click();
    await page.getByText('sent to real buyers and is kept as a test').waitFor();
    expect(await page.getByRole('link', { name: 'Open its page' }).count()).toBe(0);
    await tab(page, 'Replay').click();
    await page.getByLabel('Tree', { exact: true }).selectOption('draft');
    await page.getByRole('button', { name: 'Start the replay' }).click();
    await page.getByText('Who may set up this vertical can publish it.').waitFor({ timeout: 20_000 });
    expect(await page.getByRole('button', { name: 'Publish the draft…' }).isDisabled()).toBe(true);
    expect(await page.getByRole('link', { name: 'Flow control' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('console §3 testing-lab: sample leads', () => {
  it('an empty list teaches; a sample is kept, edited by who saw it last, sent, removed, and brought back', async () => {
    const { page, complaints, close } = await open(`${LAB}/samples`);
    await page.getByText('No sample leads yet.').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'lab-samples-empty');
    await page.getByRole('link', { name: 'Add a sample lead' }).first().click();
    await page.getByRole('button', { name: 'Add the sample lead' }).click();
    await expect.poll(() => page.evaluate(() => document.activeElement?.getAttribute('data-path'))).toBe('name');
    await page.getByRole('textbox', { name: /^Name/ }).fill('Texas, must be refused');
    await email(page).fill('texas@example.com');
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'lab-sample-form');
    await page.getByRole('button', { name: 'Add the sample lead' }).click();
    const row = page.getByRole('row').filter({ hasText: 'Texas, must be refused' });
    await row.waitFor();
    await shoot(page, 'lab-samples');
    // Somebody else changes it while it is open.
    await row.getByRole('link', { name: 'Texas, must be refused', exact: true }).click();
    await email(page).fill('mine@example.com');
    await node.db.updateTable('sample_lead').set({ version: 7 }).where('organization_id', '=', world.organizationId).execute();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Somebody has changed this sample meanwhile.').waitFor();
    await page.getByRole('button', { name: 'Show it as it is now' }).click();
    await expect.poll(() => email(page).inputValue()).toBe('texas@example.com');
    await email(page).fill('texas2@example.com');
    await page.getByRole('button', { name: 'Save' }).click();
    await row.getByRole('link', { name: 'Send Texas, must be refused' }).click();
    await expect.poll(() => email(page).inputValue()).toBe('texas2@example.com');
    expect(await page.getByLabel('Filled from').locator('option:checked').textContent()).toBe('Sample: Texas, must be refused');
    await tab(page, 'Sample leads').click();
    await row.getByRole('button', { name: 'Remove Texas, must be refused' }).click();
    await page.getByText('No sample leads yet.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.waitFor();
    // The one refusal is the conflict.
    expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
    await close();
  });
});

describe('console §3 testing-lab: replay', () => {
  it('tells the difference per buyer and group, and publishes the draft; one that moved on is refused', async () => {
    await saveDraft();
    const { page, complaints, close } = await open(`${LAB}/replay`);
    await page.getByRole('heading', { level: 2, name: 'Replays' }).waitFor();
    await page.getByRole('button', { name: /Yesterday/ }).click();
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'lab-replay-form');
    await page.getByRole('button', { name: 'Start the replay' }).click();
    const inAll = page.getByRole('region', { name: 'In all', exact: true });
    await inAll.waitFor({ timeout: 20_000 });
    const cells = (name: string) => inAll.getByRole('row').filter({ hasText: name }).first().getByRole('cell').allInnerTexts();
    // Ann took eight of twelve and Bob the rest; Bob, who took all he was asked for, takes all twelve.
    expect(await cells('Revenue')).toEqual(['$208.00', '$208.00', '$144.00', '−$64.00']);
    expect(await cells('Leads sold')).toEqual(['12', '12', '12', '0']);
    await page.getByText('How far this can be believed').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await shoot(page, 'lab-replay-result');
    await page.getByRole('region', { name: 'Per buyer tier', exact: true }).scrollIntoViewIfNeeded();
    await shoot(page, 'lab-replay-parts');
    await tab(page, 'Replay').click();
    const line = page.getByRole('row').filter({ hasText: 'the draft' }).first();
    await line.getByText('−$64.00').waitFor();
    await shoot(page, 'lab-replays');
    await line.getByRole('link').click();
    // Another draft is saved while the question stands open.
    await page.getByRole('button', { name: 'Publish the draft…' }).click();
    await page.getByRole('dialog').getByText('Bob $12').first().waitFor();
    await node.db
      .updateTable('tree_draft')
      .set({ groups: '[]' })
      .where('organization_id', '=', world.organizationId)
      .where('campaign_id', '=', world.campaignId)
      .execute();
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('The draft was changed since. Replay it again before it is published.').waitFor();
    expect(await page.getByRole('button', { name: 'Publish the draft…' }).isDisabled()).toBe(true);
    await saveDraft();
    await page.reload();
    await page.getByRole('button', { name: 'Publish the draft…' }).click();
    await page.getByLabel('Note').fill('By the replay');
    await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
    await page.getByText('The draft was published or thrown away since.').waitFor();
    const version = await node.db
      .selectFrom('tree_version')
      .select('note')
      .where('campaign_id', '=', world.campaignId)
      .orderBy('id', 'desc')
      .executeTakeFirst();
    expect(version?.note).toBe('By the replay');
    expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
    await close();
  });

  it('says how far it is while another node works on it, and is cancelled for good; one that failed says why', async () => {
    const [underWay, failed] = [newId(), newId()];
    const settings = {
      ...{ campaignId: world.campaignId, publisherTierId: null, from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
      ...{ change: { tree: 'published' }, unrecorded: 'rejects' },
      settings: { margin: null, floor: '0', maxSales: null, timeLimitMs: null, buyerTiers: [] },
    };
    const row = {
      ...{ organization_id: world.organizationId, vertical_id: world.verticalId, campaign_id: world.campaignId, person_id: newId() },
      ...{ settings: JSON.stringify(settings), published: '[]', changed: '[]', total: 200, done: 50 },
    };
    const hour = new Date(Date.now() + 3_600_000);
    await node.db
      .insertInto('replay')
      .values([
        { ...row, id: underWay, status: 'running', lease_holder: newId(), lease_until: hour },
        { ...row, id: failed, status: 'failed', failure: 'The span has more in it than this machine can hold. Choose a shorter one.' },
      ])
      .execute();
    const { page, complaints, close } = await open(`${LAB}/replay/${underWay}`);
    await page.getByText('50 of 200 leads').waitFor();
    expect(await page.getByRole('progressbar', { name: 'Leads replayed' }).getAttribute('value')).toBe('50');
    await node.db.updateTable('replay').set({ done: 120 }).where('id', '=', underWay).execute();
    await page.getByText('120 of 200 leads').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'lab-replay-under-way');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('It was cancelled before it ended.').waitFor();
    const { status } = await node.db.selectFrom('replay').select('status').where('id', '=', underWay).executeTakeFirstOrThrow();
    expect(status).toBe('cancelled');
    await page.goto(`${node.url}${LAB}/replay/${failed}`);
    await page.getByText('It failed: The span has more in it than this machine can hold.').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §2: is followed and cancelled at {id}/trackProcess like every job, which leads to it in the lab', async () => {
    const [underWay, unknown] = [newId(), newId()];
    const settings = {
      ...{ campaignId: world.campaignId, publisherTierId: null, from: '2026-11-01T00:00:00Z', to: '2026-11-02T00:00:00Z' },
      ...{ change: { tree: 'published' }, unrecorded: 'rejects' },
      settings: { margin: null, floor: null, maxSales: null, timeLimitMs: null, buyerTiers: [] },
    };
    await node.db
      .insertInto('replay')
      .values({
        ...{ organization_id: world.organizationId, vertical_id: world.verticalId, campaign_id: world.campaignId, person_id: newId() },
        ...{ settings: JSON.stringify(settings), published: '[]', changed: '[]', total: 200, done: 50, id: underWay, status: 'running' },
        ...{ lease_holder: newId(), lease_until: new Date(Date.now() + 3_600_000) },
      })
      .execute();
    const { page, complaints, close } = await open(`/#!/${underWay}/trackProcess`);
    await page.getByRole('heading', { level: 1, name: 'Replay' }).waitFor();
    await page.getByText('50 of 200 leads').waitFor();
    await node.db.updateTable('replay').set({ done: 120 }).where('id', '=', underWay).execute();
    await page.getByText('120 of 200 leads').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'replay-job');
    await page.setViewportSize(PHONE);
    expect(await overflows(page)).toBe(false);
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('It was cancelled before it ended.').waitFor();
    await page.getByRole('link', { name: 'Open it in the testing lab' }).click();
    await page.waitForURL(new RegExp(`/setup/us/payday/testing-lab/replay/${underWay}`));
    await page.goto(`${node.url}/#!/${unknown}/trackProcess`);
    await page.getByText('There is no such job in your organization, or you may not see it.').waitFor();
    // That there is no job of its id is how a replay is found.
    expect(complaints.filter((one) => !one.includes('404'))).toEqual([]);
    await close();
  });

  it('is reached from flow control with its campaign, tries other settings, and is readable on a phone', async () => {
    const { page, complaints, close } = await open('/#!/setup/us/payday/flow-control', { viewport: PHONE });
    await page.getByRole('link', { name: 'Replay…' }).click();
    await page.waitForURL(/testing-lab\/replay\?campaign=/);
    await page.getByLabel('Tree', { exact: true }).selectOption('published');
    expect(await page.getByRole('button', { name: 'Start the replay' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Set a buyer tier otherwise' }).click();
    await page.getByRole('option', { name: 'Bob Loans, Bob $12' }).click();
    const tried = page.getByRole('group', { name: 'Bob Loans, Bob $12' });
    await tried.getByLabel('Status').selectOption('paused');
    await page.getByRole('radio', { name: /^declines/ }).check();
    await page.getByRole('button', { name: /Yesterday/ }).click();
    await page.getByRole('button', { name: 'Today', exact: true }).click();
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await page.getByRole('button', { name: 'Start the replay' }).click();
    await page.getByText('1 buyer tier set otherwise').waitFor();
    await page.getByRole('region', { name: 'In all', exact: true }).waitFor({ timeout: 20_000 });
    await page.getByRole('region', { name: 'Sold only by the published tree' }).getByRole('link').first().waitFor();
    expect(await overflows(page)).toBe(false);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('console §2, §7: the eligibility checker', () => {
  it('is opened by a link that is shown once, without header and sign-in, and by nothing once it is revoked', async () => {
    const { page, complaints, close } = await open(`${LAB}/eligibility`);
    await page.getByText('No links yet.').waitFor();
    await page.getByLabel('For whom').fill('Harbour Media');
    await page.getByRole('combobox', { name: 'Publisher tiers it opens' }).click();
    await page.getByRole('option').first().click();
    await page.keyboard.press('Escape');
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByText('Copy the link now: it is not shown again.').waitFor();
    const href = (await page.getByRole('link', { name: 'Open it' }).getAttribute('href'))!;
    expect(href).toMatch(/#!\/eligibility-checker-tool\/el_/);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'lab-eligibility');
    await page.reload();
    await page.getByText('Harbour Media').waitFor();
    expect(await page.getByText('el_').count()).toBe(0);

    const guest = await openPage(browser);
    await guest.page.goto(href);
    await guest.page.getByRole('heading', { level: 1, name: 'Eligibility checker' }).waitFor();
    expect(await guest.page.getByRole('banner').count()).toBe(0);
    expect(await axe(guest.page)).toEqual([]);
    await guest.page.getByRole('button', { name: 'Fill with plausible values' }).click();
    await guest.page.getByRole('button', { name: 'Check', exact: true }).click();
    await guest.page.getByText('2 of 2 buyer tiers could take this lead now').waitFor();
    await node.db.updateTable('buyer_tier').set({ status: 'paused' }).where('id', '=', world.tiers[0]!.buyerTierId).execute();
    await node.planBook.reload(world.organizationId);
    await guest.page.getByRole('button', { name: 'Check', exact: true }).click();
    await guest.page.getByText('1 of 2 buyer tiers could take this lead now').waitFor();
    expect(await axe(guest.page)).toEqual([]);
    expect(await overflows(guest.page)).toBe(false);
    await shoot(guest.page, 'eligibility-checker');
    expect(guest.complaints).toEqual([]);

    await page.getByRole('button', { name: 'Revoke the link for Harbour Media' }).click();
    await page.getByRole('button', { name: 'Revoke the link', exact: true }).click();
    await page.getByRole('row').filter({ hasText: 'Harbour Media' }).getByText('Revoked').waitFor();
    await guest.page.reload();
    await guest.page.getByText('This link opens nothing.').waitFor();
    expect(await axe(guest.page)).toEqual([]);
    await guest.close();
    expect(complaints).toEqual([]);
    await close();
  });
});
