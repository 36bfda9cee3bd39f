/**
 * How far the requirements of OWASP ASVS 5.0, levels 1 and 2, are met, and what shows it. They stand in docs/security/asvs.json, in words of our own, with the tests
 * (a part of a title, by file) and the files that show them; the standing of each follows from that.
 */
import { drawTable, drawTests, inCell, listTitles, read, type Title } from './titles.ts';

export const ASVS_PAGE = 'docs/security/asvs.md';

export interface Chapter {
  id: string;
  name: string;
  requirements: Requirement[];
}

export interface Requirement {
  /** "6.2.4". */
  id: string;
  level: 1 | 2;
  /** What is asked for, in one line. */
  asks: string;
  /** Parts of titles, by the file that they stand in. */
  tests?: Record<string, string[]>;
  /** Where it is a matter of writing, configuration or what there is not: what says so. */
  files?: string[];
  /** What is not met yet, and what would have to be done. */
  open?: string;
  /** Why it does not apply. */
  outside?: string;
}

export const STANDINGS = ['met', 'in part', 'open', 'does not apply'] as const;
export type Standing = (typeof STANDINGS)[number];

export function listChapters(): Chapter[] {
  return JSON.parse(read('docs/security/asvs.json')) as Chapter[];
}

/** Undefined where the row says too little, or two things at once. */
export function standingOf({ tests, files, open, outside }: Requirement): Standing | undefined {
  const isShown = tests !== undefined || files !== undefined;
  if (outside !== undefined) return isShown || open !== undefined ? undefined : 'does not apply';
  if (isShown) return open === undefined ? 'met' : 'in part';
  return open === undefined ? undefined : 'open';
}

/** The whole titles that a row names a part of; one without a title is none that there is. */
export function findShown({ tests = {} }: Requirement, titles: Title[]): { file: string; part: string; title: string | undefined }[] {
  return Object.entries(tests).flatMap(([file, parts]) =>
    parts.map((part) => ({ file, part, title: titles.find((one) => one.file === file && one.title.includes(part))?.title })),
  );
}

/** The page, to the letter. */
export function drawAsvs(): string {
  const chapters = listChapters();
  const titles = listTitles();
  const row = (requirement: Requirement) => {
    const shown = findShown(requirement, titles).map(({ file, part, title }) => ({ file, title: title ?? part }));
    const files = (requirement.files ?? []).map((file) => `\`${file}\``);
    const left = requirement.open ?? requirement.outside ?? '';
    const standing = standingOf(requirement) ?? '';
    return [
      requirement.id,
      requirement.level,
      requirement.asks,
      standing,
      [drawTests(shown), ...files].filter(Boolean).join('<br>'),
      inCell(left),
    ];
  };
  const parts = chapters.map(({ id, name, requirements }) => {
    const heads = ['id', 'level', 'asked for', 'standing', 'shown by', 'open, or why it does not apply'];
    return `## ${id} ${name}\n\n${drawTable(heads, requirements.map(row))}`;
  });
  return `# OWASP ASVS 5.0, levels 1 and 2: how far they are met

Drawn by \`npm run cases\` from docs/security/asvs.json and the titles of the tests; test/walls/asvs.test.ts fails where a requirement is missing, a test or file that is named is not there, or this page is stale. The ids and levels are those of
[OWASP ASVS](https://github.com/OWASP/ASVS) 5.0.0; what each asks for is told in our own words and in short, so read the requirement itself before you rely on a row. It is a judgement of our own, by no outside body. "Met" says that what is named shows it;
"in part" that something of it is open; what no test or file shows is not said to be met. Level 3 is left out. What is decided is in [controls.md](controls.md), cases of attack in [cases.md](cases.md).

${drawCounts(chapters)}

${parts.join('\n\n')}
`;
}

function drawCounts(chapters: Chapter[]): string {
  const counts = (requirements: Requirement[]) =>
    ([1, 2] as const).flatMap((level) =>
      STANDINGS.map((standing) => requirements.filter((one) => one.level === level && standingOf(one) === standing).length),
    );
  const heads = ['chapter', ...['level 1', 'level 2'].flatMap((level) => STANDINGS.map((standing) => `${level}: ${standing}`))];
  const rows = chapters.map(({ id, name, requirements }) => [`${id} ${name}`, ...counts(requirements)]);
  return drawTable(heads, [...rows, ['all', ...counts(chapters.flatMap(({ requirements }) => requirements))]]);
}
