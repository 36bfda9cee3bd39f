import { expect, test } from 'vitest';
import { fieldWords, valueWords } from './field-words.ts';
import { isBoth, isChangedBy, threeSides } from './three-sides.ts';

test('fields and values of a record are said in words, never as JSON', () => {
  expect(['name', 'publisherId', 'qualityFactor', 'caps.0.limit', 'endpoint.post.timeLimitMs'].map(fieldWords)).toEqual([
    'Name',
    'Publisher',
    'Quality factor',
    'Caps › 1 › limit',
    'Endpoint › post › Time limit in ms',
  ]);
  expect([null, '', [], {}, true, 'x', 7, ['a', 'b']].map(valueWords)).toEqual([
    'nothing',
    'nothing',
    'nothing',
    'nothing',
    'yes',
    'x',
    '7',
    'a, b',
  ]);
  const caps = [
    { measure: 'sold', limit: 3, timeZone: 'UTC' },
    { measure: 'spend', limit: '9.5', timeZone: null },
  ];
  expect(valueWords(caps)).toBe('measure: sold, limit: 3, time zone: UTC; measure: spend, limit: 9.5');
});

test('of two who edit one record each side is told where it is not what it was, the place of both first', () => {
  const was = { name: 'A', notes: '', status: 'active', caps: [{ limit: 1, period: 'day' }], same: [1] };
  const theirs = { ...was, notes: 'theirs', caps: [{ limit: 2, period: 'day' }] };
  const yours = { ...was, name: 'B', caps: [{ limit: 3, period: 'day' }] };
  const rows = threeSides(was, theirs, yours);
  expect(rows).toEqual([
    { place: 'caps.0.limit', was: 1, theirs: 2, yours: 3 },
    { place: 'name', was: 'A', theirs: 'A', yours: 'B' },
    { place: 'notes', was: '', theirs: 'theirs', yours: '' },
  ]);
  expect(rows.map((row) => [isBoth(row), isChangedBy(row, 'theirs'), isChangedBy(row, 'yours')])).toEqual([
    [true, true, true],
    [false, false, true],
    [false, true, false],
  ]);
  // A cap that one took out and the other changed is told as a whole, once.
  expect(threeSides(was, { ...was, caps: [] }, yours).map((row) => row.place)).toEqual(['caps', 'name']);
});
