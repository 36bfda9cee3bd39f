/** console §2: flow-control as a picture: its arrows carry today's figures, its seats their marks, and its groups can be dragged. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, launchBrowser, type openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { ACCEPT, REJECT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyers: ScriptedBuyer[];
let world: World;
let owner: { email: string; password: string };

const day = { measure: 'sold', period: 'day', timeZone: 'UTC' } as const;
const shut = { timeZone: 'UTC', week: [[], [], [], [], [], [], []] as [[], [], [], [], [], [], []] };

beforeAll(async () => {
  node = await startTestWorld();
  buyers = [await startBuyer(() => REJECT), await startBuyer(() => ACCEPT)];
  const [picky, taker] = buyers as [ScriptedBuyer, ScriptedBuyer];
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [
      {
        mode: 'priority',
        tiers: [
          { url: picky.url, buyer: 'Picky', name: 'Prime' },
          { url: taker.url, buyer: 'Nightly', name: 'Evening only', hours: shut },
        ],
      },
      { mode: 'priority', tiers: [{ url: taker.url, buyer: 'Taker', name: 'Standard', caps: [{ ...day, limit: 3 }] }] },
      { mode: 'weighted', tiers: [{ url: taker.url, buyer: 'Taker', name: 'Remnant', status: 'paused' }] },
    ],
  });
  await node.pool.query(
    `update tree_group set name = case position when 0 then 'First look' when 1 then 'Main' else 'Last' end where campaign_id = $1`,
    [world.campaignId],
  );
  await node.planBook.reload(world.organizationId);
  for (let n = 0; n < 4; n++) {
    const lead = { ...LEAD, email: `flow${n}@example.com` };
    await node.post('/api/v1/leads', lead, { authorization: `Bearer ${world.key}` });
  }
  await node.post('/api/v1/leads', { ...LEAD, email: 'no mail' }, { authorization: `Bearer ${world.key}` });
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  for (const buyer of buyers) await buyer.close();
});

async function opened(options: Parameters<typeof openPage>[1] = {}) {
  const watched = await openSignedIn(browser, node.url, owner, { at: `${node.url}/#!/setup/us/payday/flow-control`, ...options });
  const { page } = watched;
  await page.getByText('As it is live.').waitFor();
  await page.getByRole('list', { name: 'What is wrong now' }).waitFor();
  return watched;
}
const groups = (page: Page) =>
  page.getByLabel(/^Name of group/).evaluateAll((inputs) => inputs.map((one) => (one as HTMLInputElement).value));

describe('console §2: flow-control as a picture', () => {
  it('arrows say leads in, sold and their share; each trouble is a sentence on top and a mark at its seat', async () => {
    const { page, complaints, close } = await opened();
    for (const sentence of [
      '5 leads in today, 100.0% of all.',
      '4 leads go on into the tree, 80.0% of all.',
      'First look: 0 sold of 4 leads.',
      '3 leads offered to tiers of Main today.',
      'Main: 3 sold of 3 leads.',
    ])
      await page.getByText(sentence).waitFor({ state: 'attached' });
    const box = page.getByRole('list', { name: 'What is wrong now' });
    await box.getByText('Taker, Standard: daily sold cap at 3 of 3', { exact: false }).waitFor();
    await box.getByText('Nightly, Evening only has no hours today.').waitFor();
    await box.getByText('Taker, Remnant is paused.').waitFor();
    const marks = await page
      .locator('.flow-member')
      .evaluateAll((rows) =>
        rows.map((row) => [row.querySelector('a')?.textContent, [...row.querySelectorAll('.pill')].map((one) => one.textContent)]),
      );
    expect(marks).toEqual([
      ['Picky, Prime', []],
      ['Nightly, Evening only', ['No hours today']],
      ['Taker, Standard', ['Daily cap used up']],
      ['Taker, Remnant', ['Paused']],
    ]);
    // Said in words once.
    expect(await page.getByText('has no hours today').count()).toBe(1);
    await page.getByText('4 in, 0 sold, 0.0%').waitFor();
    await page.getByText('3 in, 3 sold, 100.0%', { exact: false }).waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'flow-picture');
    expect(complaints).toEqual([]);
    await close();
  });

  it('a group is dragged to another place, or moved by its keys', async () => {
    const { page, close } = await opened();
    expect(await groups(page)).toEqual(['First look', 'Main', 'Last']);
    const grips = page.locator('.flow-group-head .field-grip');
    await grips.nth(0).dragTo(page.locator('.flow-group-head').nth(2));
    await expect.poll(() => groups(page)).toEqual(['Main', 'Last', 'First look']);
    await grips.nth(2).dragTo(page.locator('.flow-group-head').nth(1));
    await expect.poll(() => groups(page)).toEqual(['Main', 'First look', 'Last']);
    await page.getByRole('button', { name: 'Move First look up' }).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => groups(page)).toEqual(['First look', 'Main', 'Last']);
    await page.getByText('As it is live.').waitFor();
    // A tier is not a group: dropped on a group's head it goes to the end of the group.
    await page.locator('.flow-member .field-grip').nth(0).dragTo(page.locator('.flow-group-head').nth(1));
    await page.getByRole('region', { name: 'Main' }).getByText('Picky, Prime').waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
    await close();
  });

  it('a new group keeps the focus while its name is typed', async () => {
    const { page, close } = await opened();
    await page.getByRole('button', { name: 'Add a group' }).click();
    await page.getByLabel('Name of group 4').fill('');
    await page.getByLabel('Name of group 4').pressSequentially('Typed on');
    expect(await page.getByLabel('Name of group 4').inputValue()).toBe('Typed on');
    await page.getByRole('button', { name: 'Discard' }).click();
    await close();
  });

  it('on a phone everything stands below each other, and nothing runs off the side', async () => {
    const { page, close } = await opened({ viewport: PHONE });
    expect(await overflows(page)).toBe(false);
    expect(await axe(page)).toEqual([]);
    await page.getByText('3 leads offered to tiers of Main today.').waitFor({ state: 'attached' });
    await close();
  });
});
