/** Sign-ins and refusals as the owner reads them, and the fresh proof that the console asks for by itself. */
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, DESKTOP, launchBrowser, openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
/** Asks for the second factor, as production does. */
let strict: TestNode;
let browser: Browser;
let world: World;

beforeAll(async () => {
  node = await startTestWorld();
  strict = await startNode(node.database.url, { twoFactor: true });
  world = await buildWorld(node.db, { name: 'Harbour Leads' });
  for (const one of [node, strict]) await one.planBook.reload(world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await strict.close();
  await node.stop();
});

const codeOf = (secret: string, offsetMs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetMs });
const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name }).waitFor();
const rowsOf = (page: Page) => page.locator('.security-lines tbody tr');
const named = (userId: string, first_name: string) =>
  node.db.updateTable('app_user').set({ first_name, last_name: 'Harbour' }).where('id', '=', userId).execute();

describe('sign-ins and refusals on screen', () => {
  it('ASVS 5.0 16.3.1, 16.3.2: the owner reads them beside the change log, narrowed in the address, and saves them as a file', async () => {
    const [owner, member] = [
      await buildUser(node.db, world.organizationId),
      await buildUser(node.db, world.organizationId, { role: 'member' }),
    ];
    await Promise.all([named(owner.userId, 'Olga'), named(member.userId, 'Mona')]);
    const phone = visit(node, {
      host: `${world.subDomain}.localhost`,
      address: '198.51.100.7',
      headers: { 'user-agent': 'Mozilla/5.0 (iPhone) Version/18 Safari/605' },
    });
    await phone.post('/team-login', { email: member.email, password: 'wrong-one-1' });
    await phone.post('/team-login', { email: member.email, password: member.password });
    await phone.get('/api/v1/change-log');
    await visit(node, { host: `${world.subDomain}.localhost` }).post('/api/v1/session/auto-login', { userSessionId: 'x', orgId: 'y' });
    const { page, complaints, close } = await openSignedIn(browser, node.url, owner);
    await page.goto(`${node.url}/#!/change-logs-mgmt`);
    await heading(page, 'Change log');
    await page.getByRole('link', { name: 'Sign-ins and refusals' }).click();
    await heading(page, 'Sign-ins and refusals');
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThanOrEqual(5);
    const text = (await rowsOf(page).allInnerTexts()).join('\n');
    for (const said of [
      'Wrong password',
      'Not permitted',
      'Missing: the owner’s role',
      'Unknown link, forged or ended',
      'Safari on iPhone',
    ])
      expect(text).toContain(said);
    for (const [colorScheme, viewport, name] of [
      ['light', DESKTOP, 'desktop'],
      ['dark', PHONE, 'phone'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      expect(await axe(page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
      await shoot(page, `security-log-${name}`);
    }
    await page.setViewportSize(DESKTOP);
    // By keys alone: the filter opens, an option is chosen, the address says so.
    await page.getByRole('button', { name: 'Kind', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Refused call' }).click();
    await page.waitForURL(/kind=refusal/);
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.reload();
    await expect.poll(() => rowsOf(page).count()).toBe(1);
    await page.getByRole('button', { name: 'Clear all' }).click();
    await rowsOf(page).getByRole('button', { name: 'Mona Harbour' }).first().click();
    await page.waitForURL(new RegExp(`userId=${member.userId}`));
    await expect.poll(() => rowsOf(page).count()).toBe(3);
    await page.getByRole('button', { name: 'Outcome', exact: true }).click();
    await page.getByRole('option', { name: 'Whatever did not go well' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(2);
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    expect(file.suggestedFilename()).toMatch(/^sign-ins-and-refusals-.*\.csv$/);
    await page.evaluate(() => Object.assign(window, { print: () => document.body.setAttribute('data-printed', 'yes') }));
    await page.getByRole('button', { name: 'Print' }).click();
    expect(await page.locator('body').getAttribute('data-printed')).toBe('yes');
    await page.emulateMedia({ media: 'print' });
    expect(await page.getByRole('button', { name: 'CSV' }).isVisible()).toBe(false);
    expect(await page.locator('.security-lines').evaluate((of) => getComputedStyle(of).overflowY)).toBe('visible');
    await shoot(page, 'security-log-print');
    await page.emulateMedia({ media: 'screen' });
    await page.goto(`${node.url}/#!/security-log?kind=two-factor&userId=${owner.userId}`);
    await page.getByText('Nothing matches.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rowsOf(page).count()).toBeGreaterThanOrEqual(5);
    expect(complaints).toEqual([]);
    await page.route('**/api/v1/security-log?*', (route) =>
      route.fulfill({ status: 500, json: { status: false, code: 'server_error', msg: 'Broken for once.' } }),
    );
    await page.goto(`${node.url}/#!/security-log?kind=limit`);
    await page.getByText('Broken for once.').waitFor();
    await page.unroute('**/api/v1/security-log?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Nothing matches.').waitFor();
    expect(await page.getByRole('button', { name: 'CSV' }).isDisabled()).toBe(true);
    // What was looked through so far holds nothing, and there is more: the file goes on by itself.
    await page.route('**/api/v1/security-log?*', (route) =>
      route.fulfill({ json: { status: true, lines: [], older: '01890000-0000-7000-8000-000000000001', lookedTo: '2026-01-01T00:00:00Z' } }),
    );
    await page.goto(`${node.url}/#!/security-log?kind=proof`);
    await page.getByRole('button', { name: 'Search further back' }).waitFor();
    expect(await page.getByRole('button', { name: 'CSV' }).isDisabled()).toBe(false);
    await page.unroute('**/api/v1/security-log?*');
    await close();
  });
});

describe('the fresh proof on screen', () => {
  it('ASVS 5.0 7.5.1, 7.5.2: a small dialog asks for what is missing, and what was wanted is done by itself; without it nothing is', async () => {
    const person = await buildUser(node.db, world.organizationId);
    const { page, close } = await openPage(browser);
    const at = `http://${world.subDomain}.localhost:${new URL(strict.url).port}`;
    await page.goto(`${at}/login`);
    await page.getByLabel('Email').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).last().click();
    const secret = ((await page.locator('.qr-secret code').textContent()) ?? '').replace(/\s/g, '');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, -30_000));
    await page.getByLabel('I have kept these codes').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForURL(/overview|flow-control/);
    const other = visit(node, { host: `${world.subDomain}.localhost` });
    await other.post('/team-login', { email: person.email, password: person.password });
    await node.pool.query(`update session set proof = '{}' where user_id = $1`, [person.userId]);
    await page.goto(`${at}/#!/change-password`);
    await heading(page, 'Password and sessions');
    await expect.poll(() => page.locator('.session-list li').count()).toBe(2);
    await page.getByRole('button', { name: 'End all others' }).click();
    const dialog = page.getByRole('dialog', { name: 'Is it you?' });
    await dialog.waitFor();
    for (const [colorScheme, viewport, name] of [
      ['light', DESKTOP, 'desktop'],
      ['dark', PHONE, 'phone'],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      expect(await axe(page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
      await shoot(page, `fresh-proof-${name}`);
    }
    await page.setViewportSize(DESKTOP);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Nothing was done: it was not shown that it is you.').waitFor();
    expect((await other.get('/api/v1/session/list')).statusCode).toBe(200);
    await page.getByRole('button', { name: 'End all others' }).click();
    await dialog.getByRole('button', { name: 'Go on' }).click();
    await dialog.getByText('Enter your password').waitFor();
    await dialog.getByLabel('Your password').fill('wrong-one-1');
    await dialog.getByLabel(/^Code of your authenticator/).fill('000000');
    await page.keyboard.press('Enter');
    await dialog.getByText('This is not your password.').waitFor();
    await dialog.getByLabel('Your password').fill(person.password);
    await page.keyboard.press('Enter');
    await dialog.getByText('Invalid Authentication Code. Please try again.').waitFor();
    await dialog.getByLabel(/^Code of your authenticator/).fill(codeOf(secret));
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator('.session-list li').count()).toBe(1);
    expect((await other.get('/api/v1/session/list')).statusCode).toBe(401);
    // Of a password that is given with the call itself only the code is asked for.
    await node.pool.query(`update session set proof = '{}' where user_id = $1`, [person.userId]);
    await page.getByLabel('Current password').fill(person.password);
    for (const label of ['New password', 'The same once more']) await page.getByLabel(label).fill('blue-kettle-7');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await dialog.waitFor();
    expect(await dialog.getByLabel('Your password').count()).toBe(0);
    // The ten minutes are over before the code is sent: the password is asked for beside it.
    await node.pool.query(`update session set proof = '{}' where user_id = $1`, [person.userId]);
    await dialog.getByLabel(/^Code of your authenticator/).fill(codeOf(secret, 30_000));
    await page.keyboard.press('Enter');
    await dialog.getByText('Enter your password.').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'fresh-proof-late');
    await dialog.getByLabel('Your password').fill(person.password);
    await page.keyboard.press('Enter');
    await page.getByText('Your password is changed.').waitFor();
    await close();
  });
});
