/** account §4 "Route guard": the permission matrix, walked in the browser: where every person of test/api/permission-table.txt really ends at every address of it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isStanding } from '#contract/page.ts';
import { axe, launchBrowser, openPage, shoot, standing } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildTableWorld, TABLE_NAMES, type TableName } from '#test/harness/table-people.ts';
import { fromBrowser, toBrowserHref } from '#web/console/hashbang.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let cookies: Record<TableName, string>;

beforeAll(async () => {
  node = await startTestWorld();
  ({ cookies } = await buildTableWorld(node));
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

/** Makes the browser's session that of somebody else. */
async function become(page: Page, name: TableName): Promise<void> {
  if (name === 'nobody') return page.context().clearCookies();
  const [cookie = '', value = ''] = cookies[name].split('=');
  await page.context().addCookies([{ name: cookie, value, url: node.url }]);
}

/**
 * Where the address leads: the path that stands there when the router has come to rest and a page is drawn. Below '#!' the address is
 * typed into the page that is there; real paths, as those of mails, are loaded.
 */
async function follow(page: Page, address: string): Promise<string> {
  const href = toBrowserHref(address);
  const now = new URL(page.url());
  // An address that stands there already would not be a change of anything.
  if (now.protocol === 'about:' || now.pathname.startsWith('/drawcard/') || !href.startsWith('/#!') || href.slice(1) === now.hash)
    await load(page, href);
  else
    await page.evaluate(
      (hash) =>
        new Promise<void>((resolve) => {
          window.addEventListener('hashchange', () => resolve(), { once: true });
          window.location.hash = hash;
        }),
      href.slice(1),
    );
  // Public pages are the server's own, and no part of the console.
  if (new URL(page.url()).pathname.startsWith('/drawcard/')) return new URL(page.url()).pathname;
  await page.waitForFunction(() => {
    const { state, history } = (window as unknown as { __TSR_ROUTER__: import('@tanstack/react-router').AnyRouter }).__TSR_ROUTER__;
    const isAtRest = state.status === 'idle' && state.resolvedLocation?.href === history.location.href;
    return isAtRest && document.querySelector('h1, h2') !== null;
  });
  return fromBrowser(new URL(page.url())).split('?')[0]!;
}

async function load(page: Page, href: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(node.url + href);
}

describe('account §4: the permission matrix, walked in the browser', () => {
  const table = readTable();
  const PAYDAY = '/setup/us/payday';
  /** The guard's word, and what the page it names does next. */
  function endOf(address: string, name: TableName): string {
    const says = table.get(address)?.[name] ?? 'open';
    return says === 'open' ? standsAt(address, name) : standsAt(says, name);
  }
  /** What somebody reads who was let in at an address: the page there or, where there is none, what opens instead. */
  function standsAt(address: string, name: TableName): string {
    const overview = `${PAYDAY}/overview`;
    const page = address.startsWith(`${PAYDAY}/`) ? address.slice(PAYDAY.length + 1) : undefined;
    if (page !== undefined && !isStanding(page)) return table.get(overview)![name] === 'open' ? overview : '/home';
    switch (address) {
      // With a vertical there, no-vertical has nothing to say (console §4); who sees none stays.
      case '/setup/us/no-vertical':
        return ['nobody', 'nothing', 'half'].includes(name) ? address : endOf(overview, name);
      // The services lie in a vertical: the first that the person may set up.
      case '/setup/third-party-service':
        return table.get(`${PAYDAY}/third-party-service`)![name] === 'open' ? `${PAYDAY}/third-party-service` : '/home';
      default:
        return address;
    }
  }

  // Who may what is decided at every address for every person in test/api/permission-table.test.ts. The browser shows that it follows:
  // at every address four of the ten, and every person at two addresses of five.
  it.each(TABLE_NAMES.map((name, nth) => [name, nth] as const))(
    'leads %s in a browser where the table says',
    async (name, nth) => {
      const { page, close } = await openPage(browser);
      await become(page, name);
      const wrong: string[] = [];
      const addresses = [...table.keys()].filter((_, at) => (at + nth) % 5 < 2);
      for (const address of addresses) {
        const right = endOf(address, name);
        const ended = await follow(page, address);
        if (ended !== right) wrong.push(`${address} leads to ${ended}, not to ${right}`);
      }
      expect(wrong).toEqual([]);
      await close();
    },
    120_000,
  );

  it('console §4: who may open one page only is told which one they may not open, and who can tick it', async () => {
    const { page, close } = await openPage(browser);
    const note = page.getByRole('status').filter({ hasText: 'You may not open' });
    await become(page, 'logs');
    for (const address of ['/setup/us/payday/overview', '/setup/us/auto/leads', '/team']) {
      await load(page, toBrowserHref(address));
      await note.getByText(address).waitFor();
      expect(page.url()).toContain('/setup/us/payday/server-logs');
      expect(await note.textContent()).toMatch(/ask the owner of .+ if you need it\./);
    }
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'barred');
    // The page itself says that there is none.
    await become(page, 'nothing');
    await load(page, toBrowserHref('/setup/us/payday/overview'));
    await page.getByRole('heading', { level: 1, name: 'No permission' }).waitFor();
    expect(await note.count()).toBe(0);
    await close();
  });

  it('account §2: an unknown address says inside the frame that there is no page, and stops saying it on the next one', async () => {
    const { page, close } = await openPage(browser);
    await become(page, 'owner');
    const note = page.getByRole('status').filter({ hasText: 'There is no page at' });
    for (const address of ['/somewhere/else', '/setup/us/payday/nowhere']) {
      await load(page, toBrowserHref(address));
      await note.getByText(address).waitFor();
      expect(page.url()).toContain('/setup/us/payday/flow-control');
      await standing(page);
      expect(await axe(page)).toEqual([]);
    }
    await shoot(page, 'lost');
    await page.getByRole('link', { name: 'Leads', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    expect(await note.count()).toBe(0);
    await become(page, 'overview');
    await load(page, toBrowserHref('/setup/us/payday/nowhere'));
    await note.waitFor();
    expect(page.url()).toContain('/setup/us/payday/overview');
    await close();
  });
});
