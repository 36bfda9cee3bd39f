/** account §2, §4, §5, §9: a card is made in the console, and looked at and written to on a phone, with a script and without one. */
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let buyer: ScriptedBuyer;
let world: World;
let owner: { email: string; password: string };
let cardId = '';

/** As an office program puts it on the clipboard. */
const FROM_WORD = `<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal { margin: 0; font-family: Calibri }</style></head>
<body><!--StartFragment--><p class="MsoNormal" style="mso-margin-top-alt:auto"><b><span lang="EN-GB" style="color:red">From a letter</span></b><o:p></o:p></p><!--EndFragment--></body></html>`;

beforeAll(async () => {
  node = await startTestWorld();
  buyer = await startBuyer();
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await buyer.close();
});

/** An organization without a card: each attempt at making the first one begins with its own. */
async function begin(): Promise<void> {
  world = await buildWorld(node.db, { name: 'Harbour Leads', groups: [{ mode: 'priority', tiers: [{ url: buyer.url, buyer: 'Taker' }] }] });
  await node.planBook.reload(world.organizationId);
  owner = await buildUser(node.db, world.organizationId);
}

/** The card as the first test leaves it, whatever was done with it since. */
const asMade = () =>
  node.pool.query(
    `update card set consent_text = 'You may call me about loans.', lander_description = '<h2>Need a loan?</h2><p>Today.</p>' where id = $1`,
    [cardId],
  );

