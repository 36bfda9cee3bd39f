import { expect, test } from 'vitest';
import { FILTER_VALUES_MOST } from '#contract/tier.ts';
import { ADDRESS_LIST, listPasted, OPTION_LIST, sayTaken, takeValues } from './value-list.ts';

test('console §4 (conditional filter): a pasted list is taken from lines, commas and tabs, each value once', () => {
  const taken = takeValues(' 90210, 10001;10001\r\n"60601"\n\n,\t94105 ', ['10001', 'kept']);
  expect(taken).toEqual({ values: ['10001', 'kept', '90210', '60601', '94105'], taken: 3, doubles: 2, tooLong: 0, over: 0 });
  expect(sayTaken(taken)).toBe('3 values taken; left out: 2 were there already.');
  expect(sayTaken(takeValues('one'))).toBe('1 value taken.');
});

test('account §9: what is longer than 500 characters, and what does not fit, is left out and said', () => {
  const text = Array.from({ length: FILTER_VALUES_MOST + 7 }, (_, at) => `v${at}`).join('\n');
  const started = performance.now();
  const taken = takeValues(`${'x'.repeat(501)}\n${'y'.repeat(500)}\n${text}`);
  expect(performance.now() - started).toBeLessThan(500);
  expect([taken.values.length, taken.tooLong, taken.over]).toEqual([FILTER_VALUES_MOST, 1, 8]);
  expect(sayTaken(taken)).toBe('10000 values taken; left out: 1 is longer than 500 characters, 8 are beyond the 10000 that fit.');
});

test('addresses are pasted by lines, blanks or commas; options keep their blanks', () => {
  expect(takeValues('203.0.113.7 203.0.113.0/24\r\n2001:db8::1,1.2.3', [], ADDRESS_LIST).values).toEqual([
    ...['203.0.113.7', '203.0.113.0/24', '2001:db8::1', '1.2.3'],
  ]);
  expect(takeValues('Full time\nPart time', ['Part time'], OPTION_LIST).values).toEqual(['Part time', 'Full time']);
  const many = Array.from({ length: 101 }, (_, at) => `10.0.0.${at}`).join('\n');
  expect(sayTaken(takeValues(many, [], ADDRESS_LIST), String, ADDRESS_LIST)).toBe(
    '100 values taken; left out: 1 is beyond the 100 that fit.',
  );
});

test('a single value is pasted like any text, a list as a list', () => {
  const paste = (text: string) => listPasted({ clipboardData: { getData: () => text } as unknown as DataTransfer }, OPTION_LIST);
  expect([paste('Full time'), paste('Full time\n'), paste('One\nTwo')]).toEqual([null, null, 'One\nTwo']);
});
