/** A move as a file may write it: its number, or a word of its label. */
import { MOVES } from '#contract/move.ts';
import type { Move } from '#engine/move.ts';

/** Undefined where none is given; a sentence where it is none. */
export function readMove(text: string): Move | undefined | string {
  if (text === '') return undefined;
  const asked = text.toLowerCase();
  const found = MOVES.find(
    ({ move, label, word }) =>
      asked === String(move) ||
      asked === word.toLowerCase() ||
      label
        .toLowerCase()
        .split(/ \(|\)/)
        .includes(asked),
  );
  return found?.move ?? 'has a move that is none: write 1 BLOCK, 2 USE 3D SECURE, 3 ACCEPT or 4 UNSORTED';
}
