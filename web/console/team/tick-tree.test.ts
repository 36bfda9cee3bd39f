import { expect, test } from 'vitest';
import { ALL_PAGES, readTicks, setTicks, tickState, writeTicks } from './tick-tree.ts';

const verticals = [
  { _id: 'v1', slug: 'payday', name: 'Payday', uid: 'p', regionId: 'us' },
  { _id: 'v2', slug: 'auto', name: 'Auto', uid: 'a', regionId: 'us' },
];

test('account §6: what is ticked is sent, and read back the same', () => {
  const ticks = setTicks(new Map(), ['v1'], ['setup', 'overview'], true);
  const sent = writeTicks(ticks, verticals);
  expect(sent).toEqual([
    {
      regionId: 'us',
      regionChecked: true,
      verticals: [{ verticalId: 'v1', verticalChecked: true, pages: ['overview', 'setup'].map((value) => ({ value, pageChecked: true })) }],
    },
  ]);
  expect(writeTicks(readTicks(sent), verticals)).toEqual(sent);
});

test('all, some and none of a region are told apart', () => {
  const all = setTicks(new Map(), ['v1', 'v2'], ALL_PAGES, true);
  expect(tickState(all, ['v1', 'v2'], ALL_PAGES)).toBe('all');
  expect(tickState(setTicks(all, ['v1'], ['setup'], false), ['v1', 'v2'], ALL_PAGES)).toBe('some');
  expect(tickState(setTicks(all, ['v1', 'v2'], ALL_PAGES, false), ['v1', 'v2'], ALL_PAGES)).toBe('none');
});
