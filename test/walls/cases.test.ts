/** docs/security/cases.md: every case of attack and fault has a test that names it, and the page says which. */
import { describe, expect, it } from 'vitest';
import { CASES_PAGE, drawCases, listCases, listNamedTests } from '../../bin/cases.ts';
import { read, titlesIn } from '../../bin/titles.ts';

const { cases, faults } = listCases();
const all = [...cases, ...faults];
const tests = listNamedTests();

describe('cases of attack and fault', () => {
  it('stand by letter and number without a gap, each once', () => {
    const letters = { A: 12, B: 7, C: 9, D: 10, E: 13, F: 8, G: 10, H: 5 };
    const expected = Object.entries(letters).flatMap(([letter, count]) => Array.from({ length: count }, (_, at) => `${letter}${at + 1}`));
    expect(cases.map(({ id }) => id)).toEqual(expected);
    expect(faults).toHaveLength(23);
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length);
  });

  it.each(all)('$id has a test that names it', ({ id }) => {
    expect(tests.filter(({ ids }) => ids.includes(id))).not.toEqual([]);
  });

  it('no title names a case that there is not, or names one elsewhere than in its head', () => {
    const known = new Set(all.map(({ id }) => id));
    expect(tests.filter(({ ids }) => !ids.every((id) => known.has(id)))).toEqual([]);
    const files = new Set(tests.map(({ file }) => file));
    const elsewhere = [...files].flatMap((file) =>
      titlesIn(read(file)).filter((title) => /\([A-H]\d{1,2}(, [A-H]\d{1,2})*\)|\breliability [A-H]\d/.test(title)),
    );
    expect(elsewhere).toEqual([]);
  });

  it('the page is as the tests are (npm run cases)', () => {
    expect(read(CASES_PAGE)).toBe(drawCases());
  });

  it('a title is found however its test is written', () => {
    const title = 'A1, 1.2 race: it’s \\' + "'so\\'";
    const written = [`it('${title}', () => {})`, `it.each([1])('${title}', f)`, `])(\n  '${title}',`, `test.each(corpus)("B1: x", f)`];
    expect(titlesIn(written.join('\n'))).toEqual([title, title, title, 'B1: x']);
  });
});
