import { expect, test } from 'vitest';
import { toCsv } from './csv.ts';

test('a file opens as UTF-8 and has Windows line ends', () => {
  expect(toCsv(['Näme', 'n'], [['Zoë', 1]])).toBe('\uFEFFNäme,n\r\nZoë,1\r\n');
});
test('commas, quotes and line breaks stay inside their cell', () => {
  expect(toCsv(['a'], [['x, "y"\nz']])).toBe('\uFEFFa\r\n"x, ""y""\nz"\r\n');
});
test('a text that a spreadsheet would run is disarmed, a negative amount is not', () => {
  expect(toCsv(['a', 'b', 'c', 'd', 'e'], [['=1+1', '+1 555', '@cmd', '-2+3', '-1.50']])).toContain("'=1+1,'+1 555,'@cmd,'-2+3,-1.50");
});
