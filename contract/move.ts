/** Moves of banks and BINs, and whom they are for (console §3), in the words of the screens. */
import type { Combination, Move } from '#engine/move.ts';

/** `word`: as a filter holds it. */
export const MOVES: readonly { move: Move; label: string; word: string }[] = [
  { move: 1, label: 'BLOCK (Blocked)', word: 'Blocked' },
  { move: 2, label: 'USE 3D SECURE (Low)', word: 'Low' },
  { move: 3, label: 'ACCEPT (Medium)', word: 'Medium' },
  { move: 4, label: 'UNSORTED', word: 'Unsorted' },
];
export const moveLabel = (move: number): string => MOVES.find((one) => one.move === move)?.label ?? '';
/** '3 ACCEPT (Medium)'. */
export const moveText = (move: number): string => `${move} ${moveLabel(move)}`;

export const EVERY_CAMPAIGN = 'All campaigns';
export const EVERY_AFFILIATE = 'All affiliates';

export const COMBINATIONS: readonly { combination: Combination; label: string }[] = [
  { combination: 1, label: 'Specific campaign and specific affiliate' },
  { combination: 2, label: 'Specific campaign and all affiliates' },
  { combination: 3, label: 'All campaigns and a specific affiliate' },
  { combination: 4, label: 'All campaigns and all affiliates' },
];
export const combinationLabel = (combination: number): string => COMBINATIONS.find((one) => one.combination === combination)?.label ?? '';

interface TypedField {
  fieldName: string;
  type: string;
}
/** The moves that rules of a vertical may name, where it has the field that they follow from. */
export function moveFieldsOf(
  fields: readonly TypedField[],
): { fieldName: string; fieldHumanName: string; type: 'choice'; options: string[] }[] {
  const options = MOVES.map(({ word }) => word);
  const has = (type: string) => fields.some((field) => field.type === type);
  const isFree = (name: string) => fields.every(({ fieldName }) => fieldName !== name);
  return [
    ...(has('routing') && isFree('bank_move')
      ? [{ fieldName: 'bank_move', fieldHumanName: 'Bank move', type: 'choice' as const, options }]
      : []),
    ...(has('bin') && isFree('bin_move') ? [{ fieldName: 'bin_move', fieldHumanName: 'BIN move', type: 'choice' as const, options }] : []),
  ];
}
