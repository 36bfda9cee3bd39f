import { expect, test } from 'vitest';
import { parseSearch, stringifySearch } from './search-text.ts';

test.each(['1e5', '12345678901234567890', '0123', 'true', 'null', 'a b&c=d', '"quoted"'])('%s comes back as it went', (value) => {
  expect(parseSearch(stringifySearch({ q: value }))).toEqual({ q: value });
});
test('a repeated name is a list, and nothing is written for nothing', () => {
  expect(parseSearch('?a=1&a=2')).toEqual({ a: ['1', '2'] });
  expect(stringifySearch({ a: undefined, b: null, c: '', d: ['x', 'y'] })).toBe('?d=x&d=y');
  expect(stringifySearch({})).toBe('');
});
test('an empty value that says "of none" is written and comes back', () => {
  const none = { subId: '', state: '', variantId: '', reason: '', publisherId: '', buyerTierId: '', bin: '' };
  expect(parseSearch(stringifySearch({ ...none, q: '', processorId: '' }))).toEqual(none);
});
