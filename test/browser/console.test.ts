import { readFileSync } from 'node:fs';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, flaws, launchBrowser, openPage, openSignedIn, SCREENS, shoot, standing, type WatchedPage } from '#test/harness/browser.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let taker: ScriptedBuyer;
let refuser: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };
let sold: string;

const HOSTILE = '<img src=x onerror="window.hacked=1">';

async function post(more: Record<string, unknown>): Promise<{ leadId: string; status: string }> {
  return (await node.post('/api/v1/leads', { ...LEAD, ...more }, { authorization: `Bearer ${world.key}` })).json;
}

beforeAll(async () => {
  node = await startTestWorld();
  taker = await startBuyer(() => ACCEPT);
  refuser = await startBuyer(() => REJECT);
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: refuser.url, buyer: 'Naysayer', name: 'First look' },
          { url: taker.url, buyer: 'On holiday', name: 'Paused', status: 'paused' },
        ],
      },
      {
        mode: 'roundRobin',
        tiers: [
          { url: taker.url, buyer: 'Taker', name: 'Second look' },
          { url: taker.url, buyer: 'Third', name: 'Never asked' },
        ],
      },
    ],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId, { email: 'owner@example.com' });
  for (let at = 0; at < 60; at++) await post({ email: `many${at}@example.com`, phone: `21255501${String(at).padStart(2, '0')}` });
  await post({ email: 'hostile@example.com', first_name: HOSTILE, note: HOSTILE });
  await post({ email: 'not-an-email', state: 'ZZ' });
  sold = (await post({ email: 'shown@example.com' })).leadId;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await Promise.all([taker.close(), refuser.close()]);
});

async function signedIn(options: Parameters<typeof openPage>[1] = {}, person = owner): Promise<WatchedPage> {
  const watched = await openSignedIn(browser, node.url, person, { at: path('overview'), ...options });
  const { page } = watched;
  await standing(page);
  return watched;
}

const path = (rest: string) => `${node.url}/#!/setup/us/payday/${rest}`;

