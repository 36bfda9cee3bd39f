import { describe, expect, test } from 'vitest';
import { isDigitKey, keepAmount, keepDigits, keepNumber } from './number-text.ts';

describe('console §5: numeric input', () => {
  test.each([
    ['12a3', '123'],
    ['-4.5', '45'],
    ['', ''],
    ['٣', ''],
    [' 007 ', '007'],
  ])('%j strips to %j', (typed, kept) => expect(keepDigits(typed)).toBe(kept));
  test('the second variant is empty when nothing remains', () => {
    expect([keepNumber('abc'), keepNumber('0'), keepNumber('0042x')]).toEqual(['', 0, 42]);
  });
  test('keys: digits, backspace and delete, and what types nothing', () => {
    for (const key of ['0', '9', 'Backspace', 'Delete', 'Tab', 'ArrowLeft', 'Enter']) expect([key, isDigitKey(key)]).toEqual([key, true]);
    for (const key of ['a', '.', '-', 'e', ' ', '٣']) expect([key, isDigitKey(key)]).toEqual([key, false]);
  });
});

describe('console §5, §9: floating-number input', () => {
  test.each([
    ['.', ''],
    ['12.', '12.'],
    ['.5', '0.5'],
    ['1.2.3', '1.23'],
    ['1234567890.12345', '123456789.1234'],
    ['$1,250.50', '1250.50'],
    ['12,50', '12.50'],
    ['1.250,00', '1250.00'],
    ['1.250.000,5 €', '1250000.5'],
    ['1 250,00', '1250.00'],
    ['1,250', '1250'],
    ['1,250,000', '1250000'],
    ['12,', '12'],
    ['-3', '3'],
    ['1e5', '15'],
    ['..', ''],
  ])('%j becomes %j', (typed, kept) => expect(keepAmount(typed)).toBe(kept));
});
