/** `npm test`: types, lint, and every test; ends with one line that counts them all. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';

const root = join(import.meta.dirname, '..');
const counts = { passed: 0, failed: 0 };
/** What failed and why, said once more at the end: a long run's log is often kept from its end only. */
const failures: string[] = [];

interface Report {
  numPassedTests: number;
  numFailedTests: number;
  numPendingTests: number;
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: { fullName: string; status: string; failureMessages: string[] | null }[];
  }[];
}

step('types', 'tsc', ['--noEmit', '-p', '.']);
step('lint and format', 'biome', ['check', '.']);
for (const project of ['unit', 'web', 'api', 'browser']) tests(project);

if (failures.length > 0) console.log(`\n== what failed\n${failures.join('\n')}`);
console.log(`\n${counts.passed} passed, ${counts.failed} failed`);
process.exit(counts.failed === 0 && counts.passed > 0 ? 0 : 1);

function step(name: string, command: string, args: string[]): void {
  console.log(`\n== ${name}`);
  const passed = start(command, args) === 0;
  counts[passed ? 'passed' : 'failed'] += 1;
  if (!passed) failures.push(name);
}

/** A project without tests, or one that could not start, counts as failed. */
function tests(project: string): void {
  console.log(`\n== ${project} tests`);
  const file = join(mkdtempSync(join(tmpdir(), 'sluice-report-')), 'report.json');
  const code = start('vitest', ['run', '--project', project, '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Report) : undefined;
  counts.passed += report?.numPassedTests ?? 0;
  const failed = (report?.numFailedTests ?? 0) + (report?.numPendingTests ?? 0);
  const found = report ? failuresOf(project, report) : [];
  const sound = code === 0 && report && report.numPassedTests > 0;
  if (!sound && found.length === 0) found.push(`${project} tests: ended with code ${code}, see above`);
  failures.push(...found);
  counts.failed += sound ? failed : Math.max(1, failed);
}

/** Every test that did not pass and every file that could not be read, each with the first lines of its reason. */
function failuresOf(project: string, report: Report): string[] {
  return report.testResults.flatMap((file) => {
    const name = `${project}: ${relative(root, file.name)}`;
    const tests = file.assertionResults
      .filter((test) => test.status !== 'passed')
      .map((test) => `${name}: ${test.fullName} (${test.status})\n${head(test.failureMessages?.join('\n'))}`);
    return tests.length === 0 && file.status === 'failed' ? [`${name}\n${head(file.message)}`] : tests;
  });
}

function head(reason = ''): string {
  const lines = reason.split('\n').slice(0, 12);
  return lines.map((line) => `    ${line.slice(0, 300)}`).join('\n');
}

function start(command: string, args: string[]): number {
  const done = spawnSync(join(root, 'node_modules', '.bin', command), args, { cwd: root, stdio: 'inherit' });
  return done.status ?? 1;
}
