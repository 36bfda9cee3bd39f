/** The reports of lead flow in the browser: one journey through all of them. */
import { readFile } from 'node:fs/promises';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { countOnPage } from '#server/landing-page/landing-page.sql.ts';
import { axe, flaws, launchBrowser, openPage, openSignedIn, overflows, PHONE, shoot, standing } from '#test/harness/browser.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { insertPastLead, inventLead } from '#test/harness/past-leads.ts';
import { catchPrint, expectPrinted } from '#test/harness/printed.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let taker: ScriptedBuyer;
let picky: ScriptedBuyer;
let slow: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

const DAY = 24 * 3_600_000;
const address = (route: string) => `${node.url}/#!/setup/us/payday/${route}`;

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer((call) => (/p1[0-5]/.test(call.body) ? ACCEPT : REJECT));
  picky = await startBuyer(() => REJECT);
  slow = await startBuyer(() => ({ hang: true }));
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: slow.url, buyer: 'Sleepy Loans', name: 'Night', timeLimitMs: 150 },
          { url: picky.url, buyer: 'Picky Lenders of the Northern Counties', name: 'First look' },
          { url: taker.url, buyer: 'Taker', name: 'Main' },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  for (let at = 10; at < 22; at++)
    await node.post(
      '/api/v1/leads',
      { ...LEAD, email: `p${at}@example.com`, phone: `21255502${at}` },
      { authorization: `Bearer ${world.key}` },
    );
  await scatterYesterday();
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await Promise.all([taker.close(), picky.close(), slow.close()]);
});

/** A busy day before, so that there is something to compare with. */
async function scatterYesterday(): Promise<void> {
  await node.pool.query(`select ensure_month_partitions((now() - interval '1 day')::date)`);
  let state = 5;
  const chance = () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
  const midnight = Math.floor(Date.now() / DAY) * DAY;
  const { keys } = node.planBook.find(world.organizationId)!;
  const client = await node.pool.connect();
  try {
    for (let nth = 0; nth < 200; nth++)
      await insertPastLead(client, world, inventLead(world, midnight - Math.floor(chance() * DAY) - 1, chance), keys);
    // Whatever hour it is now, there was as much of that day before.
    for (let nth = 0; nth < 60; nth++) await insertPastLead(client, world, inventLead(world, midnight - DAY + nth, chance), keys);
  } finally {
    client.release();
  }
}

/** Somebody else's page, whose policy allows nothing but the host of the script; what its form sends leads nowhere. */
const startSite = (html: () => string) =>
  startBuyer(({ method }) => {
    const policy = `default-src 'none'; script-src ${node.url}; connect-src ${node.url}`;
    return {
      status: method === 'POST' ? 204 : 200,
      headers: { 'content-type': 'text/html', 'content-security-policy': policy },
      body: html(),
    };
  });

const SOON = { timeout: 5_000 };
/** While another answer comes the old one is dimmed, on purpose. */
const axeWhenFresh = async (page: Page) => {
  await expect.poll(() => page.locator('[data-stale]').count(), SOON).toBe(0);
  return axe(page);
};
const figure = (page: Page, label: string) =>
  page
    .locator('.figure-card')
    .filter({ has: page.locator('dt', { hasText: new RegExp(`^${label}$`) }) })
    .locator('.figure-value');

