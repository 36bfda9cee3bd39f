/** The in-page help (console §2, §4, §5, §9): in a page of somebody else that makes it as hard as it can, and in our own console. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { axe, launchBrowser, openPage, openSignedIn, overflows, PHONE, shoot } from '#test/harness/browser.ts';
import { type ScriptedBuyer, startBuyer } from '#test/harness/buyer.ts';
import { startNode, startTestWorld } from '#test/harness/node.ts';
import { buildUser, buildWorld, type World } from '#test/harness/world.ts';
import type { Box } from '#web/help/placement.ts';

let node: Awaited<ReturnType<typeof startTestWorld>>;
let browser: Browser;
let foreign: ScriptedBuyer;
let world: World;

/** What a page can do to what stands in it. */
const HOSTILE = `
  html { font: 700 3px/0 fantasy; letter-spacing: 1em; text-transform: uppercase; color: transparent; transform: translate(0); visibility: visible; }
  body { min-height: 3000px; filter: blur(0); overflow-wrap: normal; }
  sluice-help, sluice-help *, dialog, [popover], button, ul, li, h2, p.text { all: unset !important; display: none !important; visibility: hidden !important;
    opacity: 0 !important; pointer-events: none !important; position: static !important; transform: scale(0) !important; }
  * { animation: none !important; }
  .trigger { position: absolute; display: block; width: 40px; height: 20px; background: #888; }
`;
const PAGE = (
  origin: string,
) => `<!doctype html><html lang="en"><head><title>Of a publisher</title><link rel="stylesheet" href="/hostile.css"><link rel="icon" href="data:,">
  <script src="${origin}/help/sluice-help.js" defer></script></head><body>
  <span class="trigger" id="left" data-sluice-help='{"id":"flow-control"}'></span>
  <span class="trigger" id="right" data-sluice-help='{"id":"overview"}'></span>
  <a class="trigger" id="foot" href="/elsewhere" data-sluice-help='{"id":"no-such-key"}'></a>
  <span class="trigger" id="modal" data-sluice-help='{"id":"promotions","helpSDk":true}'></span>
  <span class="trigger" id="broken" data-sluice-help='{id: overview}'></span>
  <span class="trigger" id="list" data-sluice-help='["overview"]'></span>
  <div id="inline"></div></body></html>`;
const PLACES = `#left { left: 20px; top: 300px } #right { right: 20px; top: 300px } #foot { left: 600px; top: 840px }
  #modal { left: 600px; top: 100px } #broken { left: 600px; top: 200px } #list { left: 600px; top: 250px }`;

beforeAll(async () => {
  node = await startTestWorld();
  world = await buildWorld(node.db);
  await node.planBook.reload(world.organizationId);
  foreign = await startBuyer(({ path }) => {
    if (path.startsWith('/hostile.css')) return { headers: { 'content-type': 'text/css' }, body: HOSTILE + PLACES };
    const policy = `default-src 'none'; script-src ${node.url}; connect-src ${node.url}; style-src 'self'; img-src data:; require-trusted-types-for 'script'`;
    return { headers: { 'content-type': 'text/html', 'content-security-policy': policy }, body: PAGE(node.url) };
  });
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser.close();
  await node.stop();
  await foreign.close();
});

const popover = (page: Page) => page.locator('sluice-help .popover');
const modal = (page: Page) => page.locator('sluice-help dialog');
const isReady = (page: Page) => page.waitForFunction(() => window.SluiceHelp !== undefined);
const focusedId = (page: Page) => page.evaluate(() => document.activeElement?.id);
const boxOf = async (page: Page, name: string) => (await page.locator(name).boundingBox())!;

