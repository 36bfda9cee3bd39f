/** Signing in as a person does it, with and without the second factor, and every way back into an account. */
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { newId } from '#server/kit/ids.ts';
import { sendActivation } from '#server/session/activation.ts';
import { axe, DESKTOP, flaws, launchBrowser, openPage, overflows, PHONE, SCREENS, shoot, standing } from '#test/harness/browser.ts';
import { startNode, startTestWorld, type TestNode } from '#test/harness/node.ts';
import { visit } from '#test/harness/visitor.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
/** Asks for the second factor, as production does. */
let strict: TestNode;
let browser: Browser;
let acme: World;
let other: World;

beforeAll(async () => {
  node = await startTestWorld();
  strict = await startNode(node.database.url, { twoFactor: true });
  acme = await buildWorld(node.db, { name: 'Harbour Leads' });
  other = await buildWorld(node.db, { name: 'Lighthouse' });
  for (const world of [acme, other]) for (const one of [node, strict]) await one.planBook.reload(world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await strict.close();
  await node.stop();
});
beforeEach(() => node.pool.query('truncate throttle'));

const at = (one: { url: string }, path: string, world?: World) =>
  `http://${world ? `${world.subDomain}.` : ''}localhost:${new URL(one.url).port}${path}`;
const codeOf = (secret: string, offsetMs = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + offsetMs });
const linkTo = async (email: string) => {
  const [mail] = (await node.mailer.read(node.db, 200)).filter((one) => one.recipient === email);
  return /https?:\S+/.exec(mail!.text)![0];
};

async function enter(page: Page, person: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(person.email);
  await page.getByLabel('Password', { exact: true }).fill(person.password);
  await page.getByRole('button', { name: 'Sign in' }).last().click();
}

const inConsole = (page: Page, world: World) => page.waitForURL(new RegExp(`${world.subDomain}\\.localhost.*(overview|flow-control)`));

describe('account §4: sign-in without the second factor', () => {
  it('one organization: from the root domain straight to its sub-domain, with the token gone from the address', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(node, '/login'));
    await enter(page, person);
    await inConsole(page, acme);
    expect(page.url()).not.toContain('userSessionId');
    expect(complaints).toEqual([]);
    // Account §4: signed in, the sign-in page has nothing to offer.
    await page.goto(at(node, '/login', acme));
    await page.waitForURL(/overview|flow-control/);
    await close();
  });

  it('several organizations: a list, and the chosen one opens its sub-domain', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    await node.db
      .insertInto('team_member')
      .values({ organization_id: other.organizationId, id: newId(), user_id: person.userId, role: 'owner' })
      .execute();
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(node, '/login'));
    await enter(page, person);
    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
    expect(await page.getByRole('list', { name: 'Organizations' }).getByRole('button').allInnerTexts()).toHaveLength(2);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: /Lighthouse/ }).click();
    await inConsole(page, other);
    expect(complaints).toEqual([]);
    await close();
  });

  it('account §4, §8: a sign-out and a sign-in are said, and the last page is opened again, with its time span', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login', acme));
    await enter(page, person);
    await inConsole(page, acme);
    await page.goto(at(node, '/#!/setup/us/payday/leads?status=sold', acme));
    await page.getByRole('heading', { level: 1, name: /leads/i }).waitFor();
    await page.getByRole('button', { name: /account of/i }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/\/login/);
    await page.getByRole('status').filter({ hasText: 'You are signed out.' }).waitFor();
    await enter(page, person);
    await page.getByRole('status').filter({ hasText: 'You are signed in.' }).waitFor();
    await page.waitForURL(/leads\?status=sold/);
    await page.locator('.brand').waitFor();
    await close();
  });

  it('a link that was used, or was never ours, leads to the sign-in page and says why', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(at(node, `/?isAutoLogin=1&userSessionId=nonsense&orgId=${acme.organizationId}`, acme));
    await page.waitForURL(/\/login/);
    await page.getByText('This sign-in link is no longer good. Sign in again.').waitFor();
    expect(page.url()).not.toContain('nonsense');
    await close();
  });
});