it('is made on screen, drawn while it is written, and told when its letters cannot be read', async () => {
  await begin();
  const { page, complaints, close } = await openSignedIn(browser, node.url, owner, { at: `${node.url}/#!/setup/us/payday/cards` });
  await page.getByText('A card is a public page of one person', { exact: false }).waitFor();
  await shoot(page, 'cards-empty');
  await page.getByRole('button', { name: 'Add a card' }).first().click();
  await page.getByRole('heading', { level: 1, name: 'New card' }).waitFor();
  await page.getByLabel('Name', { exact: true }).fill('Grace Hopper');
  await page.getByLabel('Title', { exact: true }).fill('Loan adviser');
  await page.getByLabel('Company', { exact: true }).fill('Harbour Bank');
  await page.getByLabel('E-mail', { exact: true }).fill('grace@harbour.example');
  await page.getByLabel('Phone', { exact: true }).fill('+1 212 555 0123');
  await page.getByLabel('Website', { exact: true }).fill('harbour.example');
  const preview = page.getByRole('complementary', { name: 'How the card will look' });
  await preview.getByText('Loan adviser').waitFor();
  await page.getByLabel('Design', { exact: true }).selectOption('custom');
  await page.getByRole('textbox', { name: 'Colour' }).fill('#808080');
  await preview.getByText('many cannot read them', { exact: false }).waitFor();
  await page.getByRole('textbox', { name: 'Colour' }).fill('#1f4f8f');
  await preview.getByText('Everybody can read them.', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Add a link' }).click();
  await page.getByLabel('Address of link 1').fill('linkedin.com/in/grace');
  await page.getByLabel('The card has a lander').check();
  // A tier that is posted to takes no leads of landers: one that does is added on the spot.
  await page.getByRole('combobox', { name: 'Publisher tier' }).click();
  await page.getByText('No publisher tier takes leads from landers yet', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Add a tier' }).click();
  const tier = page.getByRole('dialog', { name: 'Add a publisher tier for landers' });
  expect(await tier.getByLabel('Name', { exact: true }).inputValue()).toBe('Lander Grace Hopper');
  await tier.getByLabel('Percent').fill('');
  await tier.getByRole('button', { name: 'Add the tier' }).click();
  await tier.getByLabel('Percent').fill('80');
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'card-tier');
  await tier.getByRole('button', { name: 'Add the tier' }).click();
  await tier.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('combobox', { name: 'Publisher tier' }).inputValue()).toContain('Lander Grace Hopper');
  const description = page.getByRole('textbox', { name: 'Description' });
  await page.getByRole('button', { name: 'Heading', exact: true }).click();
  await description.pressSequentially('Need a loan?');
  await description.press('Enter');
  await description.pressSequentially('We call you back today.');
  await page.getByRole('switch', { name: 'Write HTML' }).click();
  expect(await description.inputValue()).toBe('<h2>Need a loan?</h2><p>We call you back today.</p>');
  await description.press('Control+End');
  await description.pressSequentially('<script>x()</script><p>Or <a href="harbour.example/faq">read on</a>.</p>');
  await page.getByRole('switch', { name: 'Write HTML' }).click();
  await description.getByRole('link', { name: 'read on' }).waitFor();
  // By keys alone: a link that may lead nowhere is refused in words, and an e-mail address is one.
  await description.press('Control+End');
  await description.press('Shift+Tab');
  await page.getByRole('button', { name: 'Heading', exact: true }).press('ArrowLeft');
  for (let press = 0; press < 2; press++) await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Enter');
  const address = page.getByRole('textbox', { name: 'Address of the link' });
  await address.pressSequentially('javascript:alert(1)');
  await address.press('Enter');
  await page.getByText('Write a web address, an e-mail address', { exact: false }).waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'card-link');
  await address.fill('grace@harbour.example');
  await address.press('Enter');
  await description.getByRole('link', { name: 'mailto:grace@harbour.example' }).waitFor();
  // What is pasted out of a word processor leaves its looks behind.
  await description.press('Control+End');
  await description.press('Enter');
  await description.evaluate((one, html) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/html', html);
    one.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, FROM_WORD);
  await description.getByText('From a letter').waitFor();
  for (const name of ['First name', 'Email', 'Phone', 'State']) await page.getByRole('checkbox', { name: new RegExp(`^${name}`) }).check();
  await page.getByLabel('Consent').fill('You may call me about loans.');
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'card-form');
  await page.getByRole('button', { name: 'Add card' }).click();
  await page.getByRole('link', { name: 'Grace Hopper' }).waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'cards');
  await page.getByRole('link', { name: 'Grace Hopper' }).click();
  await page.getByRole('region', { name: 'Public addresses' }).getByText('Card seen').waitFor();
  cardId = page.url().split('/').at(-1)!.split('?')[0]!;
  // A picture is cut to a square before it is put up.
  const drawn = await page.evaluate(async () => {
    const canvas = Object.assign(document.createElement('canvas'), { width: 640, height: 400 });
    const pen = canvas.getContext('2d')!;
    pen.fillStyle = '#c2410c';
    pen.fillRect(0, 0, 640, 400);
    return canvas.toDataURL('image/png').split(',')[1]!;
  });
  await page.locator('input[type=file]').setInputFiles({ name: 'grace.png', mimeType: 'image/png', buffer: Buffer.from(drawn, 'base64') });
  const dialog = page.getByRole('dialog', { name: 'Cut the picture' });
  await dialog.getByRole('slider', { name: 'Larger' }).press('ArrowRight');
  await shoot(page, 'card-crop');
  await dialog.getByRole('button', { name: 'Put it up' }).click();
  await page.getByRole('region', { name: 'Picture' }).getByRole('button', { name: 'Remove the picture' }).waitFor();
  const { rows } = await node.pool.query('select avatar_type, lander_description from card where id = $1', [cardId]);
  expect(rows).toEqual([
    {
      avatar_type: 'image/jpeg',
      lander_description:
        '<h2>Need a loan?</h2><p>We call you back today.</p><p>Or <a href="https://harbour.example/faq" rel="noopener nofollow" target="_blank">read on</a>.<a href="mailto:grace@harbour.example" rel="noopener nofollow" target="_blank">mailto:grace@harbour.example</a></p><p><strong>From a letter</strong></p>',
    },
  ]);
  // A colleague was quicker: what they wrote is what the editor shows when it is taken.
  await node.pool.query(`update card set lander_description = '<p>Theirs.</p>', version = version + 1 where id = $1`, [cardId]);
  await description.press('Control+End');
  await description.pressSequentially(' Mine.');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: /take theirs/i }).click();
  await description.getByText('Theirs.', { exact: true }).waitFor();
  expect(await description.textContent()).toBe('Theirs.');
  await page.setViewportSize(PHONE);
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'card-page');
  // An archived card is looked at, and not written on.
  await node.pool.query(`update card set status = 'archived' where id = $1`, [cardId]);
  await page.reload();
  await page.getByText('Theirs.', { exact: true }).waitFor();
  expect(await description.getAttribute('contenteditable')).toBe('false');
  await node.pool.query(`update card set status = 'active', lander_description = '<h2>Need a loan?</h2><p>Today.</p>' where id = $1`, [
    cardId,
  ]);
  expect(complaints.filter((one) => !one.includes('409'))).toEqual([]);
  await close();
});

