import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addMoney, formatMoney, isMoney, MONEY_MAX, parseMoney, percentOf, tellSum } from './money.ts';

describe('console §5: money is a decimal of 9 integer and 4 fraction digits', () => {
  test.each([
    ['12.5', 125_000],
    ['0', 0],
    ['0.0001', 1],
    ['999999999.9999', MONEY_MAX],
    ['007.10', 71_000],
    ['-5', -50_000],
    ['-0', 0],
  ])('%s is %d ten-thousandths', (text, amount) => expect(parseMoney(text)).toBe(amount));

  test.each([
    '',
    '.',
    '.5',
    '5.',
    '1e3',
    'NaN',
    '1,250.00',
    '$12',
    '12.34567',
    '1000000000',
    '0x10',
    ' 1',
    '١٢',
    '1.2.3',
    '+1',
    '--1',
    'Infinity',
  ])('%j is no amount', (text) => expect(parseMoney(text)).toBeUndefined());

  test.each([
    [125_000, '12.50'],
    [1, '0.0001'],
    [0, '0.00'],
    [12_340, '1.234'],
    [-125_000, '-12.50'],
    [MONEY_MAX, '999999999.9999'],
  ])('%d is written %s', (amount, text) => expect(formatMoney(amount)).toBe(text));

  test('every amount reads back as itself', () => {
    fc.assert(
      fc.property(fc.integer({ min: -MONEY_MAX, max: MONEY_MAX }), (amount) => {
        expect(parseMoney(formatMoney(amount))).toBe(amount);
      }),
    );
  });
});

test('D5: 0.1 + 0.2 is 0.3', () => {
  expect(formatMoney(addMoney(parseMoney('0.1')!, parseMoney('0.2')!))).toBe('0.30');
});

test('a sum beyond exact arithmetic is a broken promise', () => {
  expect(() => addMoney(Number.MAX_SAFE_INTEGER, 1)).toThrow(RangeError);
});

test.each([[Number.NaN], [0.5], [Number.POSITIVE_INFINITY], [1e15], ['1'], [null], [undefined]])(
  '%j from outside is not money',
  (value) => {
    expect(isMoney(value)).toBe(false);
  },
);

test('percent rounds as it is told, half away from zero', () => {
  expect(percentOf(1, 50, 'down')).toBe(0);
  expect(percentOf(1, 50, 'half')).toBe(1);
  expect(percentOf(-1, 50, 'half')).toBe(-1);
  expect(percentOf(1, 49.9999, 'half')).toBe(0);
  expect(percentOf(1, 0.0001, 'up')).toBe(1);
  expect(percentOf(100_100, 33.3333, 'down')).toBe(33_366);
  expect(percentOf(MONEY_MAX, 100, 'half')).toBe(MONEY_MAX);
});

test('the two parts of a percent, one rounded down and one up, never exceed the whole', () => {
  const part = fc.integer({ min: 0, max: 1_000_000 }).map((steps) => steps / 10_000);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: MONEY_MAX }), part, (amount, percent) => {
      const down = percentOf(amount, percent, 'down');
      expect(amount - down).toBe(percentOf(amount, (1_000_000 - Math.round(percent * 10_000)) / 10_000, 'up'));
    }),
  );
});

test('a sum of whatever size is told as an amount is', () => {
  expect(['0', '18.5000', '0.1250', '-3.5', '4999999999999.9995', '12'].map(tellSum)).toEqual([
    ...['0.00', '18.50', '0.125', '-3.50', '4999999999999.9995', '12.00'],
  ]);
  expect(() => tellSum('NaN')).toThrow(RangeError);
});
