/**
 * `npm run pictures [-- http://localhost:3000]`: takes the pictures of docs/pages.md anew from a demo world that runs. Every heading there that names an
 * address of the console gets the picture of that page in docs/pages, a line that shows it, and that page's own heading as its title. An address stands below
 * United States, Payday, or is a whole one that begins with a slash; {export} in it is a job that is begun for the picture. After "as" it names who looks, by
 * default the owner.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { DEMO_PASSWORD } from '#db/seed/world/people.ts';
import { launchBrowser, openPage } from '#test/harness/browser.ts';

const base = process.argv[2] ?? 'http://localhost:3000';
const file = join(import.meta.dirname, 'pages.md');
/** Figures, charts and maps have come. */
const SETTLED_MS = 2_500;

/** "### Title `leads`", "### Title `/setup/us/auto/ab-testing`", "### Title `/setup/home-buyer` as `desk@northgate.example`". */
const HEADING = /^### (.+?) `([^`]+)`(?: as `([^`]+)`)?$/;
const OWNER = 'owner@acme.example';

const lines = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith('!['));
const browser = await launchBrowser();
const pages = new Map<string, Page>();

/** Somebody of the demo world at the console. */
async function signIn(email: string): Promise<Page> {
  const { page } = await openPage(browser, { colorScheme: 'light' });
  page.setDefaultTimeout(60_000);
  await page.goto(`${base}/login`);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(/#!\/(setup|member)/);
  return page;
}

/** An export of yesterday's leads, once it is done. */
async function makeExport(page: Page): Promise<string> {
  const to = Math.floor(Date.now() / 86_400_000) * 86_400_000;
  const body = {
    ...{ region: 'us', vertical: 'payday', from: new Date(to - 86_400_000).toISOString(), to: new Date(to).toISOString() },
    content: { columns: ['leadId', 'receivedAt', 'status'] },
  };
  const jobId = await page.evaluate(async (data) => {
    const headers = { 'content-type': 'application/json', 'x-requested-with': 'sluice' };
    const answer = await fetch('/api/console/exports', { method: 'POST', headers, body: JSON.stringify(data) });
    return ((await answer.json()) as { jobId: string }).jobId;
  }, body);
  await page.waitForTimeout(SETTLED_MS);
  return jobId;
}

const told: string[] = [];
for (const line of lines) {
  const [, , address, by = OWNER] = HEADING.exec(line) ?? [];
  if (!address) {
    told.push(line);
    continue;
  }
  const page = pages.get(by) ?? (await signIn(by));
  pages.set(by, page);
  const found = address.includes('{export}') ? address.replace('{export}', await makeExport(page)) : address;
  const path = found.startsWith('/') ? found : `/setup/us/payday/${found}`;
  const name = `${address} ${by === OWNER ? '' : by.replace(/@.*/, '')}`
    .trim()
    .replace(/^\/(setup\/)?/, '')
    .replace(/[{}]|\?.*/g, '')
    .replace(/[/ ]/g, '-');
  await page.goto(`${new URL(page.url()).origin}/#!${path}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.waitForTimeout(SETTLED_MS);
  if (!new URL(page.url()).hash.includes(path.split('?')[0]!)) throw new Error(`${address} led to ${page.url()}`);
  const title = (await page.getByRole('heading', { level: 1 }).first().textContent())?.trim() ?? '';
  const picture = `pages/${name}.jpg`;
  await page.screenshot({ path: join(import.meta.dirname, picture), type: 'jpeg', quality: 78 });
  told.push(`### ${title} \`${address}\`${by === OWNER ? '' : ` as \`${by}\``}`, `![${title}](${picture})`);
}
await browser.close();
writeFileSync(file, told.join('\n'));
