/**
 * Which tests show which case of attack and fault. The cases stand in docs/security/cases.json; a test names what it shows before the colon of its
 * title, beside sections of the specification: `account §4, A2, 1.2 TOTP replay: the same code …`.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
export const DOCUMENT = 'docs/security/cases.md';

export interface SecurityCase {
  id: string;
  what: string;
  /** What of it no test shows, and why; empty where all of it is shown. */
  left?: string;
}

export interface NamedTest {
  file: string;
  title: string;
  /** As the head of the title names them, known or not. */
  ids: string[];
}

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Cases by letter, and faults that happened elsewhere. */
export function listCases(): { cases: SecurityCase[]; faults: SecurityCase[] } {
  return JSON.parse(read('docs/security/cases.json')) as { cases: SecurityCase[]; faults: SecurityCase[] };
}

/** All titles of tests, suites and stories that name a case. */
export function listNamedTests(): NamedTest[] {
  const found = globSync(['{engine,contract,server,web,db,test}/**/*.test.{ts,tsx}', 'engine/scenarios/*.json'], { cwd: ROOT }).sort();
  // Its titles are examples.
  const files = found.filter((file) => file !== 'test/walls/cases.test.ts');
  return files.flatMap((file) =>
    titlesIn(read(file))
      .map((title) => ({ file, title, ids: idsOf(title) }))
      .filter(({ ids }) => ids.length > 0),
  );
}

export function titlesIn(source: string): string[] {
  const calls = source.matchAll(/(?:\b(?:test|it|describe|holds)|[\])])\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1/g);
  const stories = source.matchAll(/^ {2}"title": (")((?:\\.|[^"\n])*)"/gm);
  return [...calls, ...stories].map(([, , title]) =>
    title!.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))),
  );
}

function idsOf(title: string): string[] {
  const [head, ...rest] = title.split(': ');
  return rest.length === 0 ? [] : head!.split(', ').filter((part) => /^([A-H]\d{1,2}|1\.2 .+)$/.test(part));
}

/** The document, to the letter. */
export function drawDocument(): string {
  const { cases, faults } = listCases();
  const tests = listNamedTests();
  const row = ({ id, what, left }: SecurityCase) => {
    const shown = tests.filter(({ ids }) => ids.includes(id));
    const byFile = [...Map.groupBy(shown, ({ file }) => file)];
    const cell = byFile.map(([file, own]) => `\`${file}\`: ${own.map(({ title }) => plain(title)).join(' · ')}`).join('<br>');
    return `| ${id} | ${what} | ${cell} | ${left ?? ''} |`;
  };
  const table = (list: SecurityCase[]) =>
    ['| id | case | shown by | left out, and why |', '|---|---|---|---|', ...list.map(row)].join('\n');
  return `# Cases of attack and fault, and the tests that show them

Drawn by \`npm run cases\` from docs/security/cases.json and the titles of the tests; test/walls/cases.test.ts fails where a case has no test or this page is stale. A test names
its cases before the colon of its title. What is measured rather than tested is in docs/performance.md (\`npm run bench\`); long runs under kill -9 are \`npm run faults\`.

A signing in · B sessions and sub-domains · C generic data calls · D leads and money · E calls to buyers · F content, files, mail · G process, database, time · H privacy

${table(cases)}

## Faults of comparable products

Each happened somewhere else, and is a test here.

${table(faults)}
`;
}

/** A title without its head, fit for a cell. */
function plain(title: string): string {
  const text = title.slice(title.indexOf(': ') + 2).replace(/\\(['"`\\])/g, '$1');
  return text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
}
