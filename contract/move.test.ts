import { expect, test } from 'vitest';
import { MOVE_WORDS, withMoveFields } from '#engine/move.ts';
import type { FieldConfig, FieldType } from '#engine/plan.ts';
import { MOVES, moveFieldsOf } from './move.ts';

const field = (fieldName: string, type: FieldType): FieldConfig => ({
  fieldName,
  fieldHumanName: fieldName,
  type,
  required: false,
  privacyClass: 'P2',
  inPing: false,
});

test('console §3: screens and engine call a move the same', () => {
  expect(Object.fromEntries(MOVES.map(({ move, word }) => [move, word]))).toEqual(MOVE_WORDS);
});

test.each([
  [[field('name', 'string')], []],
  [[field('account', 'routing')], ['bank_move']],
  [
    [field('card', 'bin'), field('account', 'routing')],
    ['bank_move', 'bin_move'],
  ],
  [[field('card', 'bin'), field('bin_move', 'string')], []],
])('a screen offers the moves that rules of the vertical may name', (fields, names) => {
  const offered = moveFieldsOf(fields);
  expect(offered.map(({ fieldName }) => fieldName)).toEqual(names);
  const known = new Map(withMoveFields(fields).map((one) => [one.fieldName, one]));
  for (const { fieldName, fieldHumanName, type, options } of offered)
    expect(known.get(fieldName)).toMatchObject({ fieldHumanName, type, options });
});
