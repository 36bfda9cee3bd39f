import { expect, test } from 'vitest';
import { differences, placeName } from './value-difference.ts';

test('of a long document only what changed is told, place by place', () => {
  const before = { post: { url: 'a', method: 'POST', rows: [{ to: 'x' }] }, secrets: [] };
  const after = { post: { url: 'b', method: 'POST', rows: [{ to: 'x' }, { to: 'y' }] }, secrets: [] };
  expect(differences(before, after, 'endpoint')).toEqual([
    { place: 'endpoint.post.url', before: 'a', after: 'b' },
    { place: 'endpoint.post.rows.1', before: undefined, after: { to: 'y' } },
  ]);
  expect(differences(null, { a: 1 }, 'hours')).toEqual([{ place: 'hours', before: null, after: { a: 1 } }]);
  expect(differences({ a: 1 }, { a: 1 }, 'x')).toEqual([]);
});

test('places are read as words', () => {
  expect([placeName('timeLimitMs'), placeName('endpoint.post.url')]).toEqual(['Time limit ms', 'Endpoint › post › url']);
});