it('console §2, §4, §9: in a page with hostile styles and a strict policy, help stands where it should, says what it should, and goes', async () => {
  const { page, complaints, close } = await openPage(browser);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  await page.addInitScript(() => {
    const noted = window as unknown as { startedAfter: number };
    document.addEventListener('sluice-help-ready', () => {
      const [load] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
      noted.startedAfter = performance.now() - load!.loadEventEnd;
    });
  });
  await page.goto(foreign.url);
  // Before its time there is no help.
  await page.locator('#left').click();
  expect(await popover(page).count()).toBe(0);
  await isReady(page);
  const startedAfter = await page.evaluate(() => (window as unknown as { startedAfter: number }).startedAfter);
  expect(startedAfter).toBeGreaterThanOrEqual(1990);
  expect(startedAfter).toBeLessThan(4000);

  // A spinner for half a second at least, then the prompt; 400 px wide, right of a trigger at the left side, untouched by the page's styles.
  const clickedAt = Date.now();
  await page.locator('#left').click();
  await popover(page).getByRole('status').getByText('Loading').waitFor({ state: 'attached' });
  expect(await popover(page).getAttribute('aria-busy')).toBe('true');
  await popover(page).getByText('A campaign as a picture').waitFor();
  expect(Date.now() - clickedAt).toBeGreaterThanOrEqual(500);
  const beside = (await popover(page).boundingBox())!;
  expect(beside.width).toBe(400);
  expect(beside.x).toBeGreaterThanOrEqual(60);
  const look = await popover(page).evaluate((one) => {
    const { fontSize, letterSpacing, textTransform, opacity, visibility } = getComputedStyle(one);
    return { fontSize, letterSpacing, textTransform, opacity, visibility };
  });
  expect(look).toEqual({ fontSize: '14px', letterSpacing: 'normal', textTransform: 'none', opacity: '1', visibility: 'visible' });
  // The same trigger is ignored while it is open: its content stays, nothing is asked anew.
  await page.locator('#left').click();
  expect(await popover(page).count()).toBe(1);
  expect(await popover(page).getAttribute('aria-busy')).toBeNull();

  // Another trigger takes its place, left of a trigger at the right side.
  await page.locator('#right').click();
  await popover(page).getByText('Today in this vertical').waitFor();
  expect(await popover(page).count()).toBe(1);
  expect((await popover(page).boundingBox())!.x + 400).toBeLessThanOrEqual((await boxOf(page, '#right')).x);
  // Any scroll closes it, one of its own text does not.
  await page.mouse.wheel(0, 40);
  await popover(page).waitFor({ state: 'detached' });
  await page.evaluate(() => window.scrollTo(0, 0));

  // Above at the foot of the window; a key that nobody has; the link is not followed; closed by its button, by a resize, by Escape.
  const shown = async () => {
    await page.locator('#foot').click();
    await popover(page).getByText('No Key Match.', { exact: true }).waitFor();
  };
  await shown();
  expect((await popover(page).boundingBox())!.y + (await popover(page).boundingBox())!.height).toBeLessThanOrEqual(
    (await boxOf(page, '#foot')).y,
  );
  expect(new URL(page.url()).pathname).toBe('/');
  await popover(page).getByRole('button', { name: 'Close the help' }).click();
  await popover(page).waitFor({ state: 'detached' });
  expect(await focusedId(page)).toBe('foot');
  await shown();
  await page.setViewportSize({ width: 1400, height: 900 });
  await popover(page).waitFor({ state: 'detached' });
  await page.setViewportSize({ width: 1440, height: 900 });
  // The resize has been heard, and closes nothing that is opened after it.
  await page.waitForFunction(() => window.innerWidth === 1440);
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 100))));
  await page.locator('#left').focus();
  await page.keyboard.press('Enter');
  await popover(page).getByText('A campaign as a picture').waitFor();
  await page.keyboard.press('Escape');
  await popover(page).waitFor({ state: 'detached' });
  expect(await focusedId(page)).toBe('left');

  // "more info": both lists beside each other; an answer is shown and hidden by its question.
  await page.keyboard.press('Enter');
  await popover(page).getByRole('button', { name: 'more info', exact: true }).click();
  await modal(page).getByRole('heading', { name: 'Glossary' }).waitFor();
  await modal(page).getByRole('heading', { name: 'HELP', exact: true }).waitFor();
  const [glossary, questions] = [modal(page).locator('section').first(), modal(page).locator('section').last()];
  expect((await glossary.boundingBox())!.y).toBe((await questions.boundingBox())!.y);
  const [definition, words] = await glossary.locator('li').first().locator('p').allInnerTexts();
  expect([definition!.length > 40, words]).toEqual([true, 'Auction']);
  const asked = questions.getByRole('button', { name: 'I moved a tier. Is it live?' });
  const answer = questions.getByText('Not yet. Publish the draft');
  expect(await answer.isVisible()).toBe(false);
  await asked.click();
  expect([await answer.isVisible(), await asked.getAttribute('aria-expanded')]).toEqual([true, 'true']);
  await asked.click();
  expect([await answer.isVisible(), await asked.getAttribute('aria-expanded')]).toEqual([false, 'false']);
  const backdrop = await modal(page).evaluate((one) => getComputedStyle(one, '::backdrop').backgroundColor);
  expect(backdrop).toBe('rgba(4, 20, 30, 0.68)');
  await shoot(page, 'help-foreign');
  await modal(page).getByRole('button', { name: 'Close the help' }).click();
  await modal(page).waitFor({ state: 'detached' });
  expect(await focusedId(page)).toBe('left');

  // With the flag the modal opens at once, with its spinner, in the place of an open popover; a host without an answer says so.
  await page.locator('#left').click();
  await popover(page).getByText('A campaign as a picture').waitFor();
  const seen = Promise.withResolvers<void>();
  await page.route('**/tooltip/promotions', async (route) => {
    await seen.promise;
    await route.continue();
  });
  await page.locator('#modal').click();
  await modal(page).getByRole('status').getByText('Loading').waitFor({ state: 'attached' });
  seen.resolve();
  await modal(page).getByText('Two promotions are for the same lead.').waitFor();
  expect(await popover(page).count()).toBe(0);
  await page.keyboard.press('Escape');
  await modal(page).waitFor({ state: 'detached' });
  await page.evaluate(() => window.SluiceHelp!.init({ tagString: 'nobody has this', displayType: 'modal', title: 'of ours' }));
  await modal(page).getByText('No Data Found.', { exact: true }).waitFor();
  await modal(page).getByRole('heading', { name: 'HELP of ours' }).waitFor();
  await modal(page).getByRole('button', { name: 'Close the help' }).click();
  await page.evaluate(() =>
    window.SluiceHelp!.init({ tagString: 'bank-mgmt', displayType: 'inline', title: 'Banks', element: document.querySelector('#inline')! }),
  );
  await page.locator('#inline sluice-help').getByText('What is decided about a bank or BIN').waitFor();

  // A configuration that is no object is told on the console, and does nothing.
  said.length = 0;
  await page.locator('#broken').click();
  await page.locator('#list').click();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(said).toEqual(Array(2).fill('Provided configuration is incorrect, must be object'));
  expect([await popover(page).count(), await modal(page).count()]).toEqual([0, 0]);

  // Triggers where pages put them: a drawn one, one behind a shadow in an open dialog, one with half a character in its key.
  await page.evaluate(() => {
    const place = (element: Element, config: string, id: string) => {
      element.setAttribute('data-sluice-help', config);
      element.id = id;
      element.setAttribute('class', 'trigger');
      return element;
    };
    const drawn = place(document.createElementNS('http://www.w3.org/2000/svg', 'svg'), '{"id":"overview"}', 'drawn');
    const half = place(document.createElement('span'), '{"id":"\\ud83d"}', 'half');
    const dialog = Object.assign(document.createElement('dialog'), { id: 'theirs' });
    dialog.append(document.createElement('div'));
    const shadow = (dialog.firstElementChild as HTMLElement).attachShadow({ mode: 'open' });
    shadow.append(Object.assign(document.createElement('button'), { textContent: 'What is this?' }));
    place(shadow.firstElementChild!, '{"id":"leads"}', 'deep');
    document.body.append(drawn, half, dialog);
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('dialog#theirs { all: revert !important } #drawn { left: 500px; top: 400px } #half { left: 1000px; top: 100px }');
    document.adoptedStyleSheets = [sheet];
  });
  await page.locator('#drawn').focus();
  await page.keyboard.press('Enter');
  await popover(page).getByText('Today in this vertical').waitFor();
  await page.locator('#half').click();
  await popover(page).getByText('No Key Match.', { exact: true }).waitFor();
  await page.keyboard.press('Escape');
  const openTheirs = () => page.evaluate(() => document.querySelector<HTMLDialogElement>('#theirs')!.showModal());
  await openTheirs();
  await page.locator('#deep').click();
  await popover(page).getByText('Every lead of this vertical').waitFor();
  // The popover goes with the dialog; the next Escape is the page's own, and the trigger asks anew.
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('#theirs')!.close());
  await openTheirs();
  await page.evaluate(() => document.querySelector('#theirs sluice-help')?.remove());
  await page.locator('#deep').click();
  await popover(page).getByText('Every lead of this vertical').waitFor();
  await popover(page).getByRole('button', { name: 'more info' }).click();
  await modal(page).getByRole('heading', { name: 'Glossary' }).waitFor();
  await modal(page).getByRole('button', { name: 'Close the help' }).click();
  await page.evaluate(() => document.querySelector<HTMLDialogElement>('#theirs')!.close());
  said.length = 0;
  await page.evaluate(() => {
    window.SluiceHelp!.init({ displayType: 'modal' } as never);
    window.SluiceHelp!.init({ displayType: 'inline', tagString: 'leads' });
  });
  expect(said).toEqual(Array(2).fill('Provided configuration is incorrect, must be object'));

  // The first space of the tag string is not sent (console §5); every call is a form.
  const call = page.waitForRequest(/more-data$/);
  await page.evaluate(() => window.SluiceHelp!.init({ tagString: 'overview, leads, lead', displayType: 'modal' }));
  const sent = await call;
  expect(Object.fromEntries(new URLSearchParams(sent.postData()!))).toEqual({ tagString: 'overview,leads, lead', projectId: 'sluice' });
  expect(sent.headers()['content-type']).toContain('application/x-www-form-urlencoded');
  expect(sent.headers().cookie).toBeUndefined();
  expect(complaints).toEqual([]);
  await close();
});

