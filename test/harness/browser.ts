/** The machine's real Chromium, driven by playwright-core; pages fail a test when they log an error or break the content policy. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-dev-shm-usage',
    ],
  });
}

function findChromium(): string {
  if (process.env.CHROMIUM_PATH) return process.env.CHROMIUM_PATH;
  for (const name of ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']) {
    const found = spawnSync('which', [name], { encoding: 'utf8' });
    if (found.status === 0) return found.stdout.trim();
  }
  throw new Error('Chromium is not installed; npm test installs it, or set CHROMIUM_PATH.');
}

export interface WatchedPage {
  page: Page;
  /** Console errors, uncaught exceptions and policy violations so far. */
  complaints: string[];
  close(): Promise<void>;
}

export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: DESKTOP, reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on('pageerror', (error) => complaints.push(String(error)));
  // Chromium sometimes never answers to a close while a page is being loaded; the browser's own end takes it along.
  const close = () => Promise.race([context.close(), new Promise<void>((resolve) => setTimeout(resolve, CLOSE_WITHIN_MS))]);
  return { page, complaints, close };
}

const CLOSE_WITHIN_MS = 5_000;

interface SignedInOptions extends BrowserContextOptions {
  /** Where the page opens; by itself where the person begins. */
  at?: string;
}

/**
 * A page of somebody who is signed in: by the call that the form makes, in the page's own cookies. Only tests of the signing in fill the
 * form; all others are spared a page that they do not look at.
 */
export async function openSignedIn(
  browser: Browser,
  url: string,
  { email, password }: { email: string; password: string },
  { at, ...options }: SignedInOptions = {},
): Promise<WatchedPage> {
  const watched = await openPage(browser, options);
  const { page } = watched;
  const answer = await page.context().request.post(`${url}/team-login`, {
    data: { email, password },
    headers: { 'x-requested-with': 'sluice' },
  });
  if (!answer.ok()) throw new Error(`${email} could not sign in: ${answer.status()} ${await answer.text()}`);
  await page.goto(at ?? `${url}/login`);
  // To a page of the console, or to the plain address that says there is none for them.
  await page.waitForURL(({ hash, pathname }) => hash.startsWith('#!/') || pathname === '/no-permission');
  return watched;
}

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const CHANGED_WITHIN_MS = 1_000;

const RULES_OF_COLOURS = ['color-contrast', 'link-in-text-block'];

/**
 * What is wrong with the page as it stands: what axe finds in light colours, what it finds of the colours in dark ones, and a page that scrolls
 * sideways. With SHOTS set to a folder, a picture of each.
 */
export async function flaws(page: Page, picture?: string): Promise<string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    // Waits for colours to be there, which a picture does not.
    found.push(...(await axe(page, colorScheme === 'dark' ? RULES_OF_COLOURS : undefined)).map((one) => `${colorScheme}: ${one}`));
    if (process.env.SHOTS && picture) {
      const path = `${process.env.SHOTS}/${picture.replace(/\W+/g, '_')}-${page.viewportSize()?.width}-${colorScheme}.png`;
      await page.screenshot({ path, fullPage: true });
    }
  }
  return (await overflows(page)) ? [...found, 'scrolls sideways'] : found;
}

/** What axe finds wrong at the moment, as `rule: where`; all of its rules, best practice included, or those named. */
export async function axe(page: Page, rules?: string[]): Promise<string[]> {
  // Through the debugger, since the page's policy rightly refuses scripts from elsewhere.
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  // Colours on their way to others are judged as neither; the end of one change may begin that of what lies in it, a frame later.
  await page.evaluate(async (most) => {
    const until = performance.now() + most;
    const isMoving = () => document.getAnimations().some(({ effect }) => effect?.getComputedTiming().endTime !== Number.POSITIVE_INFINITY);
    for (let still = 0; still < 3 && performance.now() < until; still = isMoving() ? 0 : still + 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
  }, CHANGED_WITHIN_MS);
  const violations = await page.evaluate(async (runOnly) => {
    type Axe = {
      run(options: {
        resultTypes: ['violations'];
        runOnly?: string[];
      }): Promise<{ violations: { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }[] }>;
    };
    const result = await (window as unknown as { axe: Axe }).axe.run({ resultTypes: ['violations'], ...(runOnly && { runOnly }) });
    return result.violations.flatMap((one) =>
      one.nodes.map((node) => `${one.impact} ${one.id}: ${node.target.join(' ')} (${node.failureSummary.split('\n')[1]?.trim()})`),
    );
  }, rules);
  return violations;
}

/** The two screens that everything must fit. */
export const SCREENS = [
  ['a desk', { viewport: DESKTOP }],
  ['a phone', { viewport: PHONE, hasTouch: true, isMobile: true }],
] as const;

/** True when the page can be scrolled sideways. */
export function overflows(page: Page): Promise<boolean> {
  return page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth + 1);
}

/**
 * When the page of the address stands, with what it loads: the router has come to rest there, the heading is not the waiting screen's, and no
 * skeleton is left. An address below '#!' loads no document, so that until then the page before it would be judged.
 */
export async function standing(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const { state, history } = (window as unknown as { __TSR_ROUTER__?: import('@tanstack/react-router').AnyRouter }).__TSR_ROUTER__ ?? {};
    if (state?.status !== 'idle' || state.resolvedLocation?.href !== history?.location.href) return false;
    return document.querySelector('h1:not(.waiting *)') !== null && document.querySelector('.mantine-Skeleton-root') === null;
  });
}

/** With SHOTS set to a folder: the page as it is now, on a desk and a phone, light and dark, for somebody to look at. */
export async function shoot(page: Page, name: string): Promise<void> {
  if (!process.env.SHOTS) return;
  const before = page.viewportSize() ?? DESKTOP;
  for (const viewport of [DESKTOP, PHONE])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      // Colours go over slowly.
      await new Promise((resolve) => setTimeout(resolve, 400));
      await page.screenshot({ path: `${process.env.SHOTS}/${name}-${viewport.width}-${colorScheme}.png` });
    }
  await page.setViewportSize(before);
  await page.emulateMedia({ colorScheme: null });
  await new Promise((resolve) => setTimeout(resolve, 400));
}