describe('account §2, §4: the second factor', () => {
  it('first time: the picture and the key, a code, recovery codes to keep, then the console; later a code alone', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(strict, '/login'));
    await enter(page, person);
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'qr');
    const secret = (await page.locator('.qr-secret code').textContent())!.replace(/\s/g, '');
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret, -30_000).replace(/(...)/, '$1 '));
    await page.getByRole('heading', { name: 'Recovery codes' }).waitFor();
    expect(await page.locator('.recovery-codes li').count()).toBe(10);
    const [recovery] = await page.locator('.recovery-codes li').allInnerTexts();
    expect(await page.getByRole('button', { name: 'Go on' }).isDisabled()).toBe(true);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'recovery-codes');
    await page.getByLabel('I have kept these codes').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    await inConsole(page, acme);
    expect(complaints).toEqual([]);
    await close();

    const later = await openPage(browser);
    await later.page.goto(at(strict, '/login'));
    await enter(later.page, person);
    await later.page.getByRole('heading', { name: 'Two-factor sign-in' }).waitFor();
    expect(await axe(later.page)).toEqual([]);
    await later.page.getByLabel('Code', { exact: true }).fill('000000');
    await later.page.getByText('Invalid Authentication Code. Please try again.').waitFor();
    // The field is ready for the next try.
    await expect.poll(() => later.page.evaluate(() => document.activeElement?.getAttribute('autocomplete'))).toBe('one-time-code');
    await later.page.keyboard.type(codeOf(secret));
    await inConsole(later.page, acme);
    await later.close();

    const lost = await openPage(browser);
    await lost.page.goto(at(strict, '/login'));
    await enter(lost.page, person);
    await lost.page.getByLabel('Code', { exact: true }).fill(recovery!);
    await lost.page.getByRole('button', { name: 'Continue' }).click();
    await inConsole(lost.page, acme);
    await lost.close();
  });

  it('account §5: an empty code is asked for; after five wrong ones it begins again with the password', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(strict, '/login'));
    await enter(page, person);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('Enter the code', { exact: true }).waitFor();
    for (let tried = 0; tried < 6; tried++) {
      await Promise.all([page.waitForResponse(/verify-mfa/), page.getByLabel('Code', { exact: true }).fill('000000')]);
    }
    await page.getByText('Invalid User. Please try again.').waitFor();
    await page.getByRole('button', { name: 'Begin again with the password' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await close();
  });
});

