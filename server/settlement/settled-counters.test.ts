/** engine Caps: what a lead in doubt claimed of money, where its price was raised after the end of a window. */
import { expect, it } from 'vitest';
import { takenBy } from './settled-counters.sql.ts';

type Booking = Parameters<typeof takenBy>[0][number];

const [newYork1, utc1, utc2, ever] = ['tier:money:day:T05', 'tier:money:day:T00', 'tier:money:day:T24', 'tier:money:overall:ever'] as const;
const [sold, funds, other] = ['tier:sold:day:T05', 'buyer:money:funds:ever', 'seat:money:day:T05'] as const;

it('engine Caps: stands in each window as it was claimed there, and says how much is in the one before and after', () => {
  const post: Booking = {
    purpose: 'post',
    claims: [
      [newYork1, 700],
      [utc1, 700],
      [ever, 700],
      [sold, 1],
      [funds, 700],
      [other, 560],
    ],
  };
  const raise: Booking = {
    purpose: 'raise',
    claims: [
      [newYork1, 300],
      [utc2, 300],
      [ever, 300],
      [funds, 300],
    ],
  };
  const taken = takenBy([post, raise]);
  expect(taken.map(({ counter, amount, inEarlier, inLater }) => [counter, amount, inEarlier, inLater])).toEqual([
    [newYork1, 1_000, 0, 0],
    [utc1, 700, 0, 300],
    [ever, 1_000, 0, 0],
    [sold, 1, 0, 0],
    [funds, 1_000, 0, 0],
    [other, 560, 0, 0],
    [utc2, 300, 700, 0],
  ]);
});
