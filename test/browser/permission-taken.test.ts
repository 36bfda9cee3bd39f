/** account §6, console §5: a permission that is taken while a form is open: the server refuses in a plain sentence, and nothing typed is lost. */
import type { Browser } from 'playwright-core';
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

/** A member who may set up, signed in at a page of the set-up area, and what takes that from them as the owner does. */
async function memberAt(address: string) {
  const verticals = [{ verticalId: world.verticalId, verticalChecked: true, pages: [{ value: 'setup', pageChecked: true }] }];
  const permissions: RegionPermission[] = [{ regionId: world.regionId, regionChecked: true, verticals }];
  const member = await buildUser(node.db, world.organizationId, { role: 'member', permissions });
  const watched = await openPage(browser);
  const { page } = watched;
  await page.goto(`${node.url}/login`);
  await page.getByLabel('Email').fill(member.email);
  await page.getByLabel('Password', { exact: true }).fill(member.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/flow-control/);
  await page.goto(`${node.url}/#!/setup/us/payday/${address}`);
  const takePermission = async () => {
    const { email, password } = owner;
    const signedIn = await node.post('/team-login', { email, password }, OWN_PAGE);
    const cookie = signedIn.headers.get('set-cookie')!.split(';')[0]!;
    const body = { _id: member.userId, permissions: [] };
    const taken = await node.post('/api/v1/teamMgmt/team/edit-permissions', body, { ...OWN_PAGE, cookie });
    expect(taken.statusCode).toBe(200);
  };
  return { ...watched, takePermission };
}

describe('account §6: set-up is taken from a member while a buyer’s form is open', () => {
  it.each([
    { form: 'of a new buyer', address: () => 'buyers/new', title: 'New buyer', save: 'Add buyer' },
    { form: 'of a buyer that is there', address: () => `buyers/${world.tiers[0]!.buyerId}`, title: 'Taker', save: 'Save' },
  ])('the form $form is refused in a plain sentence, and stays with what was typed', async ({ address, title, save }) => {
    const { page, takePermission, close } = await memberAt(address());
    const name = page.getByLabel('Name', { exact: true });
    const notes = page.getByLabel('Notes');
    await name.fill('Harbour Bank');
    await notes.fill('Pays on Fridays');
    await takePermission();
    await page.getByRole('button', { name: save, exact: true }).click();
    await page.getByRole('alert').filter({ hasText: 'Your role does not allow this here. Ask the owner of your organization.' }).waitFor();
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    expect([await name.inputValue(), await notes.inputValue()]).toEqual(['Harbour Bank', 'Pays on Fridays']);
    expect(await axe(page)).toEqual([]);
    await shoot(page, `permission-taken-${save}`);
    const { rows } = await node.pool.query('select name, notes from buyer where organization_id = $1', [world.organizationId]);
    expect(rows).toEqual([{ name: 'Taker', notes: '' }]);
    await close();
  });
});