describe('what is loaded first', () => {
  it('the console’s script stays under 200 KiB, gzipped', async () => {
    const { page: signed, close } = await signedIn();
    const fresh = await openPage(browser, { storageState: await signed.context().storageState() });
    const scripts: Promise<{ url: string; bytes: number }>[] = [];
    fresh.page.on('response', async (answer) => {
      const request = answer.request();
      if (request.resourceType() !== 'script') return;
      scripts.push(request.sizes().then(({ responseBodySize }) => ({ url: answer.url(), bytes: responseBodySize })));
    });
    await fresh.page.goto(path('overview'));
    await fresh.page.getByRole('heading', { level: 1, name: /^Today in/ }).waitFor();
    // The chart is a part of its own, asked for when the page stands.
    const first = (await Promise.all(scripts)).filter(({ url }) => !/chart/i.test(url));
    const sum = first.reduce((all, { bytes }) => all + bytes, 0) / 1024;
    expect(sum).toBeGreaterThan(50);
    expect(sum).toBeLessThan(200);
    await fresh.close();
    await close();
  });

  it('console §2: selects and menus of the header come when they are reached for, in place and by the keyboard alone', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(path('overview'));
    await page.getByRole('heading', { level: 1, name: /^Today in/ }).waitFor();
    const wide = page.locator('.header-place');
    /** Where everything of the selects stands: inputs, chevrons, and what is beside them. */
    const places = () =>
      wide.locator('input:not([type=hidden]), svg').evaluateAll((all) =>
        all.map((one) => {
          const { x, y, width, height } = one.getBoundingClientRect();
          return [one.tagName, x, y, width, height].join(' ');
        }),
      );
    const before = await places();
    expect(before.length).toBeGreaterThan(4);
    const vertical = page.getByRole('combobox', { name: 'Vertical', exact: true });
    expect(await vertical.getAttribute('aria-expanded')).toBe('false');
    await page.getByRole('combobox', { name: 'Region', exact: true }).focus();
    await page.getByRole('option', { name: 'United States' }).waitFor();
    await page.keyboard.press('Tab');
    await page.getByRole('option', { name: 'Payday' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('option', { name: 'Payday' }).waitFor({ state: 'hidden' });
    expect(await places()).toEqual(before);
    const account = page.getByRole('button', { name: /^Account of/ });
    expect(await account.getAttribute('aria-haspopup')).toBe('menu');
    await account.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Profile' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem', { name: 'Profile' }).waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toMatch(/Account of/);
    await page.getByRole('button', { name: /^Reporting time zone/ }).click();
    await page.getByRole('menuitemradio', { name: /^EST/ }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('signing in (account §2, §5, §8)', () => {
  it('account §5: an empty form focuses the first failing field', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${node.url}/login`);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute('aria-invalid') ?? document.activeElement?.getAttribute('type')))
      .toMatch(/true|email/);
    await close();
  });

  it('account §8: a wrong password shows the message of the answer and keeps what was typed', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${node.url}/login`);
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill('wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('The e-mail address or the password is not right.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(owner.email);
    await close();
  });

  it('account §8: without a connection it says so in the words of the spec', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${node.url}/login`);
    await page.route('**/team-login', (route) => route.abort());
    await page.getByLabel('Email').fill(owner.email);
    await page.getByLabel('Password', { exact: true }).fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Something is wrong, Probably Internet service is offline.').waitFor();
    await close();
  });

  it('account §4: a protected address sends a stranger to the landing, and back to where he wanted after signing in', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(path(`leads/${sold}`));
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.getByLabel('Email').fill(owner.email);
    await dialog.getByLabel('Password', { exact: true }).fill(owner.password);
    await dialog.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(new RegExp(`#!.*${sold}`));
    // The page is loaded anew after a sign-in: this is the new one.
    await page.locator('.brand').waitFor();
    await close();
  });

  it('console §2: the social login hash #_=_ becomes #!', async () => {
    const { page, close } = await signedIn();
    await page.goto(`${node.url}/#_=_`);
    await expect.poll(() => page.url()).not.toContain('#_=_');
    expect(page.url()).toContain('#!');
    await close();
  });

  it('signing out ends the session', async () => {
    const { page, close } = await signedIn();
    await page
      .getByRole('button', { name: /account|menu|user/i })
      .last()
      .click();
    await page.getByRole('menuitem', { name: /sign out/i }).click();
    await page.waitForURL(/\/login/);
    await page.goto(path('leads'));
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    await close();
  });
});

describe('the overview', () => {
  it('shows today, and a lead that is sold appears in the feed by itself', async () => {
    const { page, complaints, close } = await signedIn();
    await page.getByText('Live', { exact: true }).waitFor();
    // The feed holds still while somebody points at it.
    await page.mouse.move(20, 500);
    const { leadId } = await post({ email: `live${Date.now()}@example.com` });
    await page.locator(`a[href*="${leadId}"]`).first().waitFor();
    await page.getByText('On holiday, Paused is paused.').waitFor();
    for (const [of, head] of [
      ['publishers', 'Publisher,Leads,Accepts,Accept rate %,Payout,Revenue,Publisher id'],
      ['buyers', 'Buyer,Calls,Accepts,Accept rate %,Revenue,Time-outs,Median answer ms,Buyer id'],
    ] as const) {
      const download = page.waitForEvent('download');
      await page.getByRole('button', { name: `CSV of ${of}` }).click();
      const text = (await (await (await download).createReadStream()).toArray()).join('').replace('\uFEFF', '');
      expect(text.split('\r\n')[0]).toBe(head);
    }
    // What is live is on no paper.
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('heading', { name: 'Live feed' }).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'Top buyers' }).isVisible()).toBe(true);
    await page.emulateMedia({ media: null });
    expect(complaints.join('\n')).toBe('');
    await close();
  });
});