it('console §2, §4, §5, §9: what is shown is what the answer holds, in a page that is zoomed and written from right to left, and goes 10 ms after a resize', async () => {
  const { page, complaints, close } = await openPage(browser);
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  const answers = { tooltip: {} as object, more: {} as object };
  const asked: string[] = [];
  await page.route('**/help/sdk/**', (route) => {
    const isTooltip = route.request().url().includes('/tooltip/');
    asked.push(new URL(route.request().url()).pathname);
    return route.fulfill({ json: isTooltip ? answers.tooltip : answers.more, headers: { 'access-control-allow-origin': '*' } });
  });
  const tagged = { projectId: 'sluice', promptText: 'What this is.', keywordFaq: ['a'], glossaryTerms: ['a'], keywordKb: [] };
  const bare = { ...tagged, keywordFaq: [], glossaryTerms: [] };
  const [term, question] = [
    { _id: 't', definition: 'A word.', data: [{ word: 'Lead' }] },
    { _id: 'q', question: 'Is it?', answer: 'It is.' },
  ];
  await page.clock.install({ time: Date.now() });
  await page.goto(foreign.url);
  await page.clock.runFor(4000);
  await isReady(page);
  // From here on time passes only where it is said.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1000));

  // Nothing more is known: nothing more is offered.
  answers.tooltip = { status: true, data: bare };
  await page.locator('#left').click();
  await expect.poll(() => asked.length).toBe(1);
  await page.clock.runFor(499);
  expect(await popover(page).getByText('What this is.').count()).toBe(0);
  await page.clock.runFor(1);
  await popover(page).getByText('What this is.').waitFor();
  expect(await popover(page).getByRole('button', { name: 'more info' }).count()).toBe(0);

  // Console §9: guarded by the id, so another trigger with the same one does nothing either; 10 ms after a resize it is gone.
  await page.locator('#right').evaluate((one) => one.setAttribute('data-sluice-help', '{"id":"flow-control"}'));
  await page.locator('#right').click();
  expect([await popover(page).count(), asked.length, (await popover(page).boundingBox())!.x < 200]).toEqual([1, 1, true]);
  await page.evaluate(() => window.dispatchEvent(new Event('resize')));
  await page.clock.runFor(9);
  expect(await popover(page).count()).toBe(1);
  await page.clock.runFor(1);
  expect(await popover(page).count()).toBe(0);

  // Two lists stand beside each other, one takes the whole width; what separates them is dashed.
  for (const [glossaries, faqs, columns] of [
    [[term, { ...term, _id: 't2' }], [question], 2],
    [[term, { ...term, _id: 't2' }], [], 1],
    [[], [question], 1],
  ] as const) {
    answers.more = { status: true, data: { glossaries, faqs } };
    const before = asked.length;
    await page.evaluate(() => window.SluiceHelp!.init({ tagString: 'a', displayType: 'modal' }));
    await expect.poll(() => asked.length).toBeGreaterThan(before);
    await page.clock.runFor(600);
    await modal(page).getByRole('heading', { level: 3 }).first().waitFor();
    const seen = await modal(page)
      .locator('.content')
      .evaluate((content) => {
        const sections = [...content.querySelectorAll('section')];
        const whole = content.clientWidth - 40;
        const first = content.querySelector('li:not(:last-child)');
        return {
          beside: new Set(sections.map((one) => one.getBoundingClientRect().left)).size,
          fills: sections.every((one) => Math.abs(one.getBoundingClientRect().width - whole / sections.length) < 2),
          between: getComputedStyle(sections[0]!).borderInlineEndStyle,
          below: first && getComputedStyle(first).borderBottomStyle,
        };
      });
    expect(seen).toEqual({
      ...{ beside: columns, fills: true },
      ...{ between: columns === 2 ? 'dashed' : 'none', below: glossaries.length > 1 ? 'dashed' : null },
    });
    await page.keyboard.press('Escape');
  }

  // A page that is zoomed, and written from right to left: help is inside the window all the same, and reads from left to right.
  answers.tooltip = { status: true, data: tagged };
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('html { zoom: 1.5; direction: rtl } #foot { top: 560px }');
    document.adoptedStyleSheets = [sheet];
  });
  for (const id of ['left', 'right', 'foot']) {
    await page.locator(`#${id}`).evaluate((one) => one.setAttribute('data-sluice-help', JSON.stringify({ id: `zoomed-${one.id}` })));
    const before = asked.length;
    await page.locator(`#${id}`).click();
    await expect.poll(() => asked.length).toBeGreaterThan(before);
    await page.clock.runFor(600);
    await popover(page).getByRole('button', { name: 'more info' }).waitFor();
    // As the page itself sees them: the browser's protocol tells zoomed boxes otherwise.
    const [box, trigger] = (await Promise.all(
      [popover(page), page.locator(`#${id}`)].map((one) =>
        one.evaluate((element) => {
          const { left, top, width, height } = element.getBoundingClientRect();
          return { left, top, width, height };
        }),
      ),
    )) as [Box, Box];
    const [right, foot] = [box.left + box.width, box.top + box.height];
    expect([id, box.left >= 0, box.top >= 0, right <= 1440, foot <= 900]).toEqual([id, true, true, true, true]);
    const isBeside = box.left >= trigger.left + trigger.width || right <= trigger.left;
    expect([id, isBeside || box.top >= trigger.top + trigger.height || foot <= trigger.top]).toEqual([id, true]);
    expect(await popover(page).evaluate((one) => getComputedStyle(one).direction)).toBe('ltr');
    await page.keyboard.press('Escape');
  }
  await shoot(page, 'help-zoomed');

  // Console §5: whatever is no object with what is needed is told, and nothing is thrown or shown.
  said.length = 0;
  await page.evaluate(() => {
    const { init } = window.SluiceHelp as unknown as { init(given?: unknown): void };
    for (const wrong of [
      undefined,
      null,
      'leads',
      7,
      [],
      { tagString: 'leads' },
      { tagString: 'leads', displayType: 'inline', element: '#x' },
    ])
      init(wrong);
  });
  expect(said).toEqual(Array(7).fill('Provided configuration is incorrect, must be object'));
  expect([await popover(page).count(), await modal(page).count()]).toEqual([0, 0]);
  expect(complaints).toEqual([]);
  await close();
});

