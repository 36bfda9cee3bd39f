/** Leads in doubt are looked at twice, each time once they have been so for a while, and again where that was not possible. */
import { expect, it } from 'vitest';
import { openDoubts } from './doubts.ts';

const NONE = new Map();

it('are taken after a while, by organization, and once more after another', () => {
  let now = 0;
  const doubts = openDoubts(() => now);
  doubts.add('one', 'a');
  now = 3_000;
  doubts.add('two', 'b');
  doubts.add('one', 'c');
  expect(doubts.take(5_000)).toEqual(NONE);
  now = 5_000;
  expect(doubts.take(5_000)).toEqual(new Map([['one', ['a']]]));
  expect(doubts.take(5_000)).toEqual(NONE);
  now = 10_000;
  const all = new Map([
    ['two', ['b']],
    ['one', ['c', 'a']],
  ]);
  expect(doubts.take(5_000)).toEqual(all);
  now = 15_000;
  expect(doubts.take(5_000)).toEqual(
    new Map([
      ['two', ['b']],
      ['one', ['c']],
    ]),
  );
  now = 30_000;
  expect(doubts.take(0)).toEqual(NONE);
});

it('what could not be looked at is taken at once, and twice still', () => {
  let now = 0;
  const doubts = openDoubts(() => now);
  doubts.add('one', 'a');
  const first = doubts.take(0);
  doubts.putBack(first);
  expect(doubts.take(5_000)).toEqual(first);
  now = 5_000;
  expect(doubts.take(5_000)).toEqual(first);
  expect(doubts.take(0)).toEqual(NONE);
});

it('of more than can be kept the oldest are left out', () => {
  const doubts = openDoubts(() => 0);
  for (let at = 0; at < 50_001; at++) doubts.add('one', String(at));
  const [[, ids] = []] = doubts.take(0);
  expect([ids?.length, ids?.[0]]).toEqual([50_000, '1']);
});
