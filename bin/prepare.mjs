/**
 * Before `npm start` and `npm test`: installs what is missing, builds the console when its sources changed, and for tests
 * finds or installs Chromium and PHP. Plain JavaScript, because it runs on whatever Node the machine has, before ours is there.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const modules = join(root, 'node_modules');
let isAptFresh = false;

install();
build();
if (process.argv.includes('--test')) {
  findChromium();
  findPhp();
}

function install() {
  const wanted = hashOf([join(root, 'package-lock.json')]);
  const mark = join(modules, '.installed-from');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  console.log('Installing packages ...');
  // A folder that is there may be in use by a running node: it is brought up to date, not taken away first.
  const how = existsSync(modules) ? ['install', '--no-save'] : ['ci'];
  run('npm', [...how, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']);
  writeFileSync(mark, wanted);
}

function build() {
  const out = join(root, 'dist', 'web');
  const sources = [...filesUnder('web'), ...filesUnder('contract'), join(root, 'vite.config.ts'), join(root, 'package-lock.json')];
  const wanted = hashOf(sources.filter((file) => !file.includes('.test.')));
  const mark = join(out, '.built-from');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  console.log('Building the console ...');
  run(join(modules, '.bin', 'node'), [join(modules, 'vite', 'bin', 'vite.js'), 'build', '--logLevel', 'error']);
  writeFileSync(mark, wanted);
}

function findChromium() {
  // The shell is the same engine without windows, tabs and menus, which cost a third of the browser tests' time.
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  if (process.env.CHROMIUM_PATH || names.some((name) => spawnSync('which', [name]).status === 0)) return;
  const help = 'Install it by hand, or set CHROMIUM_PATH to its program.';
  const install = openApt('Chromium for the browser tests', help);
  // Not every release has the shell by itself.
  if (!install('chromium-headless-shell', 'fonts-dejavu-core') && !install('chromium', 'fonts-dejavu-core'))
    stop(`Chromium could not be installed. ${help}`);
}

/** The samples of posting specifications are run as they are told. */
function findPhp() {
  if (spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0) return;
  const help = 'Install it by hand, with its curl extension.';
  const install = openApt('PHP for the samples of posting specifications', help);
  if (!install('php-cli', 'php-curl')) stop(`PHP could not be installed. ${help}`);
}

function openApt(what, help) {
  if (spawnSync('which', ['apt-get']).status !== 0) stop(`The tests need ${what}, and there is no apt-get. ${help}`);
  console.log(`Installing ${what} ...`);
  const [apt, ...flags] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'apt-get'];
  const quiet = { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } };
  if (!isAptFresh) spawnSync(apt, [...flags, 'update', '-qq'], quiet);
  isAptFresh = true;
  return (...packages) => spawnSync(apt, [...flags, 'install', '-y', '-qq', '--no-install-recommends', ...packages], quiet).status === 0;
}

function run(command, args) {
  try {
    execFileSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  } catch (error) {
    stop(`${[command, ...args].join(' ')} failed${error.status ? ` with code ${error.status}` : `: ${error.message}`}.`);
  }
}

function stop(text) {
  console.error(text);
  process.exit(1);
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files.sort())
    if (existsSync(file)) hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  return hash.digest('hex');
}

function filesUnder(folder) {
  return existsSync(join(root, folder)) ? filesIn(join(root, folder)) : [];
}

function filesIn(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, String(name)))
    .filter((file) => statSync(file).isFile());
}