describe('account §4: whole ways with the second factor', () => {
  /** Somebody who has an authenticator already. */
  async function equipped(): Promise<{ userId: string; email: string; password: string; secret: string }> {
    const person = await buildUser(node.db, acme.organizationId);
    const visitor = visit(strict);
    const { secret } = (await visitor.post('/team-login', { email: person.email, password: person.password })).json;
    expect((await visitor.post('/api/user/verify-mfa', { MFA: codeOf(secret, -30_000) })).statusCode).toBe(200);
    return { ...person, secret };
  }
  const shownSecret = async (page: Page) => {
    await page.getByRole('img', { name: /QR code/ }).waitFor();
    return ((await page.locator('.qr-secret code').textContent()) ?? '').replace(/\s/g, '');
  };
  async function setUp(page: Page): Promise<string> {
    const secret = await shownSecret(page);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await page.getByLabel('I have kept these codes').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    return secret;
  }

  it('several organizations are listed after the code and not before, and the chosen one opens', async () => {
    const person = await equipped();
    await node.db
      .insertInto('team_member')
      .values({ organization_id: other.organizationId, id: newId(), user_id: person.userId, role: 'owner' })
      .execute();
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(strict, '/login'));
    await enter(page, person);
    await page.getByRole('heading', { name: 'Two-factor sign-in' }).waitFor();
    expect(await page.getByText('Lighthouse').count()).toBe(0);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(person.secret));
    await page.getByRole('heading', { name: 'Choose an organization' }).waitFor();
    expect(await page.getByRole('list', { name: 'Organizations' }).getByRole('button').count()).toBe(2);
    await page.getByRole('button', { name: /Lighthouse/ }).click();
    await inConsole(page, other);
    expect(complaints).toEqual([]);
    await close();
  });

  it('an invited person registers, and the first sign-in shows the picture to scan', async () => {
    const owner = visit(node, { host: `${acme.subDomain}.localhost` });
    const { email, password } = await buildUser(node.db, acme.organizationId);
    await owner.post('/team-login', { email, password });
    const pages = [{ value: 'overview', pageChecked: true }];
    const verticals = [{ verticalId: acme.verticalId, verticalChecked: true, pages }];
    const guest = { email: `guest-${newId()}@example.com`, first_name: 'Gus', last_name: 'Guest' };
    const permissions = [{ regionId: acme.regionId, regionChecked: true, verticals }];
    expect((await owner.post('/api/v1/teamMgmt/team/invite', { ...guest, permissions })).statusCode).toBe(200);
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(strict, new URL(await linkTo(guest.email)).pathname));
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL(/member-register/);
    for (const label of ['Password', 'Confirm password']) await page.getByLabel(label, { exact: true }).fill('own-choice-1');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(/\/login/);
    await page.getByText('Your account is active. Sign in.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(guest.email);
    await enter(page, { email: guest.email, password: 'own-choice-1' });
    await setUp(page);
    await inConsole(page, acme);
    expect(complaints).toEqual([]);
    await close();
  });

  it('a forgotten password is set anew by the mail, and the code is asked for all the same', async () => {
    const person = await equipped();
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(strict, '/forgot-password'));
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    await page.goto(await linkTo(person.email));
    for (const label of ['New password', 'The same once more']) await page.getByLabel(label).fill('blue-kettle-7');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.waitForURL(/\/login/);
    await enter(page, { ...person, password: 'blue-kettle-7' });
    await page.getByRole('heading', { name: 'Two-factor sign-in' }).waitFor();
    expect(await page.getByRole('img', { name: /QR code/ }).count()).toBe(0);
    await page.getByLabel('Code', { exact: true }).fill(codeOf(person.secret));
    await inConsole(page, acme);
    expect(complaints).toEqual([]);
    await close();
  });

  it('after a reset of two-factor by the mail the next sign-in shows another picture to scan', async () => {
    const person = await equipped();
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(strict, '/login'));
    await page.getByRole('link', { name: 'Lost your authenticator?' }).click();
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    await page.goto(await linkTo(person.email));
    await page.getByRole('button', { name: 'Reset it' }).click();
    await page.getByText('Two-factor sign-in is reset.').waitFor();
    await page.getByRole('link', { name: 'Back to signing in' }).click();
    await enter(page, person);
    expect(await shownSecret(page)).not.toBe(person.secret);
    await setUp(page);
    await inConsole(page, acme);
    expect(complaints).toEqual([]);
    await close();
  });
});

describe('account §9: good news goes after 3 s, and what is still to be known stays', () => {
  it('on the way through a forgotten password', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.clock.install({ time: Date.now() });
    await page.goto(at(node, '/forgot-password'));
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    await page.clock.fastForward(60_000);
    await page.getByText('we have sent a link to set a new password').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'look-into-your-mail');
    await page.goto(await linkTo(person.email));
    for (const label of ['New password', 'The same once more']) await page.getByLabel(label).fill('blue-kettle-7');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.waitForURL(/\/login/);
    const news = page.getByText('Your new password is set. Sign in with it.');
    await news.waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'new-password-is-set');
    await news.hover();
    await page.clock.fastForward(30_000);
    expect(await news.count()).toBe(1);
    await page.getByLabel('Email').hover();
    await page.clock.fastForward(3_000);
    await news.waitFor({ state: 'detached' });
    await close();
  });

  it('on the landing: what became of an invitation is a part of the page', async () => {
    const { page, close } = await openPage(browser);
    await page.clock.install({ time: Date.now() });
    await page.goto(at(node, '/?isInvitationSuccess=2&isUser=true'));
    await page.getByText('You have accepted the invitation').waitFor();
    await page.clock.fastForward(60_000);
    await page.getByText('You have accepted the invitation').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'landing-invitation');
    await close();
  });
});

