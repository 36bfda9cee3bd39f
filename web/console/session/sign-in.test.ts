import { expect, test } from 'vitest';
import { nextScreenNumber } from './screen-number.ts';
import { checkCredentials, tidyEmail } from './sign-in-check.ts';
import { drawPicture } from './water-pattern.ts';

test('console §2: login backgrounds go from 1 to 7 and round again; a phone always has 8', () => {
  const seen = [0];
  for (let count = 0; count < 8; count += 1) seen.push(nextScreenNumber(seen.at(-1) ?? 0, false));
  expect(seen.slice(1)).toEqual([1, 2, 3, 4, 5, 6, 7, 1]);
  expect(nextScreenNumber(3, true)).toBe(8);
});
test('console §2: all eight backgrounds differ', () => {
  const pictures = Array.from({ length: 8 }, (_, at) => JSON.stringify(drawPicture(at + 1)));
  expect(new Set(pictures).size).toBe(8);
});
test('account §5: email is required, well formed, trimmed and lower-cased', () => {
  expect(checkCredentials.email(' ')).toBe('Email is required');
  expect(checkCredentials.email('a@b')).toContain('valid email address');
  expect(checkCredentials.email(' A@b.co ')).toBeNull();
  expect(tidyEmail(' A@B.co ')).toBe('a@b.co');
  expect(checkCredentials.password('')).toBe('Password is required');
});