it.each([
  ['with a script', true],
  ['without one', false],
])('account §2: the card is read on a phone %s', async (_name, javaScriptEnabled) => {
  const { page, complaints, close } = await openPage(browser, { viewport: PHONE, javaScriptEnabled });
  await asMade();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'share', { value: (what: ShareData) => Object.assign(window, { shared: what }) });
  });
  await page.goto(`${node.url}/drawcard/card/${cardId}?utm_source=spring&gclid=of-this-visit`);
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
  expect(await page.getByRole('link', { name: /\+1 212 555 0123/ }).getAttribute('href')).toBe('tel:+12125550123');
  expect(await page.getByRole('link', { name: 'LinkedIn' }).getAttribute('href')).toBe('https://linkedin.com/in/grace');
  expect(await page.getByRole('button', { name: 'Share' }).count()).toBe(javaScriptEnabled ? 1 : 0);
  await page.getByText('Show a code to scan').click();
  await page.locator('.code svg').waitFor();
  if (javaScriptEnabled) {
    expect(await axe(page)).toEqual([]);
    expect(await overflows(page)).toBe(false);
    await shoot(page, 'drawcard-card');
    // What is shared is the card, and nothing of this visit.
    await page.getByRole('button', { name: 'Share' }).click();
    const shared = await page.evaluate(() => (window as unknown as { shared?: ShareData }).shared);
    expect([shared?.title, new URL(shared!.url!).pathname, new URL(shared!.url!).search]).toEqual([
      expect.stringContaining('Grace Hopper'),
      `/drawcard/card/${cardId}`,
      '',
    ]);
  }
  await page.getByRole('link', { name: 'Get in touch' }).click();
  await page.getByRole('heading', { level: 2, name: 'Need a loan?' }).waitFor();
  expect(await page.content()).toContain('This form needs JavaScript');
  expect(new URL(page.url()).search).toBe('?utm_source=spring&gclid=of-this-visit');
  await page.getByRole('link', { name: 'Harbour Bank' }).click();
  await page.getByRole('heading', { level: 1, name: 'Grace Hopper' }).waitFor();
  expect(new URL(page.url()).search).toBe('?utm_source=spring&gclid=of-this-visit');
  expect(complaints).toEqual([]);
  await close();
});

