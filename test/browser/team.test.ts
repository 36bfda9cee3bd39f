import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, flaws, launchBrowser, openPage, openSignedIn, SCREENS, shoot, standing, type WatchedPage } from '#test/harness/browser.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;
let owner: { userId: string; email: string; password: string };

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db, { name: 'Harbour Leads' });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId, { email: 'owner@example.com' });
  await buildUser(node.db, world.organizationId, { role: 'member', email: 'mara@example.com' });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.goto(`${node.url}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
  await standing(page);
}
async function signedIn(options: Parameters<typeof openPage>[1] = {}, person = owner): Promise<WatchedPage> {
  const watched = await openSignedIn(browser, node.url, person, options);
  await standing(watched.page);
  return watched;
}
async function linkOfLastMail(): Promise<string> {
  const mails = await node.mailer.read(node.db, 5);
  const mail = mails.find((one) => one.kind === 'invitation');
  return `${node.url}${/\/invitation\/[\w-]{43}/.exec(mail!.text)![0]}`;
}
async function inviteByScreen(page: Page, email: string): Promise<void> {
  await page.goto(`${node.url}/team`);
  await page.getByRole('button', { name: 'Invite', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('First name').fill('Gus');
  await dialog.getByLabel('Last name').fill('Guest');
  await dialog.getByLabel('Email').fill(email);
  await dialog.getByLabel('Overview').check();
  await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText(email).waitFor();
}

describe('account §4: registration', () => {
  it('the sub-domain is checked while typing, errors stand at their fields, and the person is in', async () => {
    const { page, complaints, close } = await openPage(browser);
    await page.goto(`${node.url}/register`);
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('Organization name is required').waitFor();
    expect(await page.evaluate(() => document.activeElement?.getAttribute('data-path'))).toBe('organization');
    await page.getByLabel('Organization name').fill('River Leads');
    await page.getByLabel('Sub-domain').fill(world.subDomain.toUpperCase());
    await page.getByText('This sub-domain is taken. Choose another.').waitFor();
    await page.getByLabel('Sub-domain').fill('admin');
    await page.getByText(/kept for the product itself/).waitFor();
    await page.getByLabel('Sub-domain').fill('River-Leads');
    await page.getByText('river-leads is free.').waitFor();
    await page.getByLabel('First name').fill('Rita');
    await page.getByLabel('Last name').fill('Rivers');
    await page.getByLabel('Email').fill('Rita@Example.com');
    await page.getByLabel('Password', { exact: true }).fill('password123');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText(/lists that attackers try first/).waitFor();
    await page.getByLabel('Password', { exact: true }).fill('correct-horse-1');
    await page.getByRole('button', { name: 'Register' }).dblclick();
    await page.waitForURL(/no-vertical/);
    await page.getByRole('button', { name: 'Account of Rita Rivers' }).waitFor();
    await page.getByRole('link', { name: 'Invite your team' }).click();
    await page.getByRole('heading', { name: 'Team' }).waitFor();
    await page.getByText('rita@example.com').waitFor();
    // The refused password is the one error a browser writes down.
    expect(complaints.filter((one) => !one.includes('400'))).toEqual([]);
    await close();
  });
});

describe('account §8: registration with an address that is taken', () => {
  it('says so at the field, keeps what was typed, and makes nothing', async () => {
    const { page, close } = await openPage(browser);
    await page.goto(`${node.url}/register`);
    await page.getByLabel('Organization name').fill('Second Leads');
    await page.getByLabel('Sub-domain').fill('second-leads');
    await page.getByLabel('First name').fill('Otto');
    await page.getByLabel('Last name').fill('Other');
    await page.getByLabel('Email').fill(` ${owner.email.toUpperCase()}`);
    await page.getByLabel('Password', { exact: true }).fill('blue-kettle-7');
    await page.getByRole('button', { name: 'Register' }).click();
    await page.getByText('There is an account with this address already. Sign in, or use another address.').waitFor();
    const email = page.getByLabel('Email');
    expect(await email.getAttribute('aria-invalid')).toBe('true');
    expect(await email.evaluate((input) => input === document.activeElement)).toBe(true);
    expect(await page.getByLabel('Organization name').inputValue()).toBe('Second Leads');
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(await axe(page)).toEqual([]);
    const made = await node.db.selectFrom('organization').select('id').where('sub_domain', '=', 'second-leads').execute();
    expect(made).toEqual([]);
    await email.fill('otto@example.com');
    await page.getByText('There is an account with this address already.').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Register' }).click();
    await page.waitForURL(/no-vertical/);
    await close();
  });
});

describe('account §4: registration with two-factor', () => {
  it('with two-factor: picture, code, recovery codes, mail, confirmation, and the first sign-in at the new sub-domain', async () => {
    const strict = await startNode(node.database.url, { twoFactor: true });
    const { page, complaints, close } = await openPage(browser);
    await page.goto(`${strict.url}/register`);
    await page.getByLabel('Organization name').fill('Strict Leads');
    await page.getByLabel('Sub-domain').fill('strict-leads');
    await page.getByLabel('First name').fill('Stella');
    await page.getByLabel('Last name').fill('Strict');
    await page.getByLabel('Email').fill('stella@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct-horse-1');
    await page.getByRole('button', { name: 'Register' }).click();
    const picture = page.getByRole('img', { name: /QR code/ });
    await picture.waitFor();
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Set up' }).click();
    await page.getByText('Enter the code', { exact: true }).waitFor();
    expect(await axe(page)).toEqual([]);
    const secret = ((await page.locator('.qr-secret code').textContent()) ?? '').replace(/\s/g, '');
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.getByLabel('I have kept these codes').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
    const [mail] = (await strict.mailer.read(node.db, 50)).filter(
      (one) => one.recipient === 'stella@example.com' && one.kind === 'activation',
    );
    await page.goto(/https?:\S+/.exec(mail!.text)![0]);
    await page.getByRole('button', { name: 'Confirm and activate' }).click();
    await page.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Password', { exact: true }).fill('correct-horse-1');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page
      .getByLabel('Code', { exact: true })
      .fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + 30_000 }));
    await page.waitForURL(/strict-leads\.localhost.*no-vertical/);
    expect(complaints).toEqual([]);
    await close();
    await strict.close();
  });
});

describe('account §4: registration by somebody with an invitation to the same address', () => {
  it('is confirmed by it: after the code the way leads into the new organization', async () => {
    const strict = await startNode(node.database.url, { twoFactor: true });
    const host = await signedIn();
    await inviteByScreen(host.page, 'ingrid@example.com');
    const teamId = new URL(await linkOfLastMail()).pathname.split('/')[2];
    await host.close();
    // At the root domain, so that the new organization's sub-domain is another place.
    const { page, complaints, close } = await openPage(browser);
    await page.route('**/users/register', (route) => {
      const sent = JSON.parse(route.request().postData()!);
      return route.continue({ postData: JSON.stringify({ ...sent, invitationData: { teamId } }) });
    });
    await page.goto(`${strict.url.replace('127.0.0.1', 'localhost')}/register`);
    await page.getByLabel('Organization name').fill('Ingrid Leads');
    await page.getByLabel('Sub-domain').fill('ingrid-leads');
    await page.getByLabel('First name').fill('Ingrid');
    await page.getByLabel('Last name').fill('Invited');
    await page.getByLabel('Email').fill('ingrid@example.com');
    await page.getByLabel('Password', { exact: true }).fill('correct-horse-1');
    await page.getByRole('button', { name: 'Register' }).click();
    const secret = ((await page.locator('.qr-secret code').textContent()) ?? '').replace(/\s/g, '');
    await page.getByLabel('Code', { exact: true }).fill(new TOTP({ secret: Secret.fromBase32(secret) }).generate());
    await page.getByLabel('I have kept these codes').check();
    await page.getByRole('button', { name: 'Go on' }).click();
    await page.waitForURL(/\/\/ingrid-leads\.localhost:.*no-vertical/);
    expect(page.url()).not.toContain('userSessionId');
    await page.getByRole('button', { name: 'Account of Ingrid Invited' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
    await strict.close();
  });
});

describe('account §4: an invitation', () => {
  it('is sent from the team page, accepted by a new person, who then sees what was ticked', async () => {
    const host = await signedIn();
    await inviteByScreen(host.page, 'gus@example.com');
    const { page, close } = await openPage(browser);
    await page.goto(await linkOfLastMail());
    await page.getByText('Harbour Leads').waitFor();
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL(/member-register/);
    expect(await page.getByLabel('First name').inputValue()).toBe('Gus');
    await page.getByLabel('Password', { exact: true }).fill('own-choice-1');
    await page.getByLabel('Confirm password').fill('own-choice-2');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.getByText('The two passwords are not the same.').waitFor();
    await page.getByLabel('Confirm password').fill('own-choice-1');
    await page.getByRole('button', { name: 'Join' }).click();
    await page.waitForURL(/\/login/);
    await enter(page, 'gus@example.com', 'own-choice-1');
    await page.waitForURL(/overview|flow-control/);
    await page.goto(`${node.url}/team`);
    await page.waitForURL(/overview|flow-control/);
    await host.close();
    await close();
  });

  it('of somebody who is signed in is accepted without a password, said so, and the new team is in the menu', async () => {
    const elsewhere = await buildWorld(node.db, { name: 'Lighthouse' });
    await node.planBook.reload(elsewhere.organizationId);
    const guest = await buildUser(node.db, elsewhere.organizationId, { email: 'guest-of-two@example.com' });
    const host = await signedIn();
    await inviteByScreen(host.page, guest.email);
    const link = await linkOfLastMail();
    const { page, close } = await signedIn({}, guest);
    await page.goto(link);
    expect(await page.getByLabel(/Password/).count()).toBe(0);
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL(/isInvitationSuccess=2/);
    await page.getByText('You have accepted the invitation. Welcome to the team.').waitFor();
    await page.getByRole('link', { name: 'Open the console' }).click();
    await page.waitForURL(/overview|flow-control/);
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Open Harbour Leads' }).waitFor();
    await host.close();
    await close();
  });

  it('is sent again from the team page, which ends the first link, and taken back, which ends the second', async () => {
    const host = await signedIn();
    await inviteByScreen(host.page, 'nils@example.com');
    const first = await linkOfLastMail();
    const row = host.page.locator('li', { hasText: 'nils@example.com' });
    const choose = async (name: string) => {
      await row.getByRole('button', { name: /^Change/ }).click();
      await host.page.getByRole('menuitem', { name }).click();
    };
    await choose('Send the invitation again');
    await host.page.getByText('A new invitation is on its way.').first().waitFor();
    const second = await linkOfLastMail();
    expect(second).not.toBe(first);
    const { page, close } = await openPage(browser);
    await page.goto(first);
    await page.getByText('This invitation is no longer there. Ask for a new one.').waitFor();
    await page.goto(second);
    await page.getByRole('button', { name: 'Accept' }).waitFor();
    await choose('Delete the invitation');
    await host.page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    // Still open in the other browser: the answer comes too late and is told so.
    await page.getByRole('button', { name: 'Accept' }).click();
    await page.waitForURL(/isInvitationSuccess=4/);
    await page.getByText('This invitation is no longer there. Ask for a new one.').waitFor();
    await host.close();
    await close();
  });

  it('account §6: one that gives no page says so before it is sent, and so does the editor of permissions', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/team`);
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const dialog = page.getByRole('dialog');
    const note = dialog.getByRole('status').filter({ hasText: 'No page is ticked.' });
    await note.waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'invite-nothing');
    await dialog.getByLabel('Everything').check();
    await note.waitFor({ state: 'detached' });
    await dialog.getByLabel('Everything').uncheck();
    await note.waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.locator('li', { hasText: 'mara@example.com' }).getByRole('button', { name: 'Change Una User' }).click();
    await page.getByRole('menuitem', { name: 'Permissions' }).click();
    await note.waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('is rejected, and its link then says so', async () => {
    const host = await signedIn();
    await inviteByScreen(host.page, 'ria@example.com');
    const link = await linkOfLastMail();
    const { page, close } = await openPage(browser);
    await page.goto(link);
    await page.getByRole('button', { name: 'Reject' }).click();
    await page.getByText('You have rejected the invitation.').waitFor();
    await page.goto(link);
    await page.getByText(/was rejected/).waitFor();
    await page.goto(link.replace('/invitation/', '/member-register/'));
    await page.waitForURL(/isInvitationSuccess=3/);
    await page
      .getByRole('status')
      .getByText(/was rejected/)
      .waitFor();
    await host.close();
    await close();
  });
});

