import fc from 'fast-check';
import { expect, it } from 'vitest';
import { csvLine } from '#contract/csv.ts';
import { readCsv } from './read-csv.ts';

it('reads back what a spreadsheet writes, whatever stands in a cell', () => {
  const cell = fc.string().map((text) => text.trim().replaceAll('\r', '').replaceAll('\0', ''));
  const row = fc.array(cell, { minLength: 3, maxLength: 3 }).filter((cells) => cells.some((one) => one !== ''));
  fc.assert(
    fc.property(fc.array(row, { maxLength: 8 }), (rows) => {
      const text = [
        'head,of,file\r\n',
        ...rows.map((cells) => `${cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(',')}\r\n`),
      ].join('');
      expect(
        readCsv(text)
          ?.slice(1)
          .map(({ cells }) => cells),
      ).toEqual(rows);
    }),
  );
});

it('knows where a row begins, and takes semicolons and tabs', () => {
  expect(readCsv('\uFEFFlead;reason\r\n"a\nb";x\r\n\r\nc;"y;z"\n')).toEqual([
    { line: 1, cells: ['lead', 'reason'] },
    { line: 2, cells: ['a\nb', 'x'] },
    { line: 5, cells: ['c', 'y;z'] },
  ]);
  expect(readCsv(csvLine(['a', 'b;c']))).toEqual([{ line: 1, cells: ['a', 'b;c'] }]);
  expect(readCsv('a\tb\n1\t2')?.[1]?.cells).toEqual(['1', '2']);
});

it('does not guess where a quote is never closed', () => {
  expect(readCsv('a,b\n"c,d\n')).toBeUndefined();
});
