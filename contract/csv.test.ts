import { expect, test } from 'vitest';
import { csvLine } from './csv.ts';

test('account §7: a line of a file has Windows line ends and keeps every letter', () => {
  expect(csvLine(['Zoë', 1, null, true])).toBe('Zoë,1,,true\r\n');
});
test('account §7, F3: commas, quotes and line breaks stay inside their cell', () => {
  expect(csvLine(['x, "y"\nz'])).toBe('"x, ""y""\nz"\r\n');
});
test('account §7, F3: a text that a spreadsheet would run is disarmed, a negative amount is not', () => {
  expect(csvLine(['=1+1', '+1 555', '@cmd', '-2+3', '-1.50'])).toBe("'=1+1,'+1 555,'@cmd,'-2+3,-1.50\r\n");
  expect(csvLine(['a;=1+1', '＝1+1', '\n=1+1'])).toBe(`"a;=1+1",'＝1+1,"'\n=1+1"\r\n`);
});
