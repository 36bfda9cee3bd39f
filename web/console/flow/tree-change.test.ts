import { describe, expect, test } from 'vitest';
import type { TreeGroup } from '#contract/tree.ts';
import { addGroup, compareTrees, moveGroup, removeGroup, seatTier, setGroup, setWeight, stepTier, unseatTier } from './tree-change.ts';

const group = (name: string, ...ids: string[]): TreeGroup => ({
  _id: name.toLowerCase(),
  name,
  mode: 'priority',
  timeLimitMs: null,
  members: ids.map((buyerTierId) => ({ buyerTierId, weight: null })),
});
const tree = [group('A', 'a1', 'a2', 'a3'), group('B', 'b1')];
const shape = (one: readonly TreeGroup[]) =>
  one.map(({ name, members }) => `${name}:${members.map((member) => member.buyerTierId).join('')}`).join(' ');

describe('flow-control: moving in the tree', () => {
  test('a tier is seated where it is dropped, and stands nowhere twice', () => {
    expect(shape(seatTier(tree, 'a1', 0, 3))).toBe('A:a2a3a1 B:b1');
    expect(shape(seatTier(tree, 'a3', 0, 0))).toBe('A:a3a1a2 B:b1');
    expect(shape(seatTier(tree, 'a2', 1, 0))).toBe('A:a1a3 B:a2b1');
    expect(shape(seatTier(tree, 'new', 1, 9))).toBe('A:a1a2a3 B:b1new');
    expect(shape(seatTier(tree, 'a2', 0, 1))).toBe('A:a1a2a3 B:b1');
  });
  test('keys step over the edges of groups, and not out of the tree', () => {
    expect(shape(stepTier(tree, 'a1', 1))).toBe('A:a2a1a3 B:b1');
    expect(shape(stepTier(tree, 'a3', 1))).toBe('A:a1a2 B:a3b1');
    expect(shape(stepTier(tree, 'b1', -1))).toBe('A:a1a2a3b1 B:');
    expect(shape(stepTier(tree, 'a1', -1))).toBe('A:a1a2a3 B:b1');
    expect(shape(stepTier(tree, 'b1', 1))).toBe('A:a1a2a3 B:b1');
  });
  test('groups move, come and go', () => {
    expect(shape(moveGroup(tree, 1, 0))).toBe('B:b1 A:a1a2a3');
    expect(shape(moveGroup(tree, 0, 5))).toBe(shape(tree));
    expect(addGroup(addGroup(tree)).map((one) => one.name)).toEqual(['A', 'B', 'Group 3', 'Group 4']);
    expect(shape(removeGroup(tree, 0))).toBe('B:b1');
    expect(shape(unseatTier(tree, 'a2'))).toBe('A:a1a3 B:b1');
  });
});

test('flow-control: a draft says what it would change', () => {
  const changed = setWeight(setGroup(seatTier(unseatTier(tree, 'a3'), 'a1', 1, 0), 1, { mode: 'weighted', timeLimitMs: 500 }), 'b1', 3);
  expect(compareTrees(tree, [...seatTier(changed, 'c1', 0, 0), { ...group('C'), _id: null }], (id) => id.toUpperCase())).toEqual([
    'Group B goes from priority to weighted.',
    'Group B has 500 ms instead of no time limit of its own.',
    'Group C is new, and empty: it asks nobody.',
    'C1 joins A, place 1.',
    'A1 moves from A to B.',
    'B1 goes from place 1 to 2 in B.',
    'B1 weighs 3 instead of 1.',
    'A3 leaves the tree.',
  ]);
  expect(compareTrees(tree, tree, String)).toEqual([]);
  expect(compareTrees(tree, moveGroup(tree, 1, 0), String)).toEqual(['The groups stand in another order.']);
});