describe('account §6: the owner runs the team and the organization', () => {
  it('edits permissions with search and copy, disables, enables, removes', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/team`);
    const change = page.locator('li', { hasText: 'mara@example.com' }).getByRole('button', { name: 'Change Una User' });
    const choose = async (name: string) => {
      await change.click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Permissions');
    const dialog = page.getByRole('dialog');
    // What somebody opened stays open when the search is over, and what only the search opened closes with it.
    const inbound = dialog.getByLabel('Inbound', { exact: true });
    const opened = await dialog.locator('details').evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open));
    await dialog.getByLabel('Search pages').fill('inbound');
    await inbound.check();
    await dialog.getByLabel('Search pages').fill('');
    await expect
      .poll(() => dialog.locator('details').evaluateAll((all) => all.map((one) => (one as HTMLDetailsElement).open)))
      .toEqual(opened);
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Member, 1 page', { exact: true }).first().waitFor();
    await choose('Disable');
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click();
    await page.getByText('Disabled', { exact: true }).waitFor();
    await choose('Enable');
    await page.getByText('Disabled', { exact: true }).waitFor({ state: 'detached' });
    await choose('Remove from the team');
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await page.getByText('mara@example.com').waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('hands the ownership over with the password, and is a member afterwards', async () => {
    const place = await buildWorld(node.db);
    const first = await buildUser(node.db, place.organizationId);
    const heir = await buildUser(node.db, place.organizationId, { role: 'member' });
    const { page, close } = await signedIn({}, first);
    await page.goto(`${node.url}/team`);
    await page.locator('li', { hasText: heir.email }).getByRole('button').click();
    await page.getByRole('menuitem', { name: 'Hand the ownership over' }).click();
    await page.getByLabel('Your password').fill('wrong-one-1');
    await page.getByRole('button', { name: 'Hand over' }).click();
    await page.getByText('This is not your password.').waitFor();
    await page.getByLabel('Your password').fill(first.password);
    await page.getByRole('button', { name: 'Hand over' }).click();
    await page.waitForURL(/overview|flow-control/);
    await page.goto(`${node.url}/team`);
    await page.waitForURL(/overview|flow-control/);
    await close();
  });

  it('organization: name, legal footer at the foot of every page, a logo put up, taken down and brought back by Undo', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/organization-edit`);
    await page.getByLabel('Name', { exact: true }).fill('Harbour Leads Ltd');
    await page.getByLabel('Legal footer').fill('Licensed by the harbour master.');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('contentinfo').getByText('Licensed by the harbour master.').waitFor();
    await page.getByRole('link', { name: 'Harbour Leads Ltd, start page' }).waitFor();
    await page.setInputFiles('input[type=file] >> nth=0', { name: 'logo.png', mimeType: 'image/png', buffer: PNG });
    await page.getByRole('img', { name: 'Logo, on light ground' }).waitFor();
    await page.getByRole('button', { name: 'Remove: Logo, on light ground' }).click();
    await page.getByRole('img', { name: 'Logo, on light ground' }).waitFor({ state: 'detached' });
    await page.locator('.toast-with-action').filter({ hasText: 'Logo deleted.' }).getByRole('button', { name: 'Undo' }).click();
    const back = page.getByRole('img', { name: 'Logo, on light ground' });
    await expect.poll(() => back.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await page.getByRole('button', { name: 'Remove: Logo, on light ground' }).click();
    await back.waitFor({ state: 'detached' });
    await page.getByLabel('Sub-domain').fill('somewhere-else');
    await page.getByText(/Addresses change with the sub-domain/).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('organization: the light logo is put up beside the other one, shown on dark ground, and taken down alone', async () => {
    const { page, complaints, close } = await signedIn({ colorScheme: 'dark' });
    await page.goto(`${node.url}/organization-edit`);
    const [dark, light] = ['Logo, on light ground', 'Light logo, on dark ground'] as const;
    await page.setInputFiles('input[type=file] >> nth=0', { name: 'logo.png', mimeType: 'image/png', buffer: PNG });
    await page.getByRole('img', { name: dark }).waitFor();
    await page.setInputFiles('input[type=file] >> nth=1', { name: 'light.png', mimeType: 'image/png', buffer: PNG });
    const shown = page.getByRole('img', { name: light });
    await shown.waitFor();
    expect(await shown.getAttribute('src')).toMatch(/^\/organization-logos\/light\?v=/);
    await expect.poll(() => shown.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    await page.getByRole('button', { name: `Remove: ${light}` }).click();
    await shown.waitFor({ state: 'detached' });
    expect(await page.getByRole('img', { name: dark }).count()).toBe(1);
    await page.getByRole('button', { name: `Remove: ${dark}` }).click();
    await page.getByRole('img', { name: dark }).waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
    await close();
  });

  it('organization: a new sub-domain is moved to, still signed in, and the old one is nobody’s', async () => {
    const place = await buildWorld(node.db, { name: 'Moving Leads' });
    const moved = `moved-${place.subDomain}`;
    await node.planBook.reload(place.organizationId);
    const { email, password } = await buildUser(node.db, place.organizationId);
    const at = (subDomain: string, path: string) => `http://${subDomain}.localhost:${new URL(node.url).port}${path}`;
    const { page, complaints, close } = await openPage(browser);
    await page.goto(at(place.subDomain, '/login'));
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(/overview|flow-control/);
    await page.goto(at(place.subDomain, '/#!/organization-edit'));
    await page.getByLabel('Sub-domain').fill(moved);
    await page.getByText(`${moved} is free.`).waitFor();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(at(moved, '/organization-edit'));
    await page.getByRole('button', { name: /Account of/ }).waitFor();
    expect(page.url()).not.toContain('userSessionId');
    expect(complaints).toEqual([]);
    await page.context().clearCookies();
    await page.goto(at(place.subDomain, '/login'));
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('Invalid Organization Domain. Please try different domain again.').waitFor();
    await close();
  });

  it('preferences and profile are kept', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/preferences`);
    await page.getByRole('combobox', { name: 'Currency' }).click();
    await page.getByRole('option', { name: /With its code/ }).click();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Preferences saved.').first().waitFor();
    await page.reload();
    expect(await page.getByRole('combobox', { name: 'Currency' }).inputValue()).toMatch(/code/);
    await page.goto(`${node.url}/change-profile`);
    await page.getByLabel('First name').fill('Olga');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('button', { name: 'Account of Olga User' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('console §4: a save sends what was changed here alone: what somebody else wrote meanwhile stays', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(`${node.url}/organization-edit`);
    await page.getByLabel('Name', { exact: true }).fill('Named here');
    await node.pool.query(`update organization set legal_footer = 'Written elsewhere' where id = $1`, [world.organizationId]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Organization saved.').first().waitFor();
    const { rows } = await node.pool.query('select name, legal_footer from organization where id = $1', [world.organizationId]);
    expect(rows).toEqual([{ name: 'Named here', legal_footer: 'Written elsewhere' }]);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Nothing was changed').first().waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('online users: the owner ends a session', async () => {
    const member = await buildUser(node.db, world.organizationId, { role: 'member' });
    const other = await signedIn({}, member);
    const { page, close } = await signedIn();
    await page.goto(`${node.url}/monitor/online-users`);
    await page
      .locator('li', { hasText: member.email })
      .getByRole('button', { name: /End session/ })
      .click();
    await page.getByText(member.email).waitFor({ state: 'detached' });
    await other.page.reload();
    await other.page.getByRole('dialog', { name: 'Sign in' }).waitFor();
    await other.close();
    await close();
  });

  it('the menu of a member has no owner’s pages; without any page they are told whom to ask', async () => {
    const member = await buildUser(node.db, world.organizationId, { role: 'member' });
    const { page, close } = await signedIn({}, member);
    await page.waitForURL(/no-permission/);
    await page.getByText('There is no page for you here yet.').waitFor();
    await page.getByRole('button', { name: /Account of/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    expect(await page.getByRole('menuitem').allTextContents()).toEqual(['Profile', 'Password and sessions', 'Online users', 'Sign out']);
    await close();
  });
});

describe('console §2: second-level tabs', () => {
  it('lead between the owner’s screens, and say which one is open', async () => {
    const { page, close } = await signedIn();
    await page.goto(`${node.url}/team`);
    const tabs = page.getByRole('navigation', { name: 'Organization pages' });
    for (const [name, heading] of [
      ['Preferences', 'Preferences'],
      ['Organization', 'Organization'],
      ['Team', 'Team'],
    ] as const) {
      await tabs.getByRole('link', { name }).click();
      await page.getByRole('heading', { level: 1, name: heading }).waitFor();
      expect(await tabs.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
    }
    await close();
  });
});

describe('everyone can use it', () => {
  for (const [name, options] of SCREENS) {
    it(`axe finds nothing in either scheme, and nothing scrolls sideways, on ${name}`, async () => {
      const { page, close } = await signedIn(options);
      const look = async (screen: string) => {
        await standing(page);
        expect([screen, ...(await flaws(page, screen))].join('\n')).toBe(screen);
      };
      for (const screen of [
        'team',
        'organization-edit',
        'preferences',
        'change-profile',
        'monitor/online-users',
        'home',
        'no-permission',
      ]) {
        await page.goto(`${node.url}/${screen}`);
        await look(screen.replace('/', '-'));
      }
      await page.goto(`${node.url}/team`);
      await page.getByRole('button', { name: 'Invite', exact: true }).click();
      await page.getByRole('dialog').waitFor();
      await look('invite');
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('First name').fill('Axel');
      await dialog.getByLabel('Last name').fill('Guest');
      await dialog.getByLabel('Email').fill(`axel-${options.viewport.width}@example.com`);
      await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
      const link = new URL(await linkOfLastMail()).pathname;
      for (const [action, screen] of [
        ['Permissions', 'permissions'],
        ['Hand the ownership over', 'hand-over'],
      ] as const) {
        await page
          .locator('li', { hasText: 'gus@example.com' })
          .getByRole('button', { name: /^Change/ })
          .click();
        await page.getByRole('menuitem', { name: action }).click();
        await dialog.waitFor();
        await look(screen);
        await page.keyboard.press('Escape');
        await dialog.waitFor({ state: 'detached' });
      }
      const outside = await openPage(browser, options);
      for (const [screen, path] of [
        ['register', '/register'],
        ['invitation', link],
        ['member-register', link.replace('/invitation/', '/member-register/')],
      ] as const) {
        await outside.page.goto(node.url + path);
        await outside.page.getByRole('button', { name: /^(Register|Accept|Join)$/ }).waitFor();
        expect([screen, ...(await flaws(outside.page, screen))].join('\n')).toBe(screen);
      }
      await outside.close();
      await close();
    });
  }
});
