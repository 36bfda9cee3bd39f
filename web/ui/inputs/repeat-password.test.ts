import { expect, test } from 'vitest';
import { repeatError } from './repeat-password.ts';

test.each([
  ['own-choice-1', 'own-choice-1', null],
  ['own-choice-2', 'own-choice-1', 'repeat'],
  ['Own-choice-1', 'own-choice-1', 'repeat'],
  ['', 'own-choice-1', 'repeat'],
  ['', '', null],
])('console §5: %j repeats %j: %j', (again, password, error) => expect(repeatError(again, password)).toBe(error));
