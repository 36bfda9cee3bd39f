/** Moves of banks and BINs (console §3): what each is called in a filter, and how a lead comes by its own. */

import { bareCopy } from './bare.ts';
import type { VerticalPlan } from './compiled.ts';
import type { LeadFacts } from './facts.ts';
import type { Fields } from './filter.ts';
import type { FieldConfig, FieldType } from './plan.ts';

/** 1 BLOCK, 2 USE 3D SECURE, 3 ACCEPT, 4 UNSORTED. */
export type Move = 1 | 2 | 3 | 4;
/** Whom a move is for: 1 a campaign and an affiliate, 2 a campaign, 3 an affiliate, 4 everybody. The most specific decides. */
export type Combination = 1 | 2 | 3 | 4;

export const BLOCK: Move = 1;
/** What a bank or BIN has that nobody has sorted, or that is not known at all. */
export const UNSORTED: Move = 4;

export const MOVE_WORDS: Readonly<Record<Move, string>> = { 1: 'Blocked', 2: 'Low', 3: 'Medium', 4: 'Unsorted' };

/** Filtered on like fields of the vertical, where it has the field they follow from. */
export const BANK_MOVE = 'bank_move';
export const BIN_MOVE = 'bin_move';

const findOfType = (fields: readonly FieldConfig[], type: FieldType) => fields.find((field) => field.type === type)?.fieldName;
export const bankFieldOf = (fields: readonly FieldConfig[]): string | undefined => findOfType(fields, 'routing');
export const binFieldOf = (fields: readonly FieldConfig[]): string | undefined => findOfType(fields, 'bin');

/** The fields of a vertical and the moves that follow from them; a field of its own that has such a name stands. */
export function withMoveFields(fields: readonly FieldConfig[]): FieldConfig[] {
  const moves = [
    ...(bankFieldOf(fields) === undefined ? [] : [moveField(BANK_MOVE, 'Bank move')]),
    ...(binFieldOf(fields) === undefined ? [] : [moveField(BIN_MOVE, 'BIN move')]),
  ];
  return [...moves, ...fields];
}

function moveField(fieldName: string, fieldHumanName: string): FieldConfig {
  const options = Object.values(MOVE_WORDS);
  return { fieldName, fieldHumanName, type: 'choice', options, required: false, privacyClass: 'P0', inPing: true };
}

/** A lead that gives a routing number or a BIN has a move, of the unknown one too; one that gives none has no move. */
export function withMoves(fields: Fields, { bankField, binField, config }: VerticalPlan, facts: LeadFacts | undefined): Fields {
  const isOwn = (name: string) => config.fields.some(({ fieldName }) => fieldName === name);
  const hasBankMove = bankField && fields[bankField] && !isOwn(BANK_MOVE);
  const hasBinMove = binField && fields[binField] && !isOwn(BIN_MOVE);
  if (!hasBankMove && !hasBinMove) return fields;
  const known = bareCopy(fields);
  if (hasBankMove) known[BANK_MOVE] = MOVE_WORDS[facts?.bank?.move ?? UNSORTED];
  if (hasBinMove) known[BIN_MOVE] = MOVE_WORDS[facts?.bin?.move ?? UNSORTED];
  return known;
}
