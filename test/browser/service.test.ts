/** console §2, §4: third-party services, from the first one to a lead on which its answer is read. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { axe, flaws, launchBrowser, type openPage, openSignedIn, PHONE, shoot, standing, type WatchedPage } from '#test/harness/browser.ts';
import { ACCEPT, type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, LEAD, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let service: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer(() => ACCEPT);
  service = await startBuyer((call) => ({
    body: call.body.includes('voip') ? '{"valid": false, "reason": "a landline"}' : '{"valid": true}',
    delayMs: 25,
  }));
  world = await buildWorld(node.db, {
    name: 'Harbour Leads',
    groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker', name: 'Standard' }] }],
  });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
  await service.close();
});

const at = (page: string) => `${node.url}/#!/setup/us/payday/${page}`;
const LIST = 'third-party-service';

async function signedIn(options: Parameters<typeof openPage>[1] = {}): Promise<WatchedPage> {
  return await openSignedIn(browser, node.url, owner, options);
}
const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor();
const post = (email: string) => node.post('/api/v1/leads', { ...LEAD, email }, { authorization: `Bearer ${world.key}` });

async function choose(page: Page, label: string, option: string): Promise<void> {
  await page.getByRole('combobox', { name: label }).click();
  await page.getByRole('option', { name: option }).click();
}

describe('console §2: third-party services', () => {
  it('the first one: the list says what it is for; made, tried, and back on the list', async () => {
    const { page, complaints, close } = await signedIn();
    await page.getByRole('navigation', { name: 'Set-up pages' }).getByRole('link', { name: 'Services' }).click();
    await heading(page, 'Third-party services');
    await page.getByText('No third-party services yet.').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'services-empty');
    await page.getByRole('main').getByRole('button', { name: 'Add a third-party service' }).last().click();
    await heading(page, 'New third-party service');
    await page.getByRole('button', { name: 'Add third-party service' }).click();
    await page.getByText('This is required.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Phone check');
    await page.getByLabel('Address', { exact: true }).fill(service.url);
    // A service names neither prices nor redirects.
    expect(await page.getByRole('region', { name: 'Price in the answer' }).count()).toBe(0);
    await page.getByRole('region', { name: 'Reason in the answer' }).waitFor();
    await page.getByRole('region', { name: 'Preview' }).getByText('POST http').waitFor();
    const pasted = page.getByRole('region', { name: 'A pasted answer' });
    await pasted.getByLabel('Answer of the service').fill('{"valid": "no", "reason": "disconnected"}');
    await pasted.getByText('Refused').waitFor();
    await pasted.getByText('reason: disconnected').waitFor();
    await pasted.getByLabel('Answer of the service').fill('<html>Bad gateway</html>');
    await pasted.getByText('Failure of the service').waitFor();
    const trial = page.getByRole('region', { name: 'A test call' });
    await trial.getByRole('button', { name: 'Call the service' }).click();
    await trial.getByText('Passed').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'service-new');
    await page.getByRole('button', { name: 'Add third-party service' }).click();
    await heading(page, 'Third-party services');
    await page.getByRole('link', { name: 'Phone check', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('is bound to a publisher tier and a buyer tier; what it said is on the page of the lead', async () => {
    const { page, complaints, close } = await signedIn();
    await page.goto(at(`tier/edit/${world.publisherTierId}?of=publisher`));
    await choose(page, 'Ask', 'Phone check');
    await page.getByLabel('Service answers within').fill('10');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Give the service 50 to 30,000 ms.').waitFor();
    await page.getByLabel('Service answers within').fill('800');
    await page.getByLabel('When the service fails').selectOption({ label: 'Refuse the lead' });
    expect(await axe(page)).toEqual([]);
    await page.getByRole('group', { name: 'P2C' }).scrollIntoViewIfNeeded();
    await shoot(page, 'publisher-tier-p2c');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/publishers\//);
    await page.goto(at(`tier/edit/${world.tiers[0]!.buyerTierId}?of=buyer`));
    await choose(page, 'Ask', 'Phone check');
    await page.getByRole('group', { name: 'Third-party validation' }).scrollIntoViewIfNeeded();
    await shoot(page, 'buyer-tier-validation');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.waitForURL(/buyers\//);
    const { rows } = await node.pool.query('select p2c, third_party from publisher_tier p, buyer_tier b where p.id = $1 and b.id = $2', [
      world.publisherTierId,
      world.tiers[0]!.buyerTierId,
    ]);
    expect(rows[0]).toMatchObject({
      p2c: { timeLimitMs: 800, onFailure: 'refuse' },
      third_party: { timeLimitMs: 1000, onFailure: 'pass' },
    });

    const sold = await post('ada.lovelace@example.com');
    expect(sold.json.status).toBe('accepted');
    await page.goto(at(`leads/${sold.json.leadId}`));
    const checks = page.getByRole('region', { name: 'Checks by third-party services' });
    await checks.getByRole('button', { name: /Phone check P2C.*Passed/ }).click();
    await checks.getByText('the publisher tier').waitFor();
    await checks.getByText('Response 200').waitFor();
    expect(await checks.textContent()).not.toContain('ada.lovelace');
    await page.getByText('Waiting for services').waitFor();
    await page.getByText('The P2C check (Phone check) said buy.').waitFor();
    expect(await axe(page)).toEqual([]);
    await shoot(page, 'lead-with-checks');
    // j and k walk through checks and attempts alike.
    await page.keyboard.press('j');
    await checks.getByRole('button', { name: /Phone check for Standard/, expanded: true }).waitFor();

    const refused = await post('voip@example.com');
    await page.goto(at(`leads/${refused.json.leadId}`));
    await page.getByText('The P2C check (Phone check) said no: a landline.').first().waitFor();
    await page.getByText('P2C dontBuy').first().waitFor();
    await shoot(page, 'lead-refused-by-p2c');
    expect(complaints).toEqual([]);
    await close();
  });

  it('its page says who asks it; in use it is not archived; duplicated, paused, archived and brought back by Undo', async () => {
    const { page, close } = await signedIn();
    await page.goto(at(LIST));
    await page.getByRole('link', { name: 'Phone check', exact: true }).click();
    await heading(page, 'Phone check');
    const asking = page.getByRole('region', { name: 'Asked by' });
    await asking.getByRole('link', { name: 'Main seat' }).waitFor();
    await asking.getByRole('link', { name: 'Standard' }).waitFor();
    expect(await axe(page)).toEqual([]);
    await asking.scrollIntoViewIfNeeded();
    await shoot(page, 'service-edit');
    await page.getByRole('link', { name: 'Third-party services' }).click();
    const menu = (name: string) => page.getByRole('button', { name: `Actions for ${name}`, exact: true });
    await menu('Phone check').click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByRole('alert').filter({ hasText: 'Publisher tier Main seat asks it (P2C).' }).waitFor();
    await menu('Phone check').click();
    await page.getByRole('menuitem', { name: 'Duplicate' }).click();
    await page.getByRole('button', { name: 'Add third-party service' }).click();
    await heading(page, 'Third-party services');
    await menu('Phone check copy').click();
    await page.getByRole('menuitem', { name: 'Pause' }).click();
    await page.getByRole('cell', { name: 'Paused' }).waitFor();
    await shoot(page, 'services');
    await page.getByLabel('Search by name or notes').fill('copy');
    await page.keyboard.press('Enter');
    await page.getByText('1 third-party service', { exact: true }).waitFor();
    await menu('Phone check copy').click();
    await page.getByRole('menuitem', { name: 'Archive' }).click();
    await page.getByText('No third-party services match.').waitFor();
    await page.locator('.toast-with-action').filter({ hasText: 'archived' }).getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('cell', { name: 'Paused' }).waitFor();
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name: 'CSV' }).click()]);
    expect(file.suggestedFilename()).toMatch(/^third-party-services-/);
    expect(await axe(page)).toEqual([]);
    await close();
  });

  it('account §6: its address without a place leads to the first vertical whose services may be set up', async () => {
    const { page, close } = await signedIn();
    await page.goto(`${node.url}/setup/third-party-service`);
    await page.waitForURL(/#!\/setup\/us\/payday\/third-party-service/);
    await heading(page, 'Third-party services');
    await close();
  });
});

describe('on a phone', () => {
  it('services, their form and a checked lead fit, and axe finds nothing in either scheme', async () => {
    const { page, close } = await signedIn({ viewport: PHONE });
    const lead = await post('phone@example.com');
    const { rows } = await node.pool.query('select id from service where organization_id = $1 order by id limit 1', [world.organizationId]);
    const pages = [
      ...[LIST, `${LIST}/${rows[0].id}`, `tier/edit/${world.publisherTierId}?of=publisher`],
      ...[`tier/edit/${world.tiers[0]!.buyerTierId}?of=buyer`, `leads/${lead.json.leadId}`],
    ];
    for (const path of pages) {
      await page.goto(at(path));
      await standing(page);
      expect([path, ...(await flaws(page, path))].join('\n')).toBe(path);
    }
    await close();
  });
});