describe('account §4: no way leads off our host', () => {
  const SHAPES = [
    '//evil.example',
    '///evil.example/x',
    '/\\evil.example',
    '/%5Cevil.example',
    '/\t/evil.example',
    '/\n/evil.example',
    'https://evil.example/',
    'https:evil.example',
    'javascript:location="https://evil.example"',
    'data:text/html,<script>location="https://evil.example"</script>',
    '@evil.example',
    '.evil.example',
    '/@evil.example',
    '/./ /evil.example',
    '/..//evil.example',
    '/setup/../..//evil.example',
  ];

  it('B5: whatever `next` says, of who signs in and of who is signed in', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    const left: string[] = [];
    page.on('request', (request) => {
      const { protocol, hostname } = new URL(request.url());
      if (protocol.startsWith('http') && !/(^|\.)localhost$/.test(hostname)) left.push(request.url());
    });
    const stays = () => expect(new URL(page.url()).host).toMatch(new RegExp(`^(${acme.subDomain}\\.)?localhost:\\d+$`));
    for (const [nth, shape] of SHAPES.entries()) {
      // The form itself goes on as its door does: a shape of each kind passes through it.
      if (nth % 4 === 0) {
        await node.pool.query('truncate throttle');
        await page.context().clearCookies();
        await page.goto(at(node, `/login?${new URLSearchParams({ next: shape })}`, acme));
        await enter(page, person);
        await page.waitForURL((url) => !url.pathname.startsWith('/login'));
        await page.locator('.brand').waitFor();
        stays();
      }
      // Signed in, the page that was asked for is opened at once.
      for (const door of ['/login?', '/?isOpenLoginModal=true&']) {
        await page.goto(at(node, `${door}${new URLSearchParams({ next: shape })}`, acme));
        await page.locator('.brand').waitFor();
        stays();
      }
    }
    expect(left).toEqual([]);
    await close();
  }, 180_000);

  it('B5: nor what the hand-over brings along, nor a last page that somebody wrote into the database', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    const last = JSON.stringify({ url: '//evil.example/x', timeStamp: null });
    await node.pool.query('update app_user set last_page = $1 where id = $2', [last, person.userId]);
    await page.goto(at(node, '/?isOpenLoginModal=true&next=//evil.example', acme));
    await enter(page, person);
    await inConsole(page, acme);
    await page.context().clearCookies();
    await page.goto(at(node, '/login?next=//evil.example'));
    await enter(page, person);
    await inConsole(page, acme);
    await close();
  });
});

describe('account §2: the landing', () => {
  it.each([
    [1, 'accepted already'],
    [2, 'You have accepted the invitation'],
    [3, 'was rejected'],
    [4, 'no longer there'],
  ])('isInvitationSuccess %i says so', async (result, words) => {
    const { page, close } = await openPage(browser);
    await page.goto(at(node, `/?isInvitationSuccess=${result}&isUser=true`));
    await page.getByRole('status').getByText(words).waitFor();
    await close();
  });

  it('an accepted invitation of somebody without an account leads to member-register', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/?isInvitationSuccess=2&isUser=false&teamId=abc'));
    await page.waitForURL(/\/member-register\/abc/);
    await close();
  });

  it('opens the sign-in over itself, with the address filled in; Escape closes it', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(node, `/?isOpenLoginModal=true&email=${person.email}`));
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    await dialog.waitFor();
    expect(await dialog.getByLabel('Email').inputValue()).toBe(person.email);
    expect(await axe(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Sign in' }).first().click();
    await dialog.waitFor();
    await enter(page, person);
    await inConsole(page, acme);
    expect(complaints).toEqual([]);
    await close();
  });

  it('account §4: a protected page sends the signed-out here, and on to it after signing in; an unknown one to /login', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/#!/setup/us/payday/leads?status=sold', acme));
    await page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    expect(new URL(page.url()).pathname).toBe('/');
    await enter(page, person);
    await page.waitForURL(/leads\?status=sold/);
    await page.locator('.brand').waitFor();
    await close();
    // Also from the root domain, over to the sub-domain.
    const far = await openPage(browser);
    await far.page.goto(at(node, '/#!/setup/us/payday/leads?status=sold'));
    await enter(far.page, person);
    await far.page.waitForURL(new RegExp(`${acme.subDomain}\\.localhost.*leads\\?status=sold`));
    await far.page.locator('.brand').waitFor();
    await far.close();
    const stranger = await openPage(browser);
    await stranger.page.goto(at(node, '/no/such/page'));
    await stranger.page.waitForURL(/\/login$/);
    await stranger.close();
  });
});

