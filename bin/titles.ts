/** The titles of all tests, suites and stories, and the tables that are drawn of them. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..');

export interface Title {
  file: string;
  title: string;
}

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

export function listTitles(): Title[] {
  const found = globSync(['{engine,contract,server,web,db,test}/**/*.test.{ts,tsx}', 'engine/scenarios/*.json'], { cwd: ROOT }).sort();
  // Its titles are examples.
  const files = found.filter((file) => file !== 'test/walls/cases.test.ts');
  return files.flatMap((file) => titlesIn(read(file)).map((title) => ({ file, title })));
}

export function titlesIn(source: string): string[] {
  const calls = source.matchAll(/(?:\b(?:test|it|describe|holds)|[\])])\(\s*(['"`])((?:\\.|(?!\1)[^\n])*)\1/g);
  const stories = source.matchAll(/^ {2}"title": (")((?:\\.|[^"\n])*)"/gm);
  return [...calls, ...stories].map(([, , title]) =>
    title!.replace(/\\u([0-9a-f]{4})/gi, (_, code) => String.fromCharCode(parseInt(code, 16))),
  );
}

/** Markdown; a cell holds what it is given. */
export function drawTable(heads: string[], rows: (string | number)[][]): string {
  const line = (cells: (string | number)[]) => `| ${cells.join(' | ')} |`;
  return [line(heads), `|${'---|'.repeat(heads.length)}`, ...rows.map(line)].join('\n');
}

/** Tests in a cell, by file. */
export function drawTests(tests: Title[]): string {
  const byFile = [...Map.groupBy(tests, ({ file }) => file)];
  return byFile.map(([file, own]) => `\`${file}\`: ${own.map(({ title }) => inCell(title)).join(' · ')}`).join('<br>');
}

export function inCell(text: string): string {
  return text
    .replace(/\\(['"`\\])/g, '$1')
    .replaceAll('|', '\\|')
    .replaceAll('<', '&lt;');
}
