/** docs/wire-quirks.md: what it says is tested somewhere is tested there. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Number and files of each row. */
const rows = [...read('docs/wire-quirks.md').matchAll(/^\| (\d+) \|.*\| ([^|]+) \|$/gm)].map(([, number, files]) => ({
  number: Number(number),
  files: [...files!.matchAll(/`([^`]+)`/g)].map(([, file]) => file!),
}));

/** The rows that titles of tests and of stories name. */
function numbersIn(path: string): number[] {
  const titles = read(path).matchAll(
    /(?:\b(?:test|it|describe)(?:\.each\([^)]*\))?\(\s*|[\])]\)\(\s*|"title": )['"`]wire-quirks ((?:\d+, )*\d+)[:,]/g,
  );
  return [...titles].flatMap(([, list]) => list!.split(', ').map(Number));
}

const tested = globSync(['{engine,contract,server,web,test}/**/*.test.{ts,tsx}', 'engine/scenarios/*.json'], { cwd: ROOT }).flatMap(
  (file) => numbersIn(file).map((number) => ({ file, number })),
);

describe('wire quirks', () => {
  it('are numbered from 1, without a gap', () => {
    expect(rows.length).toBeGreaterThanOrEqual(50);
    expect(rows.map(({ number }) => number)).toEqual(rows.map((_, at) => at + 1));
  });

  it.each(rows)('row $number has a test in each file that it names', ({ number, files }) => {
    expect(files).not.toEqual([]);
    for (const file of files) {
      expect(existsSync(join(ROOT, file)), file).toBe(true);
      expect(numbersIn(file), file).toContain(number);
    }
  });

  it('no title names a row that there is not, or one that does not know of it', () => {
    const unknown = tested.filter(({ file, number }) => !rows.find((row) => row.number === number)?.files.includes(file));
    expect(unknown).toEqual([]);
  });
});
