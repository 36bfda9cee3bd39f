/** account §4 "Route guard": where a browser really ends at an address, against the routes of test/api/permission-table.txt. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { axe, launchBrowser, openPage, shoot } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';
import { fromBrowser, toBrowserHref } from '#web/console/hashbang.ts';

const NAMES = ['nobody', 'nothing', 'overview', 'logs', 'owner'] as const;
type Name = (typeof NAMES)[number];
/** Addresses whose page stands; the others are led on to one that does. */
const ADDRESSES = [
  ...['/', '/login', '/forgot-password', '/reset-mfa', '/register', '/member-register/T', '/reset/T', '/invitation/T'],
  ...['/invitation-confirm-email/U', '/team', '/organization-edit', '/preferences', '/regions', '/change-profile', '/change-password'],
  ...['/monitor/online-users', '/home', '/no-permission', '/somewhere', '/setup/us/9999/overview', '/setup/9999/9999/overview'],
  ...['/setup/uk/none/overview', '/setup/mars/x/overview', '/setup/us/payday/overview', '/setup/us/payday/leads'],
  ...['/setup/us/payday/leads/7', '/setup/us/auto/overview', '/setup/us/auto/leads'],
];

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;
const cookies = {} as Record<Name, string>;

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db);
  const { organizationId: organization_id, regionId: region_id } = world;
  await node.db
    .insertInto('vertical')
    .values({ organization_id, id: newId(), region_id, slug: 'auto', uid: 'auto-us', name: 'Auto', primary_field: 'email' })
    .execute();
  await node.db.insertInto('region').values({ organization_id, id: newId(), slug: 'uk', name: 'United Kingdom', country: 'uk' }).execute();
  await node.planBook.reload(organization_id);
  const ticked = (value: string) => {
    const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages: [{ value, pageChecked: true }] }];
    return [{ regionId: region_id, regionChecked: true, verticals }];
  };
  const people: Record<Exclude<Name, 'nobody'>, Parameters<typeof buildUser>[2]> = {
    nothing: { role: 'member' },
    overview: { role: 'member', permissions: ticked('overview') },
    logs: { role: 'member', permissions: ticked('serverLogs') },
    owner: { role: 'owner' },
  };
  for (const [name, more] of Object.entries(people) as [Exclude<Name, 'nobody'>, Parameters<typeof buildUser>[2]][]) {
    const { email, password } = await buildUser(node.db, organization_id, more);
    const answer = await node.post('/team-login', { email, password }, { 'x-requested-with': 'sluice' });
    cookies[name] = /sluice=([^;]+)/.exec(answer.headers.get('set-cookie')!)![1]!;
  }
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

/** The table's routes: what it says by address and person. */
function readTable(): Map<string, Record<string, string>> {
  const file = readFileSync(join(import.meta.dirname, '..', 'api', 'permission-table.txt'), 'utf8');
  const [head = '', ...lines] = file.split('ROUTES\n')[1]!.split('\n\n')[0]!.split('\n');
  const names = head.trim().split(/\s+/);
  return new Map(
    lines.map((line) => {
      const [address = '', ...cells] = line.trim().split(/\s{2,}/);
      return [address, Object.fromEntries(names.map((name, at) => [name, cells[at]!.replace('…', '/setup/us/payday')]))];
    }),
  );
}

/** Where the address leads: the path that stands there when a page has been drawn. */
async function follow(page: Page, address: string): Promise<string> {
  await page.goto('about:blank');
  await page.goto(node.url + toBrowserHref(address));
  await page.getByRole('heading').first().waitFor();
  return fromBrowser(new URL(page.url())).split('?')[0]!;
}

describe('account §4: the route guard', () => {
  const table = readTable();
  /** The guard's word, and what the page it names does next: with a vertical there, no-vertical has nothing to say (console §4). */
  const endOf = (address: string, name: Name): string => {
    const says = table.get(address)![name]!;
    if (says === '/setup/us/no-vertical') return endOf('/setup/us/payday/overview', name);
    return says === 'open' ? address : says;
  };

  it.each(NAMES)('leads %s in a browser where the table says', async (name) => {
    const { page, close } = await openPage(browser);
    if (name !== 'nobody') await page.context().addCookies([{ name: 'sluice', value: cookies[name], url: node.url }]);
    const wrong: string[] = [];
    for (const address of ADDRESSES) {
      const right = endOf(address, name);
      const ended = await follow(page, address);
      // A start page that does not stand yet is led on to the overview or, for who may not see that, to the start page of everybody.
      const isStandIn = /flow-control|server-logs/.test(right) && /\/(overview|leads|home)$/.test(ended);
      if (ended !== right && !isStandIn) wrong.push(`${address} leads to ${ended}, not to ${right}`);
    }
    expect(wrong).toEqual([]);
    await close();
  });

  it('account §2: an unknown address says inside the frame that there is no page, and stops saying it on the next one', async () => {
    const { page, close } = await openPage(browser);
    await page.context().addCookies([{ name: 'sluice', value: cookies.owner, url: node.url }]);
    const note = page.getByRole('status').filter({ hasText: 'There is no page at' });
    for (const address of ['/somewhere/else', '/setup/us/payday/nowhere']) {
      await page.goto('about:blank');
      await page.goto(node.url + toBrowserHref(address));
      await note.getByText(address).waitFor();
      expect(page.url()).toContain('/setup/us/payday/flow-control');
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await axe(page)).toEqual([]);
    }
    await shoot(page, 'lost');
    await page.getByRole('link', { name: 'Leads', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    expect(await note.count()).toBe(0);
    await page.context().addCookies([{ name: 'sluice', value: cookies.overview, url: node.url }]);
    await page.goto('about:blank');
    await page.goto(node.url + toBrowserHref('/setup/us/payday/nowhere'));
    await note.waitFor();
    expect(page.url()).toContain('/setup/us/payday/overview');
    await close();
  });
});