it('account §4, §5: the lander says what is wrong with each field, keeps digits alone, sends a lead, and begins anew', async () => {
  const { page, complaints, close } = await openPage(browser, { viewport: PHONE });
  await asMade();
  const { rows: earlier } = await node.pool.query('select id from lead where organization_id = $1', [world.organizationId]);
  await page.goto(`${node.url}/drawcard/lander/${cardId}?utm_source=spring&other=x`);
  const form = page.locator('form');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('First name is required').waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-first_name');
  await form.getByLabel('First name').fill('Ada');
  await form.getByLabel('Email').fill(' ADA@example');
  await form.getByLabel(/^Phone/).pressSequentially('(212) 555-0123 x9');
  expect(await form.getByLabel(/^Phone/).inputValue()).toBe('21255501239');
  // Pasted whole, with all its signs, and not cut before they are taken out.
  await form.getByLabel(/^Phone/).fill('');
  await form.getByLabel(/^Phone/).focus();
  await page.keyboard.insertText('+1 (212) 555-0123 (evenings)');
  expect(await form.getByLabel(/^Phone/).inputValue()).toBe('12125550123');
  await form.getByLabel(/^Phone/).fill('212');
  await form.getByLabel('State').selectOption('NY');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('Please enter a valid email address (e.g., name@example.com)').waitFor();
  await form.getByText('Please enter a valid phone number (10-15 digits, numbers only)').waitFor();
  await form.getByText('Please agree, so that you may be called back').waitFor();
  const edgeOf = (name: string) => form.locator(`#field-${name}`).evaluate((one) => getComputedStyle(one).borderTopColor);
  expect(await edgeOf('email')).not.toBe(await edgeOf('first_name'));
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'drawcard-lander');
  await form.getByLabel('Email').fill(' ADA@example.com ');
  await form.getByLabel(/^Phone/).fill('2125550123');
  await form.getByRole('checkbox').check();
  // Account §8: a failure on the way is only logged, and nothing that was typed is lost.
  const sent: Record<string, unknown>[] = [];
  await page.route('**/submit-lander', (route) => {
    sent.push(route.request().postDataJSON());
    return route.abort();
  });
  await page.locator('#field-dc_website').evaluate((trap: HTMLInputElement) => {
    trap.value = 'https://spam.example';
  });
  await form.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => complaints.length).toBeGreaterThan(0);
  complaints.length = 0;
  await page.locator('#field-dc_website').evaluate((trap: HTMLInputElement) => {
    trap.value = '';
  });
  await form.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => complaints.length).toBeGreaterThan(0);
  complaints.length = 0;
  const version = await form.getAttribute('data-consent');
  const member = { dc_status: 1, dc_rolodex_id: cardId, rolodexId: cardId, dc_submission: expect.any(String) };
  const said = { first_name: 'Ada', email: 'ada@example.com', phone: '2125550123', state: 'NY' };
  const agreed = { dc_consent: true, dc_consent_version: version, dc_source: { utm_source: 'spring' } };
  expect(sent).toEqual([
    { ...member, ...said, ...agreed, dc_website: 'https://spam.example' },
    { ...member, ...said, ...agreed },
  ]);
  // Sent again with nothing changed it is the same submission.
  expect(sent[0]!.dc_submission).toBe(sent[1]!.dc_submission);
  expect([await form.getAttribute('data-success'), await form.getByLabel('First name').inputValue()]).toEqual([null, 'Ada']);
  await page.unroute('**/submit-lander');
  // What only the server finds wrong is told at its field; corrected, it is taken.
  await form.getByLabel(/^Phone/).fill('212555012345');
  await form.getByRole('button', { name: 'Send' }).click();
  await form
    .locator('#field-phone-problem')
    .getByText(/valid phone/i)
    .waitFor();
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('field-phone');
  complaints.length = 0;
  await form.getByLabel(/^Phone/).fill('2125550123');
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('Thank you. We have what you wrote', { exact: false }).waitFor();
  expect([await form.getAttribute('data-success'), await form.getByLabel('First name').inputValue()]).toEqual(['true', '']);
  expect(await form.getByRole('link', { name: 'Go on' }).getAttribute('href')).toMatch(/\/r\//);
  await shoot(page, 'drawcard-sent');
  const statuses = async () => {
    const { rows } = await node.pool.query(
      'select r.status from lead_result r where r.organization_id = $1 and not r.lead_id = any($2::uuid[])',
      [world.organizationId, earlier.map(({ id }) => id)],
    );
    return rows.map(({ status }) => status).sort();
  };
  expect(await statuses()).toEqual(['invalid', 'sold']);
  expect(complaints).toEqual([]);

  // Account §4: where a second one fails, nothing says any more that the first went through.
  const done = form.locator('.done');
  const fill = async (email: string) => {
    await form.getByLabel('First name').fill('Ada');
    await form.getByLabel('Email').fill(email);
    await form.getByLabel('State').selectOption('NY');
    await form.getByRole('checkbox').check();
  };
  await fill('grace@example.com');
  await page.route('**/submit-lander', (route) => route.abort());
  await form.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => complaints.splice(0).length).toBeGreaterThan(0);
  expect([await form.getAttribute('data-success'), await done.isVisible(), await done.textContent()]).toEqual([null, false, '']);
  await page.unroute('**/submit-lander');

  // The words have changed meanwhile: the new ones are shown, to be agreed to anew.
  await node.pool.query(`update card set consent_text = 'You may call me about anything.' where id = $1`, [cardId]);
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('These words have changed since you opened the page', { exact: false }).waitFor();
  await form.getByText('You may call me about anything.').waitFor();
  expect([await form.getByRole('checkbox').isChecked(), await page.evaluate(() => document.activeElement?.id)]).toEqual([
    false,
    'field-dc_consent',
  ]);
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'drawcard-consent-changed');
  expect(await statuses()).toEqual(['invalid', 'sold']);
  complaints.length = 0;
  await form.getByRole('checkbox').check();
  await form.getByRole('button', { name: 'Send' }).click();
  await form.getByText('Thank you. We have what you wrote', { exact: false }).waitFor();
  expect(await statuses()).toEqual(['invalid', 'sold', 'sold']);

  // A server that never answers is waited for so long and no longer.
  await page.evaluate(() => {
    const real = AbortSignal.timeout;
    AbortSignal.timeout = (ms) => {
      Object.assign(window, { waited: ms });
      return real.call(AbortSignal, 100);
    };
  });
  await page.route('**/submit-lander', () => {});
  await fill('linus@example.com');
  await form.getByRole('button', { name: 'Send' }).click();
  await expect.poll(() => complaints.splice(0).join()).toContain('The form could not be sent.');
  await form.getByRole('button', { name: 'Send', exact: true }).waitFor();
  expect(await page.evaluate(() => (window as unknown as { waited: number }).waited)).toBe(90_000);
  expect(await form.getByRole('button', { name: 'Send' }).isEnabled()).toBe(true);
  expect(await form.getByLabel('First name').inputValue()).toBe('Ada');
  await close();
});