it('our own console: help on every page by keyboard and on a phone; what a super admin changes is what everybody reads', async () => {
  const editor = await buildUser(node.db, world.organizationId, { superAdmin: true });
  const at = (path: string) => `${node.url}/#!${path}`;
  const { page, complaints, close } = await openSignedIn(browser, node.url, editor, { at: at('/setup/us/payday/leads') });
  const help = page.getByRole('button', { name: 'Help on this page' });
  // Pressed before the script is there, it opens once it is.
  await help.focus();
  await page.keyboard.press('Enter');
  await popover(page).getByText('Every lead of this vertical').waitFor();
  expect(await popover(page).evaluate((one) => (one.getRootNode() as ShadowRoot).activeElement === one)).toBe(true);
  expect(await axe(page)).toEqual([]);
  await page.keyboard.press('Escape');
  await popover(page).waitFor({ state: 'detached' });

  // Tab goes round in it; Escape closes it and nothing else, and the focus is where it was.
  await help.focus();
  await page.keyboard.press('Enter');
  await popover(page).getByRole('button', { name: 'more info' }).waitFor();
  const focusedText = () => page.locator('sluice-help').evaluate((one) => one.shadowRoot!.activeElement?.textContent);
  const stops: unknown[] = [];
  for (let press = 0; press < 3; press++) {
    await page.keyboard.press('Tab');
    stops.push(await focusedText());
  }
  expect(stops).toEqual(['×', 'more info', '×']);
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Enter');
  await modal(page).getByRole('heading', { name: 'Glossary' }).waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'help-modal');
  await page.keyboard.press('Escape');
  await modal(page).waitFor({ state: 'detached' });
  expect(await help.evaluate((one) => one === document.activeElement)).toBe(true);

  // The page changes, and its help with it.
  await page.keyboard.press('Enter');
  await popover(page).getByText('Every lead of this vertical').waitFor();
  await page.evaluate(() => {
    location.hash = '#!/setup/us/payday/flow-control';
  });
  await page.getByRole('heading', { name: 'Flow control' }).waitFor();
  await popover(page).waitFor({ state: 'detached' });
  await page.setViewportSize(PHONE);
  await help.click();
  await popover(page).getByText('A campaign as a picture').waitFor();
  const { x, width } = (await popover(page).boundingBox())!;
  expect(x).toBeGreaterThanOrEqual(0);
  expect(x + width).toBeLessThanOrEqual(PHONE.width);
  expect(await overflows(page)).toBe(false);
  await popover(page).getByRole('button', { name: 'more info' }).click();
  await modal(page).getByRole('heading', { name: 'Glossary' }).waitFor();
  const lists = await modal(page)
    .locator('section')
    .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().left));
  expect(new Set(lists).size).toBe(1);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 1440, height: 900 });

  // For who is new: what the trade is, in one place.
  await page.goto(at('/home'));
  await page.getByRole('button', { name: 'Learn the trade' }).click();
  await modal(page).getByRole('button', { name: 'How does a lead travel?' }).click();
  await modal(page).getByText('It is sold, or not.').waitFor();
  await shoot(page, 'help-learn');
  await page.keyboard.press('Escape');

  // Edited: versions, and back.
  await page.goto(at('/help-content'));
  await page.getByRole('heading', { name: 'Help content' }).waitFor();
  await page.getByRole('textbox', { name: 'Search all texts' }).fill('picture today');
  const found = page.getByRole('link', { name: 'flow-control', exact: true });
  await found.waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'help-content');
  await found.click();
  const text = page.getByRole('textbox', { name: 'Text', exact: true });
  await text.fill('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Is empty.').waitFor();
  await text.fill('Our own words. <img src=x onerror="document.title = 1">\n\nAnd a second paragraph.');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Help saved.').waitFor();
  await page.getByText('Version 2').waitFor();
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'help-entry');
  await page.goto(at('/setup/us/payday/flow-control'));
  await help.click();
  await popover(page).getByText('<img src=x onerror="document.title = 1">').waitFor();
  expect(await popover(page).locator('.text p').count()).toBe(2);
  expect(await popover(page).locator('img').count()).toBe(0);
  await page.goto(at('/help-content/prompt/flow-control'));
  await page.getByRole('button', { name: 'Restore version 1' }).click();
  await page.getByText('Version 3').waitFor();
  await page.goto(at('/setup/us/payday/flow-control'));
  await help.click();
  await popover(page).getByText('A campaign as a picture').waitFor();
  expect(complaints).toEqual([]);
  await close();

  // The signed-out have help too, in dark colours as well.
  const guest = await openPage(browser, { colorScheme: 'dark' });
  await guest.page.goto(`${node.url}/login`);
  // A script that did not come is fetched again.
  const lost = guest.page.waitForEvent('requestfailed');
  await guest.page.route('**/help/sluice-help.js', (route) => route.abort());
  const ask = guest.page.getByRole('button', { name: 'Help on this page' });
  await ask.click();
  await lost;
  await guest.page.getByTitle('The help could not be loaded. Press to try again.').waitFor();
  await guest.page.unroute('**/help/sluice-help.js');
  expect(guest.complaints.splice(0).every((one) => one.includes('net::ERR_FAILED'))).toBe(true);
  await ask.click();
  await popover(guest.page).getByText('Signing in, and what goes before it').waitFor();
  expect(await popover(guest.page).evaluate((one) => getComputedStyle(one).backgroundColor)).toBe('rgb(19, 35, 45)');
  expect(await axe(guest.page)).toEqual([]);
  expect(guest.complaints).toEqual([]);
  // So does whoever has not come so far yet, or came by a link of the eligibility checker alone.
  for (const [address, text] of [
    [`${node.url}/`, 'Signing in, and what goes before it'],
    [at('/eligibility-checker-tool/el_nothing'), 'Says which buyers could take this lead now'],
  ]) {
    await guest.page.goto('about:blank');
    await guest.page.goto(address!);
    await ask.click();
    await popover(guest.page).getByText(text!, { exact: false }).waitFor();
    expect(await axe(guest.page)).toEqual([]);
    await shoot(guest.page, `help-guest-${text!.slice(0, 4)}`);
  }
  await guest.page.setViewportSize(PHONE);
  expect(await overflows(guest.page)).toBe(false);
  await guest.page.goto(`${node.url}/`);
  await ask.waitFor();
  expect(await overflows(guest.page)).toBe(false);
  await shoot(guest.page, 'help-guest-phone');
  expect(guest.complaints.filter((one) => !one.includes('404'))).toEqual([]);
  await guest.close();
});

it('console §7: help comes from its own host, before anybody has signed in as well', async () => {
  const other = await startNode(node.database.url, { helpHost: node.url });
  const { page, complaints, close } = await openPage(browser);
  for (const path of ['/', '/login']) {
    const script = page.waitForResponse(/sluice-help\.js/);
    await page.goto(other.url + path);
    expect(new URL((await script).url()).origin).toBe(node.url);
    await page.getByRole('button', { name: 'Help on this page' }).click();
    await popover(page).getByText('Signing in, and what goes before it').waitFor();
  }
  expect(complaints).toEqual([]);
  await close();
  await other.close();
});
