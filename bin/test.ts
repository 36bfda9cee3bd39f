/** `npm test`: types, lint, and every test; ends with one line that counts them all. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');
const counts = { passed: 0, failed: 0 };

step('types', 'tsc', ['--noEmit', '-p', '.']);
step('lint and format', 'biome', ['check', '.']);
for (const project of ['unit', 'web', 'api', 'browser']) tests(project);

console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

function step(name: string, command: string, args: string[]): void {
  console.log(`\n== ${name}`);
  const passed = start(command, args) === 0;
  counts[passed ? 'passed' : 'failed'] += 1;
}

/** A project without tests, or one that could not start, counts as failed. */
function tests(project: string): void {
  console.log(`\n== ${project} tests`);
  const file = join(mkdtempSync(join(tmpdir(), 'sluice-report-')), 'report.json');
  const code = start('vitest', ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  const report = existsSync(file)
    ? (JSON.parse(readFileSync(file, 'utf8')) as { numPassedTests: number; numFailedTests: number; numPendingTests: number })
    : undefined;
  counts.passed += report?.numPassedTests ?? 0;
  const failed = (report?.numFailedTests ?? 0) + (report?.numPendingTests ?? 0);
  counts.failed += code === 0 && report && report.numPassedTests > 0 ? failed : Math.max(1, failed);
}

function start(command: string, args: string[]): number {
  const done = spawnSync(join(root, 'node_modules', '.bin', command), args, { cwd: root, stdio: 'inherit' });
  return done.status ?? 1;
}