describe('the menu', () => {
  it('console §6: shows a member only what he may open; the feed of the overview tells him leads as they end, without leading to them', async () => {
    const pages = [{ value: 'overview', pageChecked: true }];
    const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages }];
    const permissions = [{ regionId: world.regionId, regionChecked: true, verticals }];
    const member = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
    const { page, complaints, close } = await signedIn({}, member);
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    await links.first().waitFor();
    expect(await links.allTextContents()).toEqual(['Overview']);
    const feed = page.getByRole('region', { name: 'Live feed' });
    await feed.getByText('No lead ended since you came.').waitFor();
    await feed.getByText('Live', { exact: true }).waitFor();
    await post({ email: `seen${Date.now()}@example.com` });
    await feed.getByRole('listitem').first().waitFor();
    expect(await feed.getByRole('link').count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('the leads list', () => {
  it('account §7: is saved as a file by a hidden form, with all that is found', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(path('leads?limit=20'));
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV', exact: true }).click()]);
    expect(file.suggestedFilename()).toMatch(/^leads-us-payday-\d{2}[A-Z][a-z]{2}\d{4}\.csv$/);
    const lines = readFileSync(await file.path(), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(lines.length).toBeGreaterThan(1);
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(complaints.join('\n')).toBe('');
    await close();
  });

  it('keeps its filters in the address: reload and Back give the same list', async () => {
    const { page, close } = await signedIn();
    await page.goto(path('leads?status=invalid'));
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await page.locator('tbody tr').first().waitFor();
    expect(await page.locator('tbody tr').count()).toBe(1);
    await page.reload();
    await page.locator('tbody tr').first().waitFor();
    expect(page.url()).toContain('status=invalid');
    await page.locator('tbody tr').first().click();
    await page.waitForURL(/leads\/[0-9a-f-]{36}/);
    await page.goBack();
    await page.waitForURL(/status=invalid/);
    await close();
  });

  it('console §9: a typed range begins as today, 12:00AM to 11:59PM, told with its days of the week', async () => {
    const { page, complaints, close } = await signedIn();
    await page.clock.setFixedTime(new Date('2026-11-28T08:30:00Z'));
    await page.goto(path('leads'));
    // From its beginning in that time: what counts how long nobody did anything must see one clock alone.
    await page.reload();
    await page.getByRole('button', { name: 'Period', exact: true }).click();
    await page.getByRole('button', { name: 'Custom range' }).click();
    await page.getByText('Saturday, November 28 2026 12:00AM').waitFor();
    await page.getByText('Saturday, November 28 2026 11:59PM').waitFor();
    await page.getByLabel('From').fill('2026-11-01T13:05');
    await page.getByText('Sunday, November 01 2026 1:05PM').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'period');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.waitForURL(/period=customRange/);
    expect(complaints).toEqual([]);
    await close();
  });

  it('finds one consumer, pages through the rest, and says when nothing matches', async () => {
    const { page, close } = await signedIn();
    await page.goto(path('leads'));
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('many7@example.com');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.goto(path('leads'));
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await page.locator('tbody tr').first().waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type(sold);
    await page.keyboard.press('Enter');
    await page.waitForURL(new RegExp(`leads/${sold}`));
    await page.goto(path('leads'));
    await expect.poll(() => page.locator('tbody tr').count()).toBe(50);
    await page.getByText('Older').click();
    await expect.poll(() => page.locator('tbody tr').count()).toBeLessThan(50);
    await page.goto(path('leads?q=nobody%40example.com'));
    await page.getByText('No leads match these filters.').waitFor();
    await close();
  });
});

describe('the lead page', () => {
  it('answers why each buyer did or did not get the lead, with the wire of every attempt', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(path(`leads/${sold}`));
    for (const name of ['First look', 'Paused', 'Second look', 'Never asked']) await page.getByText(name).first().waitFor();
    await page.getByText('The buyer tier is paused.').first().waitFor();
    await page.getByText('Sold before its turn.').first().waitFor();
    await page.keyboard.press('j');
    await page.getByText('not wanted').first().waitFor();
    expect(complaints.join('\n')).toBe('');
    await close();
  });

  it('shows hostile values as text, and unmasked nowhere', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(path('leads?q=hostile%40example.com'));
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.locator('tbody tr').first().click();
    // On the list the address and the search box hold what was searched for.
    await page.waitForURL(/leads\/[0-9a-f-]{36}/);
    await page.getByRole('heading', { name: 'Step by step' }).waitFor();
    await page.waitForTimeout(500);
    expect(await page.evaluate(() => (window as unknown as { hacked?: number }).hacked)).toBeUndefined();
    expect(await page.content()).not.toContain('hostile@example.com');
    expect(complaints.join('\n')).toBe('');
    await close();
  });

  it('says so when there is no such lead', async () => {
    const { page, close } = await signedIn();
    await page.goto(path('leads/01a21f57-0000-7000-8000-000000000000'));
    await page.getByText(/No lead of your organization has the id/).waitFor();
    await close();
  });
});

describe('everyone can use it', () => {
  const screens = () => [
    ['overview', path('overview')],
    ['leads', path('leads')],
    ['leads without a match', path('leads?q=nobody%40example.com')],
    ['lead', path(`leads/${sold}`)],
  ];

  for (const [name, options] of SCREENS) {
    it(`axe finds nothing in either scheme, and nothing scrolls sideways, on ${name}`, async () => {
      const login = await openPage(browser, options);
      await login.page.goto(`${node.url}/login`);
      await login.page.getByRole('button', { name: 'Sign in' }).waitFor();
      expect(await flaws(login.page)).toEqual([]);
      await login.close();
      const { page, close } = await signedIn(options);
      for (const [screen, url] of screens()) {
        await page.goto(url!);
        await standing(page);
        expect([screen, ...(await flaws(page, screen))].join('\n')).toBe(screen);
      }
      await close();
    });
  }

  it('by keyboard alone: skip link, list, lead, shortcuts', async () => {
    const { page, close } = await signedIn();
    await page.goto('about:blank');
    await page.goto(path('overview'));
    await standing(page);
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toMatch(/skip/i);
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
    await page.keyboard.press('g');
    await page.keyboard.press('l');
    await page.waitForURL(/payday\/leads/);
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await close();
  });
});
