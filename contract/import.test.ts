import { describe, expect, test } from 'vitest';
import { splitCsvLine } from './csv-read.ts';
import { columnProblem, guessImport, type ImportKind, splitLine } from './import.ts';

describe('columns are guessed', () => {
  test.each<[string, ImportKind, string, Record<string, number>, string]>([
    ['plain lines', 'suppressionImport', 'ada@example.com', { value: 0 }, ','],
    ['an e-mail among others', 'suppressionImport', 'First Name;E-Mail Address;Expires On', { value: 1, expires: 2 }, ';'],
    ['hashes', 'suppressionImport', 'md5_hash', { value: 0 }, ','],
    [
      'a public BIN list',
      'binImport',
      'BIN,Brand,Type,Category,Issuer,IssuerPhone,IssuerUrl,isoCode2,isoCode3,CountryName',
      { first: 0, scheme: 1, type: 2, category: 3, issuer: 4, country: 7 },
      ',',
    ],
    [
      'ranges',
      'binImport',
      'iin_start,iin_end,number_length,number_luhn,scheme,brand,type,prepaid,country,bank_name,bank_logo',
      { first: 0, last: 1, scheme: 4, type: 6, country: 8, issuer: 9 },
      ',',
    ],
    ['codes of countries', 'binImport', 'bin\tbank_name\talpha_2', { first: 0, issuer: 1, country: 2 }, '\t'],
    ['routing numbers', 'bankImport', '"Routing Number","Customer Name",State', { code: 0, name: 1 }, ','],
    ['sort codes', 'bankImport', 'Sort code|Bank name|Move', { code: 0, name: 1, move: 2 }, '|'],
  ])('of %s', (_what, kind, header, columns, delimiter) => {
    const guessed = guessImport(kind, ['', header, 'x']);
    expect(guessed).toMatchObject({ columns, delimiter });
    expect(guessed.hasHeader).toBe(_what !== 'plain lines');
    expect(columnProblem(kind, guessed.columns)).toBeUndefined();
  });

  test('a row of values names no column', () => {
    expect(guessImport('binImport', ['457173,VISA,DEBIT', '457174,VISA,DEBIT'])).toEqual({
      delimiter: ',',
      hasHeader: false,
      columns: { first: 0 },
    });
  });
});

/** As the files have them: names and places invented, widths and kinds of characters not. */
const FEDACH = `021000018O0210000180040419000000000${'HARBOUR SAVINGS BANK'.padEnd(36)}${'1 PIER STREET'.padEnd(36)}${'NEW YORK'.padEnd(20)}NY10286000021255501001${'1     '}`;
const FEDWIRE = `021000018HARBOUR SVGS      ${'HARBOUR SAVINGS BANK'.padEnd(36)}NY${'NEW YORK'.padEnd(25)}Y Y20040910`;

describe('console §2 bank-mgmt: public lists without separators', () => {
  test.each([
    ['fedach', FEDACH, { code: 0, name: 6 }],
    ['fedach', FEDACH.trimEnd(), { code: 0, name: 6 }],
    ['fedwire', FEDWIRE, { code: 0, name: 2 }],
    ['fedwire', FEDWIRE.slice(0, 93), { code: 0, name: 2 }],
  ] as const)('a line of %s is known, and cut at its places', (delimiter, line, columns) => {
    expect(guessImport('bankImport', ['', line])).toEqual({ delimiter, hasHeader: false, columns });
    const cells = splitLine(line, delimiter);
    expect([cells[columns.code], cells[columns.name]]).toEqual(['021000018', 'HARBOUR SAVINGS BANK']);
  });

  test.each([
    ['another list', 'binImport', FEDACH],
    ['a bare number', 'bankImport', '021000018'],
    ['a number and a name', 'bankImport', `021000018 ${'HARBOUR SAVINGS BANK'.padEnd(140)}`],
    ['cells', 'bankImport', '021000018,O,021000018,HARBOUR SAVINGS BANK'],
  ] as const)('%s is no such line', (_what, kind, line) => {
    expect(guessImport(kind, [line]).delimiter).toBe(',');
  });
});

test.each<[ImportKind, Record<string, number>, string | undefined]>([
  ['bankImport', { code: 3 }, undefined],
  ['bankImport', { name: 0 }, 'Say which column holds: Routing number or sort code.'],
  ['bankImport', { code: 0, name: 0 }, 'One column of the file is chosen twice.'],
  ['bankImport', { code: 0, value: 1 }, 'There is no column "value" in this import.'],
])('a choice of columns that cannot be is told: %s %j', (kind, columns, problem) => {
  expect(columnProblem(kind, columns)).toBe(problem);
});

test.each([
  ['a,b', ',', ['a', 'b']],
  [' a ;"b; c" ;', ';', ['a', 'b; c', '']],
  ['"say ""hi""",2', ',', ['say "hi"', '2']],
  ['5" pipe,x', ',', ['5" pipe', 'x']],
  ['', ',', ['']],
])('a line of CSV: %s', (line, delimiter, cells) => {
  expect(splitCsvLine(line, delimiter)).toEqual(cells);
});
