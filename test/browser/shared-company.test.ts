/** console §5, §6: a company that several verticals share, on screen, for a member who may set up one of them (decision 0016). */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RegionPermission } from '#contract/session.ts';
import { newId } from '#server/kit/ids.ts';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot, type WatchedPage } from '#test/harness/browser.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let world: World;
let member: { email: string; password: string };
const shared = () => world.tiers[0]!.buyerId;

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db, {
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: 'http://127.0.0.1:9', buyer: 'Shared Ltd' },
          { url: 'http://127.0.0.1:9', buyer: 'Own Ltd' },
        ],
      },
    ],
  });
  const { organizationId: organization_id, regionId, verticalId } = world;
  const auto = newId();
  const place = { organization_id, id: auto, region_id: regionId, uid: newId(), slug: 'auto', name: 'Auto', primary_field: 'email' };
  await node.db.insertInto('vertical').values(place).execute();
  await node.pool.query(
    `insert into buyer_tier (organization_id, id, buyer_id, vertical_id, name, delivery, price, time_limit_ms, endpoint)
       select organization_id, $1, buyer_id, $2, 'Tier in Auto', delivery, price, time_limit_ms, endpoint from buyer_tier where id = $3`,
    [newId(), auto, world.tiers[0]!.buyerTierId],
  );
  for (const buyer_id of world.tiers.map((tier) => tier.buyerId))
    await node.db.insertInto('contact').values({ organization_id, id: newId(), first_name: 'Ada', last_name: 'Byron', buyer_id }).execute();
  await node.planBook.reload(organization_id);
  const verticals = [{ verticalId, verticalChecked: true, pages: [{ value: 'setup', pageChecked: true }] }];
  const permissions: RegionPermission[] = [{ regionId, regionChecked: true, verticals }];
  member = await buildUser(node.db, organization_id, { role: 'member', permissions });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
});

async function signedIn(options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  return await openSignedIn(browser, node.url, member, options);
}
const open = async (page: Page, path: string, title: string) => {
  await page.goto(`${node.url}/#!/setup/us/payday/${path}`);
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
};
const WHY = /is shared with verticals that you may not set up\. The owner can change it/;

describe('a buyer that is shared with another vertical', () => {
  it.each([
    ['desktop', {}],
    ['phone', { viewport: PHONE }],
  ])('is read and not changed, says why, and takes tiers (%s)', async (name, options) => {
    const { page, complaints, close } = await signedIn(options);
    await open(page, `buyers/${shared()}`, 'Shared Ltd');
    await page.getByRole('note').filter({ hasText: WHY }).waitFor();
    expect(await page.getByLabel('Name', { exact: true }).isDisabled()).toBe(true);
    expect(await page.getByLabel('Status').first().isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Save' }).count()).toBe(0);
    await page.getByRole('heading', { name: 'Contacts' }).waitFor();
    expect(await page.getByRole('button', { name: /^Add a .*tier$/ }).count()).toBe(1);
    expect(await page.getByRole('button', { name: 'Add a contact' }).count()).toBe(0);
    await page.getByText('Ada').waitFor();
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    if (name === 'desktop') await shoot(page, 'shared-buyer');
    expect(complaints).toEqual([]);
    await close();
  });

  it('its line in the list offers to look at it, not to pause or archive; a buyer of one’s own has all of it', async () => {
    const { page, complaints, close } = await signedIn();
    await open(page, 'buyers', 'Buyers');
    const actions = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click();
      const menu = page.getByRole('menu', { name: `Actions for ${name}` });
      await menu.waitFor();
      const items = await menu.getByRole('menuitem').allInnerTexts();
      if (name.startsWith('Shared')) await shoot(page, 'shared-buyer-menu');
      const why = await menu.getByText(WHY).count();
      await page.keyboard.press('Escape');
      return [items, why];
    };
    expect(await actions('Shared Ltd')).toEqual([['View', 'Duplicate'], 1]);
    expect(await actions('Own Ltd')).toEqual([['Edit', 'Duplicate', 'Pause', 'Archive'], 0]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('a contact can be added at one’s own company alone', async () => {
    const { page, complaints, close } = await signedIn();
    await open(page, 'contact/add', 'New contact');
    await page.getByRole('combobox', { name: 'Works at' }).click();
    await page.getByRole('option', { name: 'Own Ltd (buyer)' }).waitFor();
    const shared = page.getByRole('option', { name: 'Shared Ltd (buyer) is shared with verticals that you do not set up' });
    expect(await shared.getAttribute('data-combobox-disabled')).toBe('true');
    await shared.click({ force: true });
    expect(await page.getByRole('combobox', { name: 'Works at' }).inputValue()).toBe('');
    await page.getByRole('option', { name: 'Own Ltd (buyer)' }).click();
    expect(await page.getByRole('combobox', { name: 'Works at' }).inputValue()).toBe('Own Ltd (buyer)');
    expect(complaints).toEqual([]);
    await close();
  });
});