it('account §2: words without an end are broken, and nothing of them is cut off, on a phone', async () => {
  const long = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4).slice(0, 120);
  const html = ['p', 'h2', 'blockquote'].map((tag) => `<${tag}>${long}</${tag}>`).join('');
  await node.pool.query(
    `update card set name = $2, title = $2, company = 'شركة الميناء للقروض', email = $3, website = $4, additional_information = $2, consent_text = $2,
       lander_description = $5 where id = $1`,
    [cardId, long, `${long.slice(0, 60)}@harbour.example`, `https://harbour.example/${long}`, `${html}<ul><li>${long}</li></ul>`],
  );
  const { page, close } = await openPage(browser, { viewport: PHONE });
  for (const what of ['card', 'lander']) {
    await page.goto(`${node.url}/drawcard/${what}/${cardId}`);
    const cut = await page.evaluate(() =>
      [...document.querySelectorAll('main *')]
        .filter((one) => one.getBoundingClientRect().right > innerWidth && !one.closest('.trap'))
        .map((one) => one.outerHTML.slice(0, 80)),
    );
    expect([what, cut, await overflows(page)]).toEqual([what, [], false]);
    await shoot(page, `drawcard-long-${what}`);
  }
  await close();
});

it('account §4: an address that names no card says so', async () => {
  const { page, close } = await openPage(browser, { viewport: PHONE });
  await page.goto(`${node.url}/drawcard/card/${world.organizationId}`);
  await page.getByRole('heading', { level: 1, name: 'Card not found' }).waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'drawcard-nothing');
  await page.goto(`${node.url}/drawcard/lander/nothing`);
  await page.getByRole('heading', { level: 1, name: 'Page not found' }).waitFor();
  await close();
});
