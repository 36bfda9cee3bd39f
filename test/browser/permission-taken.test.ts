/** account §6, console §5: a permission that is taken while a form is open: the server refuses in a plain sentence, and nothing typed is lost. */
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegionPermission } from '#contract/session.ts';
import { axe, launchBrowser, openPage, shoot } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

const OWN_PAGE = { 'x-requested-with': 'sluice' };

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db, {
    groups: [{ mode: 'priority', tiers: [{ url: 'http://127.0.0.1:9', buyer: 'Taker', name: 'Standard' }] }],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

/** A member who may set up, signed in at a page of the set-up area. */
async function memberAt(address: string) {
  const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages: [{ value: 'setup', pageChecked: true }] }];
  const permissions: RegionPermission[] = [{ regionId: world.regionId, regionChecked: true, verticals }];
  const member = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
  const watched = await openPage(browser);
  const { page } = watched;
  const signIn = async (form: Page | Locator) => {
    await form.getByLabel('Email').fill(member.email);
    await form.getByLabel('Password', { exact: true }).fill(member.password);
    await form.getByRole('button', { name: 'Sign in' }).click();
  };
  await page.goto(`${node.url}/login`);
  await signIn(page);
  await page.waitForURL(/flow-control/);
  await page.goto(`${node.url}/#!/setup/us/payday/${address}`);
  return { ...watched, signIn, userId: member.userId };
}

/** What was typed into the form of a buyer. */
async function type(page: Page): Promise<() => Promise<string[]>> {
  const inputs = [page.getByLabel('Name', { exact: true }), page.getByLabel('Notes')];
  await inputs[0]!.fill('Harbour Bank');
  await inputs[1]!.fill('Pays on Fridays');
  return () => Promise.all(inputs.map((input) => input.inputValue()));
}

async function membershipOf(userId: string): Promise<string> {
  const ids = [world.organizationId, userId];
  const { rows } = await node.pool.query('select id from team_member where organization_id = $1 and user_id = $2', ids);
  return rows[0].id;
}

async function expectNothingStored(): Promise<void> {
  const { rows } = await node.pool.query('select name, notes from buyer where organization_id = $1', [world.organizationId]);
  expect(rows).toEqual([{ name: 'Taker', notes: '' }]);
}

describe('account §6: set-up is taken from a member while a buyer’s form is open', () => {
  it.each([
    { buyer: 'a new buyer', address: () => 'buyers/new', title: 'New buyer', save: 'Add buyer' },
    { buyer: 'a buyer that is there', address: () => `buyers/${world.tiers[0]!.buyerId}`, title: 'Taker', save: 'Save' },
  ])('saving $buyer is refused in a plain sentence, and the form stays with what was typed', async ({ address, title, save }) => {
    const { page, userId, close } = await memberAt(address());
    const typed = await type(page);
    // Below the console, which would end the session too: the server reads the permissions anew at every call.
    await node.pool.query(`update team_member set permissions = '[]' where organization_id = $1 and user_id = $2`, [
      world.organizationId,
      userId,
    ]);
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Your role does not allow this here. Ask the owner of your organization.' }).waitFor();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect(await typed()).toEqual(['Harbour Bank', 'Pays on Fridays']);
    expect(await axe(page)).toEqual([]);
    await shoot(page, `permission-taken-${save}`);
    await expectNothingStored();
    await close();
  });

  it('taken on the team page it ends the session too: nothing is stored, and after the sign-in there is no page', async () => {
    const { page, userId, signIn, close } = await memberAt('buyers/new');
    await type(page);
    const { email, password } = owner;
    const signedIn = await node.post('/team-login', { email, password }, OWN_PAGE);
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    const body = { _id: await membershipOf(userId), permissions: [] };
    const taken = await node.post('/api/v1/teamMgmt/team/edit-permissions', body, { ...OWN_PAGE, cookie });
    expect(taken.statusCode).toBe(200);
    // Whatever asks next hears of it: the save, or the page by itself a moment before.
    await page
      .getByRole('button', { name: 'Add buyer' })
      .click({ timeout: 2000 })
      .catch(() => {});
    await page.getByRole('dialog').getByText('what you may open was changed', { exact: false }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'session-over');
    await signIn(page.getByRole('dialog'));
    await page.getByRole('heading', { level: 1, name: 'No permission' }).waitFor();
    await expectNothingStored();
    await close();
  });
});
