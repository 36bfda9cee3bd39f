import { expect, it } from 'vitest';
import { REMEMBERED_TURNS, rotationOver } from './rotation.ts';

it('a tier that joins late catches up within a few hundred turns, not over all that it missed', () => {
  const rotation = rotationOver();
  for (let turn = 0; turn < 50_000; turn++) rotation.took('o', 'g', turn % 2 ? 'a' : 'b', turn);
  const { find } = rotation.of('o');
  expect(find('g', 'a')!.turns + find('g', 'b')!.turns).toBeLessThanOrEqual(REMEMBERED_TURNS);
  expect(find('g', 'newcomer')).toBeUndefined();
  expect(find('other group', 'a')).toBeUndefined();
  expect(find('g', 'a')!.lastTurnAt).toBe(49_999);
});

it('shares stay what they are while turns fade', () => {
  const rotation = rotationOver();
  for (let turn = 0; turn < 10_000; turn++) rotation.took('o', 'g', turn % 4 ? 'three' : 'one', turn);
  const { find } = rotation.of('o');
  expect(find('g', 'three')!.turns / find('g', 'one')!.turns).toBeCloseTo(3, 0);
});