describe('account §2: /login with parameters', () => {
  it('isOpenLoginModal opens the modal over the landing, with the address filled in', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login?isOpenLoginModal=true&email=a@example.com'));
    const dialog = page.getByRole('dialog', { name: 'Sign in' });
    expect(await dialog.getByLabel('Email').inputValue()).toBe('a@example.com');
    expect(new URL(page.url()).pathname).toBe('/');
    await close();
  });

  it('console §4: where nobody is signed in the page is loaded anew after 5 minutes, but not under somebody’s hands', async () => {
    const { page, close } = await openPage(browser);
    await page.clock.install();
    await page.goto(at(node, '/login'));
    await page.getByLabel('Email').fill('half@written');
    let loads = 0;
    page.on('load', () => {
      loads += 1;
    });
    await page.clock.fastForward(5 * 60_000 + 1000);
    expect(await page.getByLabel('Email').inputValue()).toBe('half@written');
    expect(loads).toBe(0);
    await page.getByLabel('Email').fill('');
    await page.clock.fastForward(5 * 60_000 + 1000);
    await expect.poll(() => loads, { timeout: 5_000 }).toBe(1);
    await close();
  });
});

describe('ways back into an account', () => {
  it('account §4, §5, §9: forgotten password, mail, new password, and after half a second the sign-in page', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(node, '/login'));
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(person.email.toUpperCase());
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('we have sent a link to set a new password').waitFor();
    expect(await axe(page)).toEqual([]);
    await page.goto(await linkTo(person.email));
    await page.getByLabel('New password').fill('short');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('A password has 8 to 20 characters.').waitFor();
    await page.getByLabel('New password').fill('blue-kettle-7');
    await page.getByLabel('The same once more').fill('blue-kettle-8');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('The two passwords are not the same.').waitFor();
    for (const label of ['New password', 'The same once more']) await page.getByLabel(label).fill('Password123');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('on the lists that attackers try first').waitFor();
    expect(await axe(page)).toEqual([]);
    for (const label of ['New password', 'The same once more']) await page.getByLabel(label).fill('blue-kettle-7');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.waitForURL(/\/login/);
    await page.getByText('Your new password is set. Sign in with it.').waitFor();
    expect(await page.getByLabel('Email').inputValue()).toBe(person.email);
    await enter(page, { ...person, password: 'blue-kettle-7' });
    await inConsole(page, acme);
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
    await close();
  });

  it('two-factor reset: opening the link changes nothing until it is confirmed', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    await node.pool.query(`update app_user set mfa_enabled_at = now(), mfa_secret = '\\x00' where id = $1`, [person.userId]);
    const isOn = async () =>
      (await node.pool.query('select mfa_enabled_at is not null as on from app_user where id = $1', [person.userId])).rows[0].on;
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login'));
    await page.getByRole('link', { name: 'Lost your authenticator?' }).click();
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByText('resets').first().waitFor();
    await expect
      .poll(async () => (await node.mailer.read(node.db, 200)).some((one) => one.recipient === person.email), { timeout: 5_000 })
      .toBe(true);
    await page.goto(await linkTo(person.email));
    await page.getByRole('button', { name: 'Reset it' }).waitFor();
    expect(await isOn()).toBe(true);
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Reset it' }).click();
    await page.getByText('Two-factor sign-in is reset.').waitFor();
    expect(await isOn()).toBe(false);
    await close();
  });

  it('account §4: confirming an address checks its steps off at 0.5, 2, 3.5, 5, 5.5 and 6 s; a second look goes to sign in', async () => {
    const person = await buildUser(node.db, acme.organizationId, { email: `confirm-${newId()}@example.com` });
    await node.pool.query('update app_user set email_confirmed_at = null where id = $1', [person.userId]);
    const addresses = { origin: () => at(node, ''), subDomainOf: () => '' };
    await sendActivation(node.db, { mailer: node.mailer, addresses }, { id: person.userId, email: person.email, first_name: 'Una' });
    const { page, complaints, close } = await openPage(browser);
    await page.clock.install();
    const link = await linkTo(person.email);
    await page.goto(link);
    await page.getByText(`Welcome, Una.`).waitFor();
    expect(await axe(page)).toEqual([]);
    await page.getByRole('button', { name: 'Confirm and activate' }).click();
    await page.getByRole('heading', { name: 'Setting things up…' }).waitFor();
    await page.clock.fastForward(6_000);
    await page.getByRole('heading', { name: 'All set' }).waitFor();
    expect(await page.locator('.activation-steps li[data-done="true"]').allInnerTexts()).toHaveLength(6);
    expect(await page.getByRole('link', { name: 'Sign in' }).getAttribute('href')).toContain('/login?email=');
    expect(complaints).toEqual([]);
    await close();
    const again = await openPage(browser);
    await again.page.goto(link);
    await again.page.waitForURL(/\/login/);
    await again.page.getByText('user already activated').waitFor();
    await again.close();
  });
});

