/** Leads in doubt are looked at once they have been so for a while, and again where that was not possible. */
import { expect, it } from 'vitest';
import { openDoubts } from './doubts.ts';

it('are taken after a while, by organization, once, and put back they are taken at once', () => {
  let now = 0;
  const doubts = openDoubts(() => now);
  doubts.add('one', 'a');
  now = 3_000;
  doubts.add('two', 'b');
  doubts.add('one', 'c');
  expect(doubts.take(5_000)).toEqual(new Map());
  now = 5_000;
  const first = doubts.take(5_000);
  expect(first).toEqual(new Map([['one', ['a']]]));
  doubts.putBack(first);
  expect(doubts.take(5_000)).toEqual(first);
  now = 8_000;
  expect(doubts.take(5_000)).toEqual(
    new Map([
      ['two', ['b']],
      ['one', ['c']],
    ]),
  );
  expect(doubts.take(0)).toEqual(new Map());
});

it('of more than can be kept the oldest are left out', () => {
  const doubts = openDoubts(() => 0);
  for (let at = 0; at < 50_001; at++) doubts.add('one', String(at));
  const [[, ids] = []] = doubts.take(0);
  expect([ids?.length, ids?.[0]]).toEqual([50_000, '1']);
});
