/**
 * `npm run pictures [-- http://localhost:3000]`: takes the pictures of docs/pages.md anew from a demo world that runs. Every heading there that names an
 * address of the console gets the picture of that page in docs/pages, and a line that shows it.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DEMO_PASSWORD } from '#db/seed/world/people.ts';
import { launchBrowser, openPage } from '#test/harness/browser.ts';

const base = process.argv[2] ?? 'http://localhost:3000';
const file = join(import.meta.dirname, 'pages.md');
/** Figures, charts and maps have come. */
const SETTLED_MS = 2_500;

const lines = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => !line.startsWith('!['));
const browser = await launchBrowser();
const { page } = await openPage(browser, { colorScheme: 'light' });
page.setDefaultTimeout(60_000);
await page.goto(`${base}/login`);
await page.getByLabel('Email').fill('owner@acme.example');
await page.getByLabel('Password', { exact: true }).fill(DEMO_PASSWORD);
await page.getByRole('button', { name: 'Sign in' }).click();
await page.waitForURL(/#!\/setup/);
const origin = new URL(page.url()).origin;

const told: string[] = [];
for (const line of lines) {
  told.push(line);
  const [, title, address] = /^### (.+) `([\w/-]+)`$/.exec(line) ?? [];
  if (!title || !address) continue;
  const picture = `pages/${address.replace(/\//g, '-')}.jpg`;
  await page.goto(`${origin}/#!/setup/us/payday/${address}`);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.waitForTimeout(SETTLED_MS);
  if (!new URL(page.url()).hash.includes(address)) throw new Error(`${address} led to ${page.url()}`);
  await page.screenshot({ path: join(import.meta.dirname, picture), type: 'jpeg', quality: 78 });
  told.push(`![${title}](${picture})`);
}
await browser.close();
writeFileSync(file, told.join('\n'));
