import fc from 'fast-check';
import { expect, test } from 'vitest';
import { splitCsvLine } from '#contract/csv-read.ts';
import { type FoundRow, findRows, LONGEST_ROW } from './split-rows.ts';

const all = (bytes: Buffer) => findRows(bytes, { line: 1, most: 1_000_000, cut: ',', isEnd: true });
const texts = (body: string) => all(Buffer.from(body)).rows.map((row) => [row.line, 'text' in row ? row.text : row.problem]);

/** Handed in by parts, `cut` more bytes each time there is too little of it, and `most` rows at a time. */
function inParts(bytes: Buffer, cut: number, most: number) {
  const rows: FoundRow[] = [];
  let [at, line, end, isSkipping] = [0, 1, Math.min(cut, bytes.length), false];
  while (at < bytes.length) {
    const found = findRows(bytes.subarray(at, end), { line, most, cut: ',', isEnd: end === bytes.length, isSkipping });
    rows.push(...found.rows);
    line += found.lines;
    at += found.bytes;
    isSkipping = found.isSkipping;
    if (found.bytes === 0) end = Math.min(end + cut, bytes.length);
  }
  return rows;
}

test('rows end where a line does, unless inside quotes; lines are counted as an editor counts them', () => {
  expect(texts('a,b\r\n"c\nd",e\n\nlast')).toEqual([
    [1, 'a,b'],
    [2, '"c\nd",e'],
    [4, ''],
    [5, 'last'],
  ]);
});

test('console §2 trackProcess: a carriage return alone ends a line, as in files of old Macs, and inside quotes it ends none', () => {
  const rows = [
    [1, 'a,b'],
    [2, '"c\rd",e'],
    [4, ''],
    [5, 'last'],
  ];
  expect(texts('a,b\r"c\rd",e\r\rlast\r')).toEqual(rows);
  expect(texts('a,b\n"c\rd",e\r\r\nlast')).toEqual(rows);
  expect(texts('"open\rx\ry')).toEqual([
    [1, 'openQuote'],
    [2, 'x'],
    [3, 'y'],
  ]);
  const long = 'x'.repeat(LONGEST_ROW);
  for (const end of ['\r', '\r\n', '\n'])
    for (const less of [0, 1, 2])
      for (const quote of ['', '"']) expect(texts(`${quote}${long.slice(less)}${end}real`).at(-1)).toEqual([2, 'real']);
});

test('console §2 trackProcess: a byte order mark before a quote does not keep it from opening a cell', () => {
  for (const mark of ['', '\uFEFF'])
    expect(texts(`${mark}"Alpha\nBeta",x\nGamma,y\n`)).toEqual([
      [1, '"Alpha\nBeta",x'],
      [3, 'Gamma,y'],
    ]);
  expect(texts('\uFEFF')).toEqual([[1, '']]);
});

test('a quote in the middle of a cell opens nothing', () => {
  expect(texts('5" pipe,x\nnext,"a ""b"" c"\n')).toEqual([
    [1, '5" pipe,x'],
    [2, 'next,"a ""b"" c"'],
  ]);
});

test('a quote that is never closed costs its line, and the rest is read', () => {
  const found = all(Buffer.from(`"open\n${'x\n'.repeat(40_000)}`));
  expect(found.rows[0]).toEqual({ line: 1, problem: 'openQuote' });
  expect(found.rows.slice(1, 3)).toEqual([
    { line: 2, text: 'x' },
    { line: 3, text: 'x' },
  ]);
  expect(found.rows.length).toBe(40_001);
});

test('a row that is too long is told once, and nothing of it is read as a row of its own', () => {
  const mails = Array.from({ length: 40_000 }, (_, at) => `x${at}@ex.com`).join(',');
  const body = Buffer.from(`email\n${mails}\nreal@ex.com\n`);
  const rows = [
    { line: 1, text: 'email' },
    { line: 2, problem: 'tooLong' },
    { line: 3, text: 'real@ex.com' },
  ];
  expect(all(body).rows).toEqual(rows);
  for (const cut of [7, 1000, LONGEST_ROW, LONGEST_ROW + 7]) expect(inParts(body, cut, 2)).toEqual(rows);
  expect(texts(`${mails}`)).toEqual([[1, 'tooLong']]);
  expect(texts(`"${mails}"\nreal`)).toEqual([
    [1, 'tooLong'],
    [2, 'real'],
  ]);
  expect(texts(`"a\nb",${mails}\nreal`)).toEqual([
    [1, 'tooLong'],
    [3, 'real'],
  ]);
});

test('a byte that is no UTF-8 is read as older spreadsheets wrote it', () => {
  expect(all(Buffer.from([0x4d, 0xfc, 0x6e, 0x0a])).rows).toEqual([{ line: 1, text: 'Mün' }]);
});

test('the same rows come out wherever the file is cut into parts', () => {
  const cell = fc.oneof(fc.string({ maxLength: 8 }), fc.constantFrom('a"b', 'x,y', 'two\nlines', 'two\r\nlines', 'two\rlines', 'é', ''));
  const written = fc.record({
    rows: fc.array(fc.array(cell, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
    mark: fc.constantFrom('', '\uFEFF'),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  });
  fc.assert(
    fc.property(written, fc.nat(40), fc.nat(4), ({ rows, mark, lineEnd }, cut, most) => {
      const lines = rows.map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(','));
      const bytes = Buffer.from(mark + lines.map((row) => `${row}${lineEnd}`).join(''));
      const whole = all(bytes).rows;
      const read = inParts(bytes, cut + 1, most + 1);
      expect(read).toEqual(whole);
      expect(read.map((row) => splitCsvLine('text' in row ? row.text : '', ','))).toEqual(rows);
    }),
  );
});