describe('account §2: /change-password', () => {
  it('changes the password, lists the open sessions and ends them, and makes new recovery codes', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const [there, here] = [await openPage(browser), await openPage(browser)];
    await there.page.goto(at(strict, '/login', acme));
    await enter(there.page, person);
    const secret = ((await there.page.locator('.qr-secret code').textContent()) ?? '').replace(/\s/g, '');
    await there.page.getByLabel('Code', { exact: true }).fill(codeOf(secret, -30_000));
    await there.page.getByLabel('I have kept these codes').check();
    await there.page.getByRole('button', { name: 'Go on' }).click();
    await inConsole(there.page, acme);
    await here.page.goto(at(strict, '/login', acme));
    await enter(here.page, person);
    await here.page.getByLabel('Code', { exact: true }).fill(codeOf(secret));
    await inConsole(here.page, acme);
    const { page } = here;
    await page.getByRole('button', { name: /account of/i }).click();
    await page.getByRole('menuitem', { name: 'Password and sessions' }).click();
    await page.getByRole('heading', { level: 1, name: 'Password and sessions' }).waitFor();
    await expect.poll(() => page.locator('.session-list li').count()).toBe(2);
    for (const [colorScheme, viewport] of [
      ['light', DESKTOP],
      ['dark', PHONE],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize(viewport);
      expect(await axe(page)).toEqual([]);
      expect(await overflows(page)).toBe(false);
      if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/change-password-${colorScheme}.png`, fullPage: true });
    }
    await page.setViewportSize(DESKTOP);
    await page.getByRole('button', { name: 'End all others' }).click();
    await expect.poll(() => page.locator('.session-list li').count()).toBe(1);
    await there.page.reload();
    await there.page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Current password').fill('not it');
    for (const label of ['New password', 'The same once more']) await page.getByLabel(label).fill('blue-kettle-7');
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('This is not your current password.').waitFor();
    await page.getByLabel('Current password').fill(person.password);
    await page.getByRole('button', { name: 'Change the password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await page.getByLabel('Code of your authenticator').fill(codeOf(secret, 30_000));
    await page.getByRole('button', { name: 'Make new codes' }).click();
    await expect.poll(() => page.locator('.recovery-codes li').count()).toBe(10);
    await Promise.all([here.close(), there.close()]);
  });
});

describe('console §9: the front loader', () => {
  it('once it is shown stays for 500 ms, so that it does not flash', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login', acme));
    await enter(page, person);
    await inConsole(page, acme);
    await page.addInitScript(() => {
      const seen = { shownAt: 0, goneAt: 0 };
      Object.assign(window, { loaderSeen: seen });
      new MutationObserver(() => {
        const isThere = document.querySelector('main.waiting') !== null;
        if (isThere && seen.shownAt === 0) seen.shownAt = performance.now();
        if (!isThere && seen.shownAt > 0 && seen.goneAt === 0) seen.goneAt = performance.now();
      }).observe(document, { childList: true, subtree: true });
    });
    // Long enough for the loader to come, and answered soon after it came.
    await page.route('**/is-user-is-logged-in*', async (route) => {
      await page.locator('main.waiting').waitFor();
      await route.continue();
    });
    await page.reload();
    const seen = () => page.evaluate(() => (window as unknown as { loaderSeen: { shownAt: number; goneAt: number } }).loaderSeen);
    await expect.poll(async () => (await seen()).goneAt, { timeout: 10_000 }).toBeGreaterThan(0);
    const { shownAt, goneAt } = await seen();
    // Timers of a browser may fire a little early.
    expect(goneAt - shownAt).toBeGreaterThan(480);
    await close();
  });
});

describe('account §2, §9: the global spinner', () => {
  it('is shown while a page is on its way, for 4 s at most', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login', acme));
    await enter(page, person);
    await inConsole(page, acme);
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/assets/Leads-*.js', async (route) => {
      await held;
      await route.continue();
    });
    await page.clock.install({ time: Date.now() });
    await page.getByRole('link', { name: 'Leads', exact: true }).first().click();
    const spinner = page.getByRole('status').filter({ hasText: 'Opening the page' });
    await spinner.waitFor();
    await page.clock.fastForward(4_100);
    await spinner.waitFor({ state: 'detached' });
    release();
    await page.getByRole('heading', { level: 1, name: 'Leads' }).waitFor();
    await close();
  });
});

describe('console §4, §8: offline', () => {
  it('says so from 8 s after the start, on line again asks who is signed in, and starts over when nobody is', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login', acme));
    await enter(page, person);
    await inConsole(page, acme);
    await page.clock.install({ time: Date.now() });
    await page.reload();
    await standing(page);
    const banner = page.getByRole('alert').filter({ hasText: 'refreshes by itself' });
    await page.context().setOffline(true);
    expect(await banner.count()).toBe(0);
    await page.clock.fastForward(8_100);
    await banner.getByText('You are offline.').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'offline');
    await node.pool.query('delete from session where user_id = $1', [person.userId]);
    await page.context().setOffline(false);
    await page.waitForURL((url) => url.pathname === '/' && !url.hash.includes('setup'));
    await page.getByText('Every lead finds its channel').waitFor();
    await close();
  });

  it('says that the server is out of reach, and takes it back when it answers', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login', acme));
    await enter(page, person);
    await inConsole(page, acme);
    await page.clock.install({ time: Date.now() });
    await page.reload();
    await standing(page);
    await page.clock.fastForward(8_100);
    await page.route('**/api/**', (route) => route.abort());
    await page.clock.fastForward(61_000);
    const banner = page.getByRole('alert').filter({ hasText: 'refreshes by itself' });
    await banner.getByText('The server cannot be reached.').waitFor();
    await page.unroute('**/api/**');
    await page.clock.fastForward(6_000);
    await banner.waitFor({ state: 'detached' });
    await close();
  });

  it('console §4, §8: on the sign-in page too, which keeps what was typed, and notices by itself that the server went and came back', async () => {
    const { page, close } = await openPage(browser);
    await page.clock.install({ time: Date.now() });
    await page.goto(at(node, '/login'));
    await page.getByLabel('Email').fill('half@written.example');
    const banner = page.getByRole('alert').filter({ hasText: 'the page notices by itself' });
    await page.route('**/healthz', (route) => route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }));
    await page.clock.fastForward(8_100);
    expect(await banner.count()).toBe(0);
    await page.clock.fastForward(31_000);
    await banner.getByText('The server cannot be reached.').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await shoot(page, 'offline-sign-in');
    // Nobody is sent anywhere, and no page is loaded that is not there.
    await page.clock.fastForward(5 * 60_000);
    expect(await page.getByLabel('Email').inputValue()).toBe('half@written.example');
    await page.unroute('**/healthz');
    await page.clock.fastForward(6_000);
    await banner.waitFor({ state: 'detached' });
    expect(await page.getByLabel('Email').inputValue()).toBe('half@written.example');
    expect(new URL(page.url()).pathname).toBe('/login');
    await close();
  });

  it('console §4, §8: after the server was away a page behind the sign-in is read anew, and who is no longer signed in starts over', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login', acme));
    await enter(page, person);
    await inConsole(page, acme);
    await page.goto(at(node, '/#!/setup/us/payday/buyers', acme));
    await page.getByRole('heading', { level: 1, name: 'Buyers' }).waitFor();
    await page.clock.install({ time: Date.now() });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Buyers' }).waitFor();
    await page.clock.fastForward(8_100);
    const banner = page.getByRole('alert').filter({ hasText: 'refreshes by itself' });
    const away = async () => {
      await page.route(/healthz|\/api\//, (route) => route.abort());
      await page.clock.fastForward(31_000);
      await banner.getByText('The server cannot be reached.').waitFor();
    };
    const back = async () => {
      await page.unroute(/healthz|\/api\//);
      await page.clock.fastForward(6_000);
      await banner.waitFor({ state: 'detached' });
    };
    await away();
    const id = newId();
    await node.db
      .insertInto('buyer')
      .values({ organization_id: acme.organizationId, id, name: 'Came meanwhile', status: 'active' })
      .execute();
    await back();
    await page.getByText('Came meanwhile').first().waitFor();
    await away();
    await node.pool.query('delete from session where user_id = $1', [person.userId]);
    await back();
    await page.waitForURL((url) => url.pathname === '/' && !url.hash.includes('setup'));
    await page.getByText('Every lead finds its channel').waitFor();
    await close();
  });
});

describe('console §4: inactivity', () => {
  it('after 30 minutes a countdown from 59 s; a movement stops it; at 0 one is signed out, told why, and comes back where one was', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login', acme));
    await enter(page, person);
    await inConsole(page, acme);
    await page.clock.install({ time: Date.now() });
    await page.goto(at(node, '/#!/setup/us/payday/leads', acme));
    await page.reload();
    await page.getByRole('heading', { level: 1, name: /leads/i }).waitFor();
    const warning = page.getByRole('alertdialog', { name: 'Are you still there?' });
    await page.clock.fastForward(29 * 60_000);
    expect(await warning.count()).toBe(0);
    await page.clock.fastForward(65_000);
    await warning.waitFor();
    expect(await warning.textContent()).toMatch(/signed out in 5\d s/);
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'idle');
    await page.mouse.move(200, 300);
    await warning.waitFor({ state: 'detached' });
    await page.clock.fastForward(30 * 60_000 + 30_000);
    await warning.waitFor();
    await page.clock.fastForward(40_000);
    await page.getByText('You have been logged out due to inactivity').waitFor();
    await page.clock.fastForward(2_000);
    await page.waitForURL(/\/login/);
    await page.getByText('You have been logged out due to inactivity').waitFor();
    // Why somebody is here is no alert: it stays while they look for their password.
    await page.clock.fastForward(60_000);
    await page.getByText('You have been logged out due to inactivity').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'signed-out-idle');
    await enter(page, person);
    await page.waitForURL(/#!\/setup\/us\/payday\/leads$/);
    await page.getByRole('heading', { level: 1, name: /leads/i }).waitFor();
    await close();
  });

  it('account §4: the last page comes back also when the session had ended on the server while the laptop slept', async () => {
    const person = await buildUser(node.db, acme.organizationId);
    const { page, close } = await openPage(browser);
    await page.goto(at(node, '/login', acme));
    await enter(page, person);
    await inConsole(page, acme);
    await page.goto(at(node, '/#!/setup/us/payday/leads?status=sold', acme));
    await page.clock.install({ time: Date.now() });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: /leads/i }).waitFor();
    await node.pool.query('delete from session where user_id = $1', [person.userId]);
    // Nothing runs while the lid is shut, and then all at once.
    await page.clock.fastForward(8 * 3_600_000);
    await page.getByText('You have been logged out due to inactivity').waitFor();
    await page.clock.fastForward(2_000);
    await page.waitForURL(/\/login\?next=/);
    await page.getByText('You have been logged out due to inactivity').waitFor();
    await enter(page, person);
    await page.waitForURL(/#!\/setup\/us\/payday\/leads\?status=sold$/);
    await page.getByRole('heading', { level: 1, name: /leads/i }).waitFor();
    const { last_page } = await node.db
      .selectFrom('app_user')
      .select('last_page')
      .where('id', '=', person.userId)
      .executeTakeFirstOrThrow();
    // The server had no session left that could have kept the page: the address alone has brought it back.
    expect(last_page).toBeNull();
    await close();
  });
});

describe('every page of the account area', () => {
  const pages = [
    '/',
    '/?isOpenLoginModal=true',
    '/login',
    '/forgot-password',
    '/reset-mfa',
    '/reset-mfa?token=x',
    '/reset/x',
    '/invitation-confirm-email/x?token=y&email=z',
  ];
  for (const [name, options] of SCREENS)
    it(`is free of what axe finds in either scheme, and fits, on ${name}`, async () => {
      const { page, close } = await openPage(browser, options);
      for (const path of pages) {
        await page.goto(at(node, path));
        await page.getByRole('heading').first().waitFor();
        await page.waitForLoadState('networkidle');
        expect([path, ...(await flaws(page, path))].join('\n')).toBe(path);
      }
      await close();
    });
});
