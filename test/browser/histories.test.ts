/** account §7, console §2: the histories of list management, feeds and webhooks are saved whole and printed alone. */
import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { exportContent } from '#contract/export.ts';
import { newId } from '#server/kit/ids.ts';
import { axe, launchBrowser, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { insertCalls, insertExports, insertImports, insertRuns } from '#test/harness/histories.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { catchPrint, expectPrinted } from '#test/harness/printed.ts';
import { buildUser, buildWorld } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let owner: { email: string; password: string };
const ids = { list: newId(), feed: newId(), webhook: newId(), range: newId() };

beforeAll(async () => {
  node = await startTestWorld();
  const { organizationId, verticalId, campaignId, publisherId } = await buildWorld(node.db, { name: 'Harbour Leads' });
  await node.planBook.reload(organizationId);
  owner = await buildUser(node.db, organizationId);
  browser = await launchBrowser();
  const of = { organization_id: organizationId };
  const address = 'http://127.0.0.1:9';
  const { db } = node;
  await db
    .insertInto('suppression_list')
    .values({ ...of, id: ids.list, name: 'Do not call', holds: 'email', form: 'plain', country: 'us' })
    .execute();
  await db
    .insertInto('export_feed')
    .values({
      ...{ ...of, id: ids.feed, vertical_id: verticalId, name: 'Nightly', covered_to: new Date() },
      schedule: JSON.stringify({ every: 'month', day: 1, at: '06:00', timeZone: 'UTC' }),
      content: JSON.stringify(exportContent.parse({ columns: ['leadId'] })),
      destination: JSON.stringify({ kind: 'http', url: address }),
    })
    .execute();
  await db
    .insertInto('webhook')
    .values({ ...of, id: ids.webhook, vertical_id: verticalId, name: 'CRM', url: address, events: ['lead.sold'] })
    .execute();
  await db
    .insertInto('bin_range')
    .values({ ...of, id: ids.range, first_bin: 45717300, last_bin: 45717399, digits: 6 })
    .execute();
  const move = (at: number, more: object) => ({ ...of, id: newId(), bin_range_id: ids.range, move: at, ...more });
  await db
    .insertInto('bin_move')
    .values([move(3, {}), move(1, { campaign_id: campaignId, publisher_id: publisherId }), move(2, { publisher_id: publisherId })])
    .execute();
  await insertImports(db, organizationId, 12, (at) => ({ subject_id: ids.list, name: `people-${at}.csv` }));
  await insertExports(db, organizationId, verticalId, 12);
  await insertRuns(db, organizationId, ids.feed, 51);
  await insertCalls(db, organizationId, ids.webhook, 51);
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

/** The page, how many it tells of, the name and the heads of its file, and its lines. */
const HISTORIES = [
  ['imports', 'data-mgmt/inbound', '12 imports', 'imports', 'File,List,How,Status', 12],
  ['imports of a list', `data-mgmt/configuration/${ids.list}`, '12 imports', 'imports', 'File,How,Status', 12],
  ['exports', 'data-mgmt/outbound', '12 exports', 'exports', 'Export,Status,Leads,File', 12],
  ['runs of a feed', `data-mgmt/outbound/feeds/${ids.feed}`, '50+ runs', 'runs-of-Nightly', 'Leads from (', 51],
  ['calls of a webhook', `features-api/webhooks/${ids.webhook}`, '50+ calls', 'calls-of-CRM', 'When (', 51],
  ['moves of a BIN range', `bin-mgmt/${ids.range}`, '3 moves', 'BIN-moves-of-457173', 'Combination,Campaign,Affiliate,Move', 3],
] as const;

it.each(HISTORIES)('account §7: the %s are a file of all, and printed without the form', async (what, path, says, name, heads, count) => {
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
  await catchPrint(page);
  await page.goto('about:blank');
  await page.goto(`${node.url}/#!/setup/us/payday/${path}`);
  await page.getByRole('status').filter({ hasText: says }).waitFor();
  await page.locator('form').first().waitFor();
  const shot = `history-${what.replaceAll(' ', '-')}`;
  expect(await axe(page)).toEqual([]);
  await shoot(page, shot);
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
  expect(file.suggestedFilename()).toMatch(new RegExp(`^${name}-\\d\\d[A-Z][a-z]{2}\\d{4}\\.csv$`));
  const lines = readFileSync(await file.path(), 'utf8')
    .trim()
    .split('\r\n');
  expect([lines.length - 1, lines[0]!.includes(heads)]).toEqual([count, true]);
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await page.setViewportSize({ width: 1440, height: 900 });
  await expectPrinted(page, { name: shot, filters: [], whole: '.print-alone .data-table' });
  for (const one of await page.locator('form').all()) expect(await one.isVisible()).toBe(false);
  expect(complaints).toEqual([]);
  await close();
});
