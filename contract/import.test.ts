import { describe, expect, test } from 'vitest';
import { splitCsvLine } from './csv-read.ts';
import { columnProblem, guessImport, type ImportKind } from './import.ts';

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
