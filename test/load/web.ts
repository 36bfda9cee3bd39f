/**
 * `npm run bench -- web`: what the public pages cost a consumer's phone, and the help script a page that embeds it: bytes as they go over the
 * wire, and when the largest thing stands, in a real Chromium made as slow as Lighthouse's phone.
 */
import { cpus, totalmem } from 'node:os';
import type { Browser, Page } from 'playwright-core';
import { openInstallation } from '#server/installation.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { launchBrowser, openPage, PHONE } from '#test/harness/browser.ts';
import { TEST_CONFIG } from '#test/harness/config.ts';
import { buildWorld, type World } from '#test/harness/world.ts';
import { STORED } from '#web/console/card/cut.ts';
import { quantile } from './generator.ts';
import { withDatabase } from './with-database.ts';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);

/** Lighthouse's "slow 4G" (150 ms there and back, 1.6 Mbit/s) as Chromium's own throttling wants it said, which delays requests and not packets. */
const SLOW_4G = { offline: false, latency: 562.5, downloadThroughput: (1_474.56 * 1024) / 8, uploadThroughput: (675 * 1024) / 8 };
const SLOWER_CPU = 4;

export const benchWeb = (): Promise<void> => withDatabase(measure);

async function measure(url: string): Promise<void> {
  const pool = openPool(url, 2);
  const world = await buildWorld(openDb(pool));
  const installation = await openInstallation(TEST_CONFIG, url);
  const address = await installation.app.listen({ port: 0, host: '127.0.0.1' });
  const browser = await launchBrowser();
  try {
    const cardId = await addCard(pool, world, await drawPicture(browser));
    const pages = [
      ['card', `/drawcard/card/${cardId}`],
      ['lander', `/drawcard/lander/${cardId}`],
    ] as const;
    const rows = [];
    for (const [name, path] of pages) rows.push(await visits(browser, name, address + path));
    console.log(
      `${cpus().length} x ${cpus()[0]!.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; ${ROUNDS} first visits each by a phone: ${SLOWER_CPU} times slower, slow 4G\n`,
    );
    console.table(rows);
    console.log(`help script: ${kib(await sizeOf(`${address}/help/sluice-help.js`))} KiB (limit 15)`);
  } finally {
    await browser.close();
    await installation.close();
    await pool.end();
  }
}

/** As the console stores it, with a grain, which does not compress. */
async function drawPicture(browser: Browser): Promise<Buffer> {
  const { page, close } = await openPage(browser);
  const text = await page.evaluate(({ px, type, quality }) => {
    const canvas = Object.assign(document.createElement('canvas'), { width: px, height: px });
    const pen = canvas.getContext('2d')!;
    const image = pen.createImageData(px, px);
    for (let at = 0; at < image.data.length; at++) image.data[at] = at % 4 === 3 ? 255 : 90 + Math.sin(at / 700) * 60 + Math.random() * 20;
    pen.putImageData(image, 0, 0);
    return canvas.toDataURL(type, quality).split(',')[1]!;
  }, STORED);
  await close();
  return Buffer.from(text, 'base64');
}

async function addCard(pool: ReturnType<typeof openPool>, world: World, picture: Buffer): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    `insert into card (organization_id, id, vertical_id, name, title, company, email, phone, website, additional_information, social_media, avatar, avatar_type,
       avatar_at, has_lander, publisher_tier_id, lander_description, lander_fields, consent_text)
     values ($1, gen_random_uuid(), $2, 'Grace Hopper', 'Loan adviser', 'Harbour Bank', 'grace@harbour.example', '+1 212 555 0123', 'https://harbour.example', 'Calls back today.',
       '[{"kind":"linkedin","url":"https://linkedin.com/in/grace","label":""},{"kind":"facebook","url":"https://facebook.com/grace","label":""}]', $3, 'image/jpeg', now(), true, $4,
       $5, '{first_name,email,phone,state,zip}', 'You may call me about loans.')
     returning id`,
    [
      world.organizationId,
      world.verticalId,
      picture,
      world.publisherTierId,
      `<h2>Need a loan?</h2>${'<p>We look at what you can afford, and call back the same day.</p>'.repeat(4)}`,
    ],
  );
  return rows[0]!.id;
}

interface Visit {
  fcp: number;
  lcp: number;
  shift: number;
  blocked: number;
  script: number;
  bytes: number;
}

async function visits(browser: Browser, page: string, url: string) {
  const all: Visit[] = [];
  await visitOnce(browser, url);
  for (let round = 0; round < ROUNDS; round++) all.push(await visitOnce(browser, url));
  const of = (key: keyof Visit) => all.map((one) => one[key]);
  return {
    page,
    'first paint p50 ms': Math.round(quantile(of('fcp'), 0.5)),
    'LCP p50 ms': Math.round(quantile(of('lcp'), 0.5)),
    'LCP p95 ms (aim 1,500)': Math.round(quantile(of('lcp'), 0.95)),
    'layout shift': Math.max(...of('shift')),
    'blocked ms': Math.round(Math.max(...of('blocked'))),
    'script KiB (limit 60)': kib(Math.max(...of('script'))),
    'all KiB': kib(Math.max(...of('bytes'))),
  };
}

/** A browser that has never been here. */
async function visitOnce(browser: Browser, url: string): Promise<Visit> {
  const { page, close } = await openPage(browser, { viewport: PHONE, deviceScaleFactor: 2, isMobile: true, hasTouch: true });
  const debug = await page.context().newCDPSession(page);
  await debug.send('Network.enable');
  await debug.send('Network.emulateNetworkConditions', SLOW_4G);
  await debug.send('Emulation.setCPUThrottlingRate', { rate: SLOWER_CPU });
  const sizes = countBytes(page);
  await page.addInitScript(watchPaint);
  await page.goto(url, { waitUntil: 'networkidle' });
  const seen = await page.evaluate(
    () => (window as unknown as { seen: { fcp: number; lcp: number; shift: number; blocked: number } }).seen,
  );
  const counted = await sizes();
  await close();
  return { ...seen, ...counted };
}

function countBytes(page: Page): () => Promise<{ script: number; bytes: number }> {
  const found: Promise<[isScript: boolean, bytes: number]>[] = [];
  page.on('requestfinished', (request) => {
    const isScript = request.resourceType() === 'script';
    found.push(request.sizes().then((sizes) => [isScript, sizes.responseBodySize]));
  });
  return async () => {
    const all = await Promise.all(found);
    const sum = (some: typeof all) => some.reduce((total, [, bytes]) => total + bytes, 0);
    return { script: sum(all.filter(([isScript]) => isScript)), bytes: sum(all) };
  };
}

/** Runs in the browser, before anything of the page does. */
function watchPaint(): void {
  const seen = { fcp: 0, lcp: 0, shift: 0, blocked: 0 };
  Object.assign(window, { seen });
  const watch = (type: string, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
  watch('paint', (entry) => {
    if (entry.name === 'first-contentful-paint') seen.fcp = entry.startTime;
  });
  watch('largest-contentful-paint', (entry) => {
    seen.lcp = entry.startTime;
  });
  watch('layout-shift', (entry) => {
    seen.shift += (entry as PerformanceEntry & { value: number }).value;
  });
  watch('longtask', (entry) => {
    seen.blocked += entry.duration - 50;
  });
}

async function sizeOf(url: string): Promise<number> {
  const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
  await answer.arrayBuffer();
  return Number(answer.headers.get('content-length'));
}

const kib = (bytes: number) => Math.round(bytes / 102.4) / 10;