describe('console §2, §6: the reports of lead flow', () => {
  it('from the menu through every report, to the leads behind a figure and to a file', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: address('overview') });
    await page.getByRole('link', { name: 'Reporting' }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Inbound' }).waitFor();
    await expect.poll(() => figure(page, 'Attempts').textContent(), SOON).toBe('12');
    expect(await figure(page, 'Accepts').textContent()).toBe('6');
    expect(await figure(page, 'Revenue').textContent()).toBe('$120.00');
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-inbound');

    // Down by the name, then to the leads themselves.
    const table = page.getByRole('region', { name: 'Publishers', exact: true });
    await table
      .getByRole('button', { name: /Publisher/ })
      .first()
      .click();
    await page.getByRole('region', { name: 'Publisher tiers', exact: true }).waitFor();
    expect(page.url()).toMatch(/publisherId=.*by=publisherTier|by=publisherTier.*publisherId=/);
    await page.getByRole('link', { name: /^Leads of/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await page.getByRole('status').filter({ hasText: /^12$/ }).waitFor();
    await page.goBack();

    // Another column, and the file with what is in sight.
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('dialog').getByLabel('Returned', { exact: true }).check();
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Returned' }).waitFor();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^inbound-us-payday-\d\d[A-Z][a-z]{2}\d{4}\.csv$/);
    const text = await readFile(await file.path(), 'utf8');
    expect(text).toMatch(/Publisher tier,Attempts,Accepts,.*Returned/);

    await page.getByRole('link', { name: 'Outbound' }).click();
    await page.getByRole('heading', { level: 1, name: 'Outbound' }).waitFor();
    await expect.poll(() => figure(page, 'Attempts').textContent(), SOON).toBe('36');
    await page.getByRole('button', { name: 'Time-outs', exact: true }).click();
    await expect.poll(() => page.getByRole('row').nth(1).textContent(), SOON).toContain('Sleepy Loans');
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-outbound');

    // Over all verticals, and back to the report of one.
    await page.getByRole('button', { name: 'Vertical', exact: true }).click();
    const verticals = page.getByRole('region', { name: 'Verticals', exact: true });
    await verticals.getByRole('link', { name: 'United States, Payday' }).waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-outbound-verticals');
    await verticals.getByRole('link', { name: 'United States, Payday' }).click();
    await page.getByRole('region', { name: 'Buyers', exact: true }).waitFor();

    await page.getByRole('link', { name: 'Trending' }).click();
    await page.getByRole('heading', { level: 1, name: 'Trending' }).waitFor();
    await page.getByRole('button', { name: /^Period/ }).click();
    await page.getByRole('button', { name: 'Yesterday', exact: true }).click();
    await expect.poll(() => page.getByRole('row', { name: /^Total/ }).textContent(), SOON).not.toMatch(/^Total12/);
    await page.getByRole('button', { name: 'Revenue', exact: true }).click();
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('region', { name: 'Revenue by hour, as a table' }).waitFor();
    expect(page.url()).toMatch(/period=yesterday/);
    await page.reload();
    await page.getByRole('heading', { name: 'Revenue by hour' }).waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-trending');

    await page.getByRole('link', { name: 'Reasons' }).click();
    const reasons = page.getByRole('region', { name: 'Why leads were not sold', exact: true });
    await reasons.getByText('buyer-all-tier-failed').waitFor();
    await page.getByRole('region', { name: 'Why buyer tiers were passed by', exact: true }).getByText('Pause date').waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-reasons');

    await page.getByRole('link', { name: 'Redirects' }).click();
    await expect.poll(() => figure(page, 'Of the links').textContent(), SOON).toMatch(/%$/);
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-redirects');

    await page.getByRole('link', { name: 'Performance' }).click();
    const matrix = page.getByRole('region', { name: 'Publishers by buyers', exact: true });
    await matrix.getByRole('columnheader', { name: 'Taker' }).waitFor();
    // The second line of a cell is named, in sight and in what is read out.
    await matrix.getByText('Accept rate, and below it in small the margin', { exact: false }).waitFor();
    expect(await matrix.locator('.heat-more').first().textContent()).toMatch(/^Margin /);
    const shown = page.getByRole('group', { name: 'Show' });
    await shown.getByRole('button', { name: 'Revenue' }).click();
    await matrix.getByText('Revenue, and below it in small the accept rate', { exact: false }).waitFor();
    expect(await matrix.locator('.heat-more').first().textContent()).toMatch(/^Accept rate \d/);
    await shown.getByRole('button', { name: 'Accept rate' }).click();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-performance');

    await page.getByRole('link', { name: 'Time-outs' }).click();
    await page.getByRole('heading', { level: 1, name: 'Buyer time-outs' }).waitFor();
    await page.getByRole('button', { name: /Picky Lenders/ }).click();
    await page.getByRole('heading', { name: /^How long Picky Lenders/ }).waitFor();
    await page.getByLabel('If the limit had been').fill('200');
    await expect.poll(() => page.locator('.what-if-list dd').first().textContent(), SOON).not.toBe('0');
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-time-outs');
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([
    [
      ...['lead-flow/trending', ['EPL', 'Accepts before'], ['Filtered']],
      'From (UTC),Attempts,Attempts before,Accepts,Accept rate %,Filtered,Revenue,Revenue before,Margin',
    ],
    ['lead-flow/reason-report', ['Before'], [], 'Of,Reason,Key,Count,Of all %'],
    [
      ...['lead-flow/buyer-timeout-track', ['Of the calls before', 'p75 answer', 'Late accepts'], ['p99 answer']],
      'Buyer tier,Time limit ms,Calls,Time-outs,Of the calls %,Median answer ms,p90 answer ms,p99 answer ms,Buyer tier id',
    ],
  ] as [string, string[], string[], string][])(
    'console §2: the columns of %s are chosen, stay in the address, and are those of its file',
    async (route, away, more, head) => {
      const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: address(`${route}?period=yesterday`) });
      await page.getByRole('button', { name: 'Columns' }).first().click();
      const choice = page.getByRole('dialog', { name: 'Columns to show' });
      for (const one of away) await choice.getByLabel(one, { exact: true }).uncheck();
      for (const one of more) await choice.getByLabel(one, { exact: true }).check();
      expect(await axeWhenFresh(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(page.url()).toContain('columns=');
      await page.reload();
      for (const one of more) await page.getByRole('columnheader', { name: one, exact: true }).first().waitFor();
      for (const one of away) expect(await page.getByRole('columnheader', { name: one, exact: true }).count()).toBe(0);
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: 'CSV' }).click();
      const text = await readFile(await (await download).path(), 'utf8');
      expect(text.replace('\uFEFF', '').split('\r\n')[0]).toBe(head);
      expect(complaints).toEqual([]);
      await close();
    },
    60_000,
  );

  it('console §2: the sub ids have a tab; one is typed and narrows the report, and the leads behind it', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: address('lead-flow/inbound?period=today') });
    const tabs = page.getByRole('navigation', { name: 'Reports' });
    await tabs.getByRole('link', { name: 'Sub ids' }).click();
    await page.getByRole('heading', { level: 1, name: 'Sub ids' }).waitFor();
    expect(page.url()).toContain('subId-specific-report?period=today');
    expect(await tabs.getByRole('link', { name: 'Sub ids' }).getAttribute('aria-current')).toBe('page');
    expect(await tabs.getByRole('link', { name: 'Inbound' }).getAttribute('aria-current')).toBeNull();
    await expect.poll(() => figure(page, 'Attempts').textContent(), SOON).toBe('12');
    const typed = page.getByRole('textbox', { name: 'Of one sub id' });
    await typed.fill('nobody');
    await typed.press('Enter');
    await page.waitForURL(/subId=nobody/);
    await page.getByText('Nothing in this span.').first().waitFor();
    await typed.fill('sub1');
    await typed.press('Enter');
    await page.waitForURL(/subId=sub1/);
    await expect.poll(() => figure(page, 'Attempts').textContent(), SOON).toBe('12');
    await page.reload();
    await expect.poll(() => typed.inputValue()).toBe('sub1');
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-sub-ids');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await page.waitForURL((url) => !url.href.includes('subId='));

    await page.goto(address('leads'));
    const ofLeads = page.getByRole('textbox', { name: 'Leads of one sub id' });
    await ofLeads.fill('sub1');
    await ofLeads.press('Enter');
    await page.waitForURL(/subId=sub1/);
    await page.getByRole('status').filter({ hasText: /^12$/ }).waitFor();
    await ofLeads.fill('nobody');
    await ofLeads.press('Enter');
    await page.getByText('No leads match these filters.').waitFor();
    // Those of none are told apart from all, by an address that outlives a reload.
    await page.goto(address('leads?subId='));
    await page.reload();
    const count = page.getByRole('status').filter({ hasText: /^50 of / });
    const ofNone = await count.textContent();
    expect(page.url()).toContain('subId=');
    await page.getByRole('button', { name: 'Clear Sub id' }).click();
    await page.waitForURL((url) => !url.href.includes('subId='));
    await expect.poll(async () => Number((await count.textContent())?.slice(6)), SOON).toBeGreaterThan(Number(ofNone?.slice(6)));
    expect(complaints).toEqual([]);
    await close();
  });

  it('page-stats: a landing page is added, its line counts on a strict and hostile page, and its figures lead to its leads', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: address('page-stats?period=today') });
    await page.getByText('No landing pages yet.').waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'page-stats-none');
    await page.getByRole('button', { name: 'Add a landing page' }).click();
    await page.getByRole('heading', { level: 1, name: 'New landing page' }).waitFor();
    await page.getByRole('button', { name: 'Add landing page' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Spring loans');
    await page.getByRole('combobox', { name: 'Publisher tier' }).click();
    await page.getByRole('option', { name: /Main seat/ }).click();
    await page.getByLabel('Address', { exact: true }).fill('loans.example/spring');
    await shoot(page, 'landing-page-new');
    await page.getByRole('button', { name: 'Add landing page' }).click();
    const line = (await page.locator('.embed-line code').first().textContent())!;
    const pageId = page.url().split('/').at(-1)!;
    expect(line).toBe(`<script async src="${node.url}/landing/sluice-page.js" data-page="${pageId}"></script>`);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'landing-page');
    await page.getByRole('link', { name: 'Page stats' }).click();
    await page.getByText('Nothing was counted yet', { exact: false }).waitFor();
    await shoot(page, 'page-stats-silent');

    const site = await startSite(
      () => `<!doctype html><title>Loans</title>${line}<img name="currentScript" alt=""><a id="sluicePage"></a>
        <form method="post" data-sluice-submit><input name="submit"><button>Go</button></form>`,
    );
    try {
      const visit = await openPage(browser);
      for (let nth = 0; nth < 2; nth++) {
        const counted = visit.page.waitForResponse((answer) => answer.url() === `${node.url}/api/v1/landing-pages/${pageId}/view`);
        await visit.page.goto(site.url);
        expect((await counted).status()).toBe(204);
      }
      const counted = visit.page.waitForResponse((answer) => answer.url() === `${node.url}/api/v1/landing-pages/${pageId}/submit`);
      for (let nth = 0; nth < 2; nth++) await visit.page.getByRole('button', { name: 'Go' }).click();
      expect((await counted).status()).toBe(204);
      expect(await visit.page.context().cookies()).toEqual([]);
      expect(await visit.page.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
      await visit.close();
    } finally {
      await site.close();
    }
    await node.post(
      '/api/v1/leads',
      { ...LEAD, email: 'p10page@example.com', phone: '2125559910', landingPageId: pageId },
      { authorization: `Bearer ${world.key}` },
    );
    await page.reload();
    await expect.poll(() => figure(page, 'Views').textContent(), SOON).toBe('2');
    for (const [label, value] of [
      ['Submits', '1'],
      ['Accepts', '1'],
      ['Conversion', '50.0%'],
    ] as const)
      expect([label, await figure(page, label).textContent()]).toEqual([label, value]);
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'page-stats');
    await page.getByRole('button', { name: 'Show as table' }).click();
    await page.getByRole('region', { name: 'Views by hour, as a table' }).waitFor();
    // Whatever hour it is now, the day before had as much of that day.
    const midnight = new Date(Math.floor(Date.now() / DAY) * DAY - DAY);
    await countOnPage(node.db, { id: pageId, organizationId: world.organizationId }, { views: 5, submits: 1 }, midnight);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('button', { name: 'Columns' }).click();
    const choice = page.getByRole('dialog', { name: 'Columns to show' });
    for (const head of ['Views before', 'Views change', 'Conversion before', 'Conversion change'])
      await choice.getByLabel(head, { exact: true }).check();
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: /^Spring loans/ });
    await expect.poll(() => row.locator('[data-head="Views change"]').textContent(), SOON).toBe('−3');
    expect(await row.locator('[data-head="Views before"]').textContent()).toBe('5');
    expect(await row.locator('[data-head="Conversion change"]').textContent()).toBe('+50.0 points');
    expect(await page.locator('tfoot [data-head="Views before"]').textContent()).toBe('5');
    await expect.poll(() => page.locator('[data-stale]').count(), SOON).toBe(0);
    expect(await flaws(page, 'page-stats-before')).toEqual([]);
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const saved = await download;
    expect(saved.suggestedFilename()).toMatch(/^page-stats-us-payday-/);
    expect(await readFile(await saved.path(), 'utf8')).toContain(',Views,Views before,Views change,Submits,');
    await page.setViewportSize(PHONE);
    expect(await flaws(page, 'page-stats-before')).toEqual([]);
    await page.emulateMedia({ colorScheme: null });
    await page.getByRole('link', { name: 'Leads of Spring loans', exact: false }).click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await page.getByRole('status').filter({ hasText: /^1$/ }).waitFor();
    await page.getByRole('button', { name: /^Page.*Spring loans/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'page-stats-leads');
    expect(complaints).toEqual([]);
    await close();
  });

  it('comm-maps and compare-stats: by pointer and by keyboard, to the leads of a state, and to a file', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: address('lead-flow/inbound?period=yesterday') });
    await page.getByRole('heading', { level: 1, name: 'Inbound' }).waitFor();
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Map' }).waitFor();
    const map = page.getByRole('group', { name: /^Attempts by state, on a map/ });
    await map.waitFor();
    // Zoom 6 shows the middle of the country; all of it is one button away.
    expect(await page.locator('[data-state="CA"]').evaluate((path) => path.parentElement!.getAttribute('transform'))).toMatch(
      /scale\(0\.5\)/,
    );
    await map.getByRole('button', { name: 'Whole country' }).click();
    const list = page.getByRole('region', { name: 'Attempts by state, list' });
    const california = list.getByRole('row').filter({ hasText: 'California' });
    const leadsThere = await california.getByRole('cell').textContent();
    await california.getByRole('button').focus();
    await page.keyboard.press('Enter');
    const card = page.getByRole('region', { name: 'California', exact: true });
    await card.getByText('EPL').waitFor();
    expect(page.url()).toContain('chosen=CA');
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-map');
    await page.locator('[data-state="TX"]').click();
    await page.getByRole('region', { name: 'Texas', exact: true }).waitFor();
    // Arrow keys move it, and the buyers are counted too.
    await map.focus();
    const before = await page.locator('[data-state="CA"]').boundingBox();
    await page.keyboard.press('ArrowRight');
    await expect.poll(async () => (await page.locator('[data-state="CA"]').boundingBox())!.x, SOON).toBeLessThan(before!.x - 30);
    // Wherever it is moved to, no word lies under its buttons or its legend.
    const isUnder = () =>
      page.evaluate(() => {
        const corners = [...document.querySelectorAll('.map-tools, .map-legend')].map((one) => one.getBoundingClientRect());
        const lies = (label: DOMRect) =>
          corners.some(
            ({ left, right, top, bottom }) => label.left < right && label.right > left && label.top < bottom && label.bottom > top,
          );
        return [...document.querySelectorAll('.map-label')]
          .filter((one) => lies(one.getBoundingClientRect()))
          .map((one) => one.textContent);
      });
    for (let step = 0; step < 12; step++) {
      expect([step, await isUnder()]).toEqual([step, []]);
      await page.keyboard.press(step % 3 === 2 ? 'ArrowUp' : 'ArrowLeft');
    }
    await page.getByRole('button', { name: 'Buyers', exact: true }).click();
    await page.getByRole('group', { name: /^Buyers by state, on a map/ }).waitFor();
    await page.getByRole('group', { name: 'Show' }).getByRole('button', { name: 'Attempts', exact: true }).click();
    await california.getByRole('button').click();
    await card.getByRole('link', { name: 'Leads', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await page
      .getByRole('status')
      .filter({ hasText: new RegExp(`^${leadsThere}$`) })
      .waitFor();
    await page.goBack();
    await card.getByRole('link', { name: 'By buyer' }).click();
    await page.getByRole('heading', { level: 1, name: 'Outbound' }).waitFor();
    await page.getByRole('button', { name: 'State California' }).waitFor();

    await page.getByRole('link', { name: 'Compare', exact: true }).click();
    await page.getByText('Choose two publishers.').waitFor();
    await page.getByRole('button', { name: 'Buyer tier', exact: true }).click();
    for (const [side, tier] of [
      ['First buyer tier', 'Taker, Main'],
      ['Second buyer tier', 'Sleepy Loans, Night'],
    ] as const) {
      await page.getByRole('button', { name: side }).click();
      await page.getByRole('option', { name: tier }).click();
    }
    const figures = page.getByRole('region', { name: 'Figures', exact: true });
    await figures.getByRole('columnheader', { name: /Taker, Main/ }).waitFor();
    expect(await figures.getByRole('row', { name: /^Accept rate/ }).textContent()).toMatch(/points/);
    await page.reload();
    await figures.getByRole('columnheader', { name: /Sleepy Loans, Night/ }).waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-compare');
    await page.getByRole('button', { name: 'Span', exact: true }).click();
    await figures.waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    expect(await readFile(await (await saved).path(), 'utf8')).toMatch(/Figure,.* to .*,.* to .*,Difference,Difference %/);
    expect(complaints).toEqual([]);
    await close();
  });

  it('comm-maps: leads of the UK lie in the nation of their postcode', async () => {
    const british = await buildWorld(node.db, {
      country: 'uk',
      name: 'Northern Leads',
      groups: [{ mode: 'priority', tiers: [{ url: taker.url, buyer: 'Taker', name: 'Main' }] }],
    });
    await node.pool.query(`update field set required = false where organization_id = $1 and field_name = 'state'`, [
      british.organizationId,
    ]);
    await node.planBook.reload(british.organizationId);
    const { state: _state, phone: _phone, ...lead } = LEAD;
    for (const [at, zip] of ['EH1 1AA', 'G2 8DL', 'SW1A 1AA', 'CF10 1BH', 'TD15 1AA'].entries()) {
      const { json } = await node.post(
        '/api/v1/leads',
        { ...lead, email: `p${at}@example.co.uk`, zip },
        { authorization: `Bearer ${british.key}` },
      );
      expect(json.errors ?? []).toEqual([]);
    }
    const at = `${node.url}/#!/setup/uk/payday/comm-maps`;
    const { page, complaints, close } = await openSignedIn(browser, node.url, await buildUser(node.db, british.organizationId), { at });
    const list = page.getByRole('region', { name: 'Attempts by state, list' });
    const told = async () => Promise.all((await list.getByRole('row').all()).map((row) => row.textContent()));
    await expect.poll(told).toEqual(expect.arrayContaining(['Scotland2', 'England1', 'Wales1']));
    await page.locator('[data-state="SCT"]').click();
    await page.getByRole('region', { name: 'Scotland', exact: true }).waitFor();
    expect(await flaws(page, 'map-uk')).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §3, §4: leads are told by their reason, and reasons, filter reasons and groups lead to what they count', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: address('lead-flow/inbound?period=yesterday') });
    await page.getByRole('group', { name: 'By' }).getByRole('button', { name: 'Decline reason', exact: true }).click();
    const byReason = page.getByRole('region', { name: 'Decline reasons', exact: true });
    for (const name of ['Invalid Data (publisher-validation-failed)', 'No reason']) {
      const row = byReason.getByRole('row').filter({ hasText: name });
      const count = (await row.locator('td[data-head="Attempts"]').textContent())!;
      await row.getByRole('link', { name: `Leads of ${name}` }).click();
      await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
      await page
        .getByRole('status')
        .filter({ hasText: new RegExp(`^(50 of )?${count}$`) })
        .waitFor();
      await page.goBack();
    }
    await byReason.waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-inbound-reasons');

    await page.goto(address('lead-flow/reason-report?period=yesterday'));
    const passedBy = page.getByRole('region', { name: 'Why buyer tiers were passed by', exact: true });
    await passedBy.getByRole('row').filter({ hasText: 'key 7' }).getByRole('link').click();
    await page.getByRole('button', { name: /^Filter reason.*Filter skipped/ }).waitFor();
    await page.getByRole('row').nth(1).waitFor();

    await page.goto(address('lead-flow/outbound?period=yesterday&by=group'));
    const group = page.getByRole('region', { name: 'Groups of trees', exact: true });
    await group
      .getByRole('link', { name: /^Leads of/ })
      .first()
      .click();
    await page.getByRole('button', { name: /^Tried in group/ }).waitFor();
    await page.getByRole('row').nth(1).waitFor();
    expect(await axe(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('each figure of a report says how it is computed, by the keyboard alone', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: address('lead-flow/inbound?period=yesterday') });
    for (const route of [
      ...['lead-flow/inbound', 'lead-flow/outbound', 'lead-flow/trending', 'lead-flow/reason-report', 'lead-flow/redirect-report'],
      ...['lead-flow/performance-report', 'lead-flow/buyer-timeout-track', 'comm-maps'],
    ]) {
      await page.goto(address(`${route}?period=yesterday`));
      await page.waitForURL((url) => url.hash.includes(route));
      await standing(page);
      const labels = await page.locator('.figure-card dt').allTextContents();
      for (const label of labels) await page.getByRole('button', { name: `How “${label}” is computed`, exact: true }).waitFor();
      expect(labels.length).toBeGreaterThan(2);
    }
    await page.goto(address('lead-flow/outbound?period=yesterday'));
    const button = page.getByRole('button', { name: 'How “Time-outs of those asked” is computed' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'How “Time-outs of those asked” is computed' });
    await dialog.getByText('Time-outs divided by attempts that were not filtered', { exact: false }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'report-how');
    const box = (await button.boundingBox())!;
    expect([box.width >= 24, box.height >= 24]).toEqual([true, true]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => button.evaluate((one) => one === document.activeElement)).toBe(true);
    // What it says is what is counted.
    const { total } = (await page.evaluate(async () => {
      const from = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - 86_400_000).toISOString();
      const to = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000).toISOString();
      const asked = new URLSearchParams({ region: 'us', vertical: 'payday', from, to });
      return (await fetch(`/api/console/reports/outbound?${asked}`, { headers: { 'x-requested-with': 'sluice' } })).json();
    })) as { total: { timeouts: number; attempts: number; filtered: number } };
    const share = (total.timeouts / (total.attempts - total.filtered)) * 100;
    expect(await figure(page, 'Time-outs of those asked').textContent()).toBe(`${share.toFixed(1)}%`);
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([
    ['lead-flow/performance-report', ['PeriodYesterday'], '.heat-map'],
    ['lead-flow/buyer-timeout-track', ['PeriodYesterday'], '.what-if-list'],
    ['lead-flow/trending', ['PeriodYesterday'], '.point-table table'],
    ['lead-flow/reason-report', ['PeriodYesterday'], '.reason-table'],
    ['lead-flow/redirect-report', ['PeriodYesterday'], '.report-table'],
    ['comm-maps', ['PeriodYesterday'], '.map-list table'],
    ['compare-stats', ['PeriodYesterday'], '.compare-table'],
    ['page-stats', ['PeriodToday'], '.report-table'],
  ])(
    'console §2: %s is printed whole, without chrome, with its filters in words',
    async (route, filters, whole) => {
      const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
      await catchPrint(page);
      await page.goto('about:blank');
      const asked = new URLSearchParams({
        period: filters.includes('PeriodToday') ? 'today' : 'yesterday',
        ...(route === 'compare-stats' && { of: 'state', a: 'CA', b: 'NY' }),
      });
      await page.goto(address(`${route}?${asked}`));
      await standing(page);
      await expectPrinted(page, { name: route.replaceAll('/', '-'), filters, whole });
      expect(complaints).toEqual([]);
      await close();
    },
    60_000,
  );

  it('rows stand beside what they had before, times are drawn over time, and more is compared', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
      at: address('lead-flow/inbound?period=today&by=reason'),
    });
    const choose = async (...heads: string[]) => {
      await page.getByRole('button', { name: 'Columns' }).click();
      const choice = page.getByRole('dialog', { name: 'Columns to show' });
      for (const head of heads) await choice.getByLabel(head, { exact: true }).check();
      await page.keyboard.press('Escape');
    };
    const row = (name: string | RegExp) => page.getByRole('row', { name });
    await choose('Attempts before', 'Attempts change', 'Revenue change');
    // What came yesterday alone is a row too, and the totals are those of the figures above.
    await row(/publisher-validation-failed/).waitFor();
    await expect.poll(() => row(/^Total/).textContent(), SOON).toMatch(/[+−]\d/);
    const before = await page
      .locator('.figure-card')
      .filter({ hasText: /^Attempts/ })
      .locator('.figure-foot')
      .last()
      .textContent();
    expect(
      await row(/^Total/)
        .locator('[data-head="Attempts before"]')
        .textContent(),
    ).toBe(before!.replace('was ', ''));
    const cell = (head: string) =>
      row(/publisher-validation-failed/)
        .locator(`[data-head="${head}"]`)
        .textContent();
    expect(await cell('Attempts change')).toBe(`−${await cell('Attempts before')}`);
    await page.getByRole('columnheader', { name: 'Attempts change' }).getByRole('button').click();
    await page.getByRole('columnheader', { name: 'Attempts change' }).getByRole('button').click();
    expect(page.url()).toContain('sort=attemptsChange');
    const changes = await page.locator('tbody [data-head="Attempts change"]').allTextContents();
    const numbers = changes.map((text) => Number(text.replace('−', '-').replace('+', '')));
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-inbound-before');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).replace('\uFEFF', '').trim().split('\r\n');
    expect(lines[0]).toContain('Attempts,Attempts before,Attempts change,');
    expect(lines.length - 1).toBe(changes.length);

    await page.goto(address('lead-flow/outbound?period=yesterday'));
    const toggle = page.getByRole('group', { name: 'What the chart shows' });
    await toggle.getByRole('button', { name: 'Answer times' }).click();
    await page.getByRole('img', { name: 'Answer times by hour' }).waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-outbound-times');
    await page.reload();
    await page.getByRole('button', { name: 'Show as table' }).click();
    const times = page.getByRole('region', { name: 'Answer times by hour, as a table' });
    await times
      .getByRole('cell', { name: / s$| ms$/ })
      .first()
      .waitFor();
    await toggle.getByRole('button', { name: 'Attempts', exact: true }).click();
    await page.getByRole('heading', { name: 'Attempts by hour' }).waitFor();
    await page.getByRole('group', { name: 'By' }).getByRole('button', { name: 'Filter reason', exact: true }).click();
    await page
      .getByRole('link', { name: /^Leads of/ })
      .first()
      .waitFor();

    await page.goto(address('lead-flow/buyer-timeout-track?period=yesterday'));
    await page.getByRole('button', { name: /Picky Lenders/ }).click();
    await toggle.getByRole('button', { name: 'Over time' }).click();
    await page.getByRole('heading', { name: /^How long Picky Lenders.* took, by hour/ }).waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-time-outs-over-time');
    await page.getByRole('button', { name: /Taker/ }).click();
    await page.getByRole('heading', { name: /^How long Taker.* took, by hour/ }).waitFor();

    await page.goto(address('compare-stats?period=yesterday'));
    await page.getByRole('group', { name: 'Two of' }).getByRole('button', { name: 'Decline reason', exact: true }).click();
    await page.getByText('Choose two decline reasons.').waitFor();
    for (const [side, nth] of [
      ['First decline reason', 0],
      ['Second decline reason', 1],
    ] as const) {
      await page.getByRole('button', { name: side }).click();
      await page.getByRole('option').nth(nth).click();
    }
    await page.getByRole('region', { name: 'Figures', exact: true }).waitFor();
    expect(await axeWhenFresh(page)).toEqual([]);
    await shoot(page, 'report-compare-reasons');
    for (const kind of ['Group', 'Variant', 'Region']) {
      await page.getByRole('group', { name: 'Two of' }).getByRole('button', { name: kind, exact: true }).click();
      await page.getByRole('button', { name: `First ${kind.toLowerCase()}` }).waitFor();
    }
    expect(complaints).toEqual([]);
    await close();
  }, 90_000);

  it('console §3: late accepts lead to what waits to be settled with their buyer tier', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, {
      at: address('lead-flow/buyer-timeout-track?period=yesterday'),
    });
    const table = page.getByRole('region', { name: 'Buyer tiers', exact: true });
    const link = table.getByRole('link', { name: / what waits to be settled with Picky Lenders/ });
    const lates = Number(await link.textContent());
    expect(lates).toBeGreaterThan(0);
    expect(await axeWhenFresh(page)).toEqual([]);
    await link.click();
    await page.getByRole('heading', { level: 1, name: 'To settle' }).waitFor();
    await page.getByRole('button', { name: /^Buyer tier Picky Lenders/ }).waitFor();
    const items = page.locator('.to-settle-list > li');
    await expect.poll(() => items.count(), SOON).toBe(lates);
    expect(await items.filter({ hasText: 'Picky Lenders' }).count()).toBe(lates);
    await standing(page);
    expect(await flaws(page, 'to-settle-of-tier')).toEqual([]);
    await page.setViewportSize(PHONE);
    expect(await flaws(page, 'to-settle-of-tier')).toEqual([]);
    await page.reload();
    await expect.poll(() => items.count(), SOON).toBe(lates);
    await page.goto(address(`leads/to-settle?buyerTierId=${newId()}`));
    await page.getByText('Nothing is open at this buyer tier.').waitFor();
    await page.getByRole('button', { name: /^Clear Buyer tier/ }).click();
    await expect.poll(() => items.count(), SOON).toBeGreaterThan(lates);
    expect(page.url()).not.toContain('buyerTierId');
    expect(complaints).toEqual([]);
    await close();
  }, 60_000);

  it('console §2: of more pairs than a page has, none is told as never asked, and the order is made of all', async () => {
    const busy = await buildWorld(node.db, {
      name: 'Busy Leads',
      groups: [{ mode: 'priority', tiers: Array.from({ length: 32 }, (_, nth) => ({ url: taker.url, buyer: `Buyer ${nth + 1}` })) }],
    });
    await node.planBook.reload(busy.organizationId);
    const [publishers, day] = [Array.from({ length: 63 }, () => newId()), Math.floor(Date.now() / DAY) * DAY - DAY];
    await node.pool.query(
      `insert into publisher (organization_id, id, name, affiliate_id) select $1, id, 'Publisher ' || nth, 'P' || nth from unnest($2::uuid[]) with ordinality as p (id, nth)`,
      [busy.organizationId, publishers],
    );
    const client = await node.pool.connect();
    for (let nth = 0; nth < 504; nth++) {
      const tier = busy.tiers[(nth + 3 * Math.floor(nth / publishers.length)) % busy.tiers.length]!;
      const at = day + nth * 60_000;
      const { sale: _, ...lead } = inventLead(busy, at, () => 0.99);
      // The last pair, of the least attempts as all others, brings the most.
      const sale = { buyerTierId: tier.buyerTierId, isWon: false, revenue: 10_000 * (nth + 1), payout: 5_000 * (nth + 1), linkGivenAt: at };
      const tiers = [{ buyerTierId: tier.buyerTierId, outcome: 'sold', filterKey: 0, calls: [] }];
      const source = { ...lead.source, publisherId: publishers[nth % publishers.length]! };
      await insertPastLead(client, busy, { ...lead, isPing: false, reason: '', outcome: 'sold', source, tiers, sale });
    }
    client.release();
    const theirs = await buildUser(node.db, busy.organizationId);
    const at = address('lead-flow/performance-report?period=yesterday&measure=attempts');
    const { page, complaints, close } = await openSignedIn(browser, node.url, theirs, { at });
    const heat = page.getByRole('region', { name: 'Publishers by buyers', exact: true });
    await heat.getByText('Attempts, and below it in small the margin, of 63 publishers at 32 buyers; the darker, the more').waitFor();
    await heat.getByRole('rowheader', { name: 'All others (23)' }).waitFor();
    await heat.getByRole('columnheader', { name: 'All others (7)' }).waitFor();
    const told = await heat
      .locator('.heat-cell')
      .evaluateAll((cells) => cells.map((cell) => Number.parseInt(cell.firstChild!.textContent!, 10)));
    expect(told.reduce((sum, one) => sum + one, 0)).toBe(504);
    // Whose line it is stays in sight.
    const name = heat.getByRole('rowheader', { name: 'All others (23)' });
    await heat.locator('.scroll-x').evaluate((box) => box.scrollTo({ left: box.scrollWidth }));
    expect((await name.boundingBox())!.x).toBeGreaterThanOrEqual((await heat.boundingBox())!.x);
    const pairs = page.getByRole('region', { name: 'Pairs', exact: true });
    await pairs.getByText('The 500 with the most attempts of 504; the file has all').waitFor();
    await pairs.getByRole('columnheader', { name: 'Revenue' }).getByRole('button').click();
    await pairs.getByText('The 500 with the most revenue of 504; the file has all').waitFor();
    await expect.poll(() => pairs.locator('tbody [data-head="Revenue"]').first().textContent(), SOON).toBe('$504.00');
    await pairs.getByRole('columnheader', { name: 'Revenue' }).getByRole('button').click();
    await expect.poll(() => pairs.locator('tbody [data-head="Revenue"]').first().textContent(), SOON).toBe('$1.00');
    await page.reload();
    await expect.poll(() => pairs.locator('tbody [data-head="Revenue"]').first().textContent(), SOON).toBe('$1.00');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'CSV' }).click();
    const lines = (await readFile(await (await saved).path(), 'utf8')).trim().split('\r\n');
    expect([lines.length, /,1\.00,/.test(lines[1]!), /,504\.00,/.test(lines.at(-1)!)]).toEqual([505, true, true]);
    expect(complaints).toEqual([]);
    await close();
  }, 90_000);

  it('on a phone every report fits, and says so where there is nothing', async () => {
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { viewport: PHONE, at: address('lead-flow/inbound') });
    for (const [route, title] of [
      ['lead-flow/inbound', 'Inbound'],
      ['lead-flow/outbound', 'Outbound'],
      ['lead-flow/trending', 'Trending'],
      ['lead-flow/reason-report', 'Reasons'],
      ['lead-flow/redirect-report', 'Redirects'],
      ['lead-flow/performance-report', 'Performance'],
      ['lead-flow/buyer-timeout-track', 'Buyer time-outs'],
      ['subId-specific-report', 'Sub ids'],
      ['comm-maps', 'Map'],
      ['compare-stats', 'Compare'],
    ] as const) {
      await page.goto(address(`${route}?period=yesterday${route === 'compare-stats' ? '&of=state&a=CA&b=NY' : ''}`));
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.locator(route === 'compare-stats' ? '.compare-choice' : '.report-figures').waitFor();
      expect([route, await overflows(page)]).toEqual([route, false]);
      // A row stands as a block, every figure of it in sight and behind its word.
      const cells = await page
        .locator('.stacking :is(tbody, tfoot) > tr > *')
        .evaluateAll((all) => all.map((one) => Math.ceil(one.getBoundingClientRect().right)));
      expect([route, cells.filter((right) => right > PHONE.width)]).toEqual([route, []]);
      expect([route, await page.locator('.stacking td.num:not([data-head])').count()]).toEqual([route, 0]);
      await shoot(page, `report-phone-${title.replaceAll(' ', '-').toLowerCase()}`);
      await page.goto(address(`${route}?period=customRange&from=2026-01-01T00:00&to=2026-01-01T23:59`));
      if (route !== 'lead-flow/trending' && route !== 'compare-stats')
        await page
          .getByText(/Nothing in this span\.|None in this span\.|No buyer was called in this span\./)
          .first()
          .waitFor();
    }
    expect(complaints).toEqual([]);
    await close();
  });
});
