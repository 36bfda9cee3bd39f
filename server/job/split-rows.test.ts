import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCsvLine } from '#contract/csv-read.ts';
import { findRows } from './split-rows.ts';

const all = (bytes: Buffer, isEnd = true) => findRows(bytes, 1, 1_000_000, ',', isEnd);
const texts = (body: string) => all(Buffer.from(body)).rows.map(({ line, text }) => [line, text]);

test('rows end where a line does, unless inside quotes; lines are counted as an editor counts them', () => {
  expect(texts('a,b\r\n"c\nd",e\n\nlast')).toEqual([
    [1, 'a,b'],
    [2, '"c\nd",e'],
    [4, ''],
    [5, 'last'],
  ]);
});

test('a quote in the middle of a cell opens nothing', () => {
  expect(texts('5" pipe,x\nnext,"a ""b"" c"\n')).toEqual([
    [1, '5" pipe,x'],
    [2, 'next,"a ""b"" c"'],
  ]);
});

test('a quote that is never closed costs its line, and the rest is read', () => {
  const found = all(Buffer.from(`"open\n${'x\n'.repeat(40_000)}`));
  expect(found.rows[0]).toEqual({ line: 1, text: undefined });
  expect(found.rows.slice(1, 3)).toEqual([
    { line: 2, text: 'x' },
    { line: 3, text: 'x' },
  ]);
  expect(found.rows.length).toBe(40_001);
});

test('a byte that is no UTF-8 is read as older spreadsheets wrote it', () => {
  expect(all(Buffer.from([0x4d, 0xfc, 0x6e, 0x0a])).rows).toEqual([{ line: 1, text: 'Mün' }]);
});

test('the same rows come out wherever the file is cut into parts', () => {
  const cell = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('a"b', 'x,y', 'two\nlines', 'é', ''));
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { maxLength: 12 }), fc.nat(40), fc.nat(4), (rows, cut, most) => {
      const written = rows.map((cells) => cells.map((one) => `"${one.replaceAll('\r', '').replaceAll('"', '""')}"`).join(','));
      const bytes = Buffer.from(written.map((row) => `${row}\n`).join(''));
      const whole = all(bytes).rows;
      const read: typeof whole = [];
      let [at, line, end] = [0, 1, Math.min(cut, bytes.length)];
      while (at < bytes.length) {
        const found = findRows(bytes.subarray(at, end), line, most + 1, ',', end === bytes.length);
        read.push(...found.rows);
        line += found.lines;
        at += found.bytes;
        if (found.bytes === 0) end = Math.min(end + cut + 1, bytes.length);
      }
      expect(read).toEqual(whole);
      expect(read.map(({ text }) => splitCsvLine(text!, ','))).toEqual(rows.map((cells) => cells.map((one) => one.replaceAll('\r', ''))));
    }),
  );
});
