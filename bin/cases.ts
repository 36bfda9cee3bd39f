/**
 * Which tests show which case of attack and fault. The cases stand in docs/security/cases.json; a test names what it shows before the colon of its
 * title, beside sections of the specification: `account §4, A2, 1.2 TOTP replay: the same code …`.
 */
import { drawTable, drawTests, listTitles, read, type Title } from './titles.ts';

export const CASES_PAGE = 'docs/security/cases.md';

export interface SecurityCase {
  id: string;
  what: string;
  /** What of it no test shows, and why; empty where all of it is shown. */
  left?: string;
}

export interface NamedTest extends Title {
  /** As the head of the title names them, known or not. */
  ids: string[];
}

/** Cases by letter, and faults that happened elsewhere. */
export function listCases(): { cases: SecurityCase[]; faults: SecurityCase[] } {
  return JSON.parse(read('docs/security/cases.json')) as { cases: SecurityCase[]; faults: SecurityCase[] };
}

/** All titles that name a case. */
export function listNamedTests(): NamedTest[] {
  return listTitles()
    .map((one) => ({ ...one, ids: idsOf(one.title) }))
    .filter(({ ids }) => ids.length > 0);
}

function idsOf(title: string): string[] {
  const [head, ...rest] = title.split(': ');
  return rest.length === 0 ? [] : head!.split(', ').filter((part) => /^([A-H]\d{1,2}|1\.2 .+)$/.test(part));
}

/** The page, to the letter. */
export function drawCases(): string {
  const { cases, faults } = listCases();
  const tests = listNamedTests();
  const row = ({ id, what, left }: SecurityCase) => {
    const shown = tests.filter(({ ids }) => ids.includes(id)).map(({ file, title }) => ({ file, title: withoutHead(title) }));
    return [id, what, drawTests(shown), left ?? ''];
  };
  const table = (list: SecurityCase[]) => drawTable(['id', 'case', 'shown by', 'left out, and why'], list.map(row));
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

const withoutHead = (title: string): string => title.slice(title.indexOf(': ') + 2);
