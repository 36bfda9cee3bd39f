import { expect, it } from 'vitest';
import { sayHeld } from './held-words.ts';

const beside = (samples: number, calls: number) => ({ samples: Array(samples).fill({}), calls: Array(calls).fill({}), searchedTo: null });

it.each([
  [0, null, '0 leads'],
  [1, beside(0, 0), '1 lead'],
  [1000, beside(0, 0), '1,000+ leads'],
  [3, beside(1, 2), '3 leads, 1 sample lead and 2 refused calls'],
  [0, beside(2, 0), '2 sample leads'],
  [0, beside(0, 1), '1 refused call'],
] as const)('console §2: what is held is said in words: %i leads, %o', (total, held, said) => {
  expect(sayHeld({ total, beside: held })).toBe(said);
});
