/** docs/security/asvs.md: every requirement of OWASP ASVS 5.0 at levels 1 and 2 has its row, and what a row names is there. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ASVS_PAGE, drawAsvs, findShown, listChapters, type Requirement, standingOf } from '../../bin/asvs.ts';
import { listTitles, read } from '../../bin/titles.ts';

const ROOT = join(import.meta.dirname, '..', '..');

/** The level of each requirement of a section, in order: facts of the standard, version 5.0.0. */
const LEVELS: Record<string, string> = {
  ...{ '1.1': '22', '1.2': '1111122223', '1.3': '112222222223', '1.4': '222', '1.5': '123' },
  ...{ '2.1': '122', '2.2': '112', '2.3': '12223', '2.4': '23' },
  ...{ '3.1': '3', '3.2': '113', '3.3': '12223', '3.4': '11222233', '3.5': '11122333', '3.6': '3', '3.7': '22333' },
  ...{ '4.1': '12233', '4.2': '23333', '4.3': '22', '4.4': '1222' },
  ...{ '5.1': '2', '5.2': '112333', '5.3': '113', '5.4': '222' },
  ...{
    '6.1': '122',
    '6.2': '111111112222',
    '6.3': '11223333',
    '6.4': '112233',
    '6.5': '22222333',
    '6.6': '2223',
    '6.7': '33',
    '6.8': '2222',
  },
  ...{ '7.1': '222', '7.2': '1111', '7.3': '22', '7.4': '11222', '7.5': '223', '7.6': '22' },
  ...{ '8.1': '1233', '8.2': '1123', '8.3': '133', '8.4': '23' },
  ...{ '9.1': '111', '9.2': '1222' },
  ...{ '10.1': '22', '10.2': '223', '10.3': '22223', '10.4': '1111122222233333', '10.5': '22222', '10.6': '22', '10.7': '222' },
  ...{ '11.1': '2233', '11.2': '22233', '11.3': '11233', '11.4': '1222', '11.5': '23', '11.6': '23', '11.7': '33' },
  ...{ '12.1': '12233', '12.2': '11', '12.3': '22223' },
  ...{ '13.1': '2333', '13.2': '222223', '13.3': '2233', '13.4': '1222233' },
  ...{ '14.1': '22', '14.2': '12223333', '14.3': '122' },
  ...{ '15.1': '12233', '15.2': '12233', '15.3': '1222222', '15.4': '3333' },
  ...{ '16.1': '2', '16.2': '22222', '16.3': '2222', '16.4': '222', '16.5': '2223' },
  ...{ '17.1': '23', '17.2': '22223333', '17.3': '22' },
};

const all = Object.entries(LEVELS).flatMap(([section, levels]) =>
  [...levels].map((level, at) => ({ id: `${section}.${at + 1}`, level: Number(level) })),
);
const chapters = listChapters();
const rows = chapters.flatMap(({ requirements }) => requirements);
const titles = listTitles();

describe('OWASP ASVS 5.0, levels 1 and 2', () => {
  it('has each requirement once, in order, with its level, in its chapter', () => {
    expect([1, 2, 3].map((level) => all.filter((one) => one.level === level).length)).toEqual([70, 183, 92]);
    expect(rows.map(({ id, level }) => ({ id, level }))).toEqual(all.filter(({ level }) => level < 3));
    for (const { id, requirements } of chapters) expect(requirements.filter((one) => `V${one.id.split('.')[0]}` !== id)).toEqual([]);
  });

  it('says of each what is asked for, in one line of our own, and how it stands', () => {
    expect(rows.filter((row) => standingOf(row) === undefined)).toEqual([]);
    const texts = rows.flatMap(({ asks, open, outside }) => [asks, open, outside].filter((text) => text !== undefined));
    // The sentences of the standard begin like this, and are under another licence.
    expect(texts.filter((text) => text.trim() === '' || /\n/.test(text) || /^verify that\b/i.test(text))).toEqual([]);
    expect(
      rows.filter(({ tests, files }) => Object.values(tests ?? { _: [''] }).some((parts) => parts.length === 0) || files?.length === 0),
    ).toEqual([]);
  });

  it('names tests and files that there are', () => {
    const lost = rows.flatMap((row) =>
      findShown(row, titles)
        .filter(({ title }) => title === undefined)
        .map(({ file, part }) => `${row.id}: ${file}: ${part}`),
    );
    expect(lost).toEqual([]);
    expect(
      rows.flatMap(({ id, files = [] }) => files.filter((file) => !existsSync(join(ROOT, file))).map((file) => `${id}: ${file}`)),
    ).toEqual([]);
  });

  it('is named by tests with ids that there are, in rows that name them back', () => {
    const named = titles.flatMap(({ file, title }) => {
      const ids = /^ASVS 5\.0 ([\d., ]+): /.exec(title)?.[1]?.split(', ') ?? [];
      return ids.map((id) => ({ file, title, id }));
    });
    const names = (id: string, file: string, title: string) =>
      rows.some((row) => row.id === id && row.tests?.[file]?.some((part) => title.includes(part)));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(({ id, file, title }) => !names(id, file, title))).toEqual([]);
  });

  it('how a row stands follows from what it holds', () => {
    const row: Requirement = { id: '1.1.1', level: 1, asks: 'x' };
    const tests = { 'a.test.ts': ['x'] };
    expect(
      [{}, { tests }, { files: ['x'] }, { tests, open: 'x' }, { open: 'x' }, { outside: 'x' }, { outside: 'x', tests }].map((one) =>
        standingOf({ ...row, ...one }),
      ),
    ).toEqual([...[undefined, 'met', 'met', 'in part', 'open', 'does not apply', undefined]]);
  });

  it('what is decided names files that there are', () => {
    const files = [...read('docs/security/controls.md').matchAll(/`((?:server|engine|contract|db|test|web)\/[\w./-]+)`/g)].map(
      ([, file]) => file!,
    );
    expect(files.length).toBeGreaterThan(10);
    expect(files.filter((file) => !existsSync(join(ROOT, file)))).toEqual([]);
  });

  it('the page is as the rows and the tests are (npm run cases)', () => {
    expect(read(ASVS_PAGE)).toBe(drawAsvs());
  });
});
