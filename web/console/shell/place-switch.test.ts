import { expect, test, vi } from 'vitest';
import { SPINNER_RESET_MS } from '#contract/console-constants.ts';
import { beginSwitch, placeSwitch } from './place-switch.ts';

const payday = { region: 'us', vertical: 'payday' };
const auto = { region: 'us', vertical: 'auto' };

test('console §4: a switch asks, arrives and is over', () => {
  const step = beginSwitch(payday);
  expect(placeSwitch()).toEqual({ stage: 'asking', wanted: payday });
  expect([step('arriving'), placeSwitch()]).toEqual([true, { stage: 'arriving' }]);
  expect([step('over'), placeSwitch()]).toEqual([true, null]);
});
test('console §4: of two switches the later one counts', () => {
  const first = beginSwitch(payday);
  const second = beginSwitch(auto);
  expect([first('arriving'), placeSwitch()]).toEqual([false, { stage: 'asking', wanted: auto }]);
  expect([second('arriving'), first('over'), placeSwitch()]).toEqual([true, false, { stage: 'arriving' }]);
  expect([second('over'), placeSwitch()]).toEqual([true, null]);
});
test('console §4, §9: one that arrived is over by itself after 2000 ms, unless another has begun', () => {
  vi.useFakeTimers();
  beginSwitch(payday)('arriving');
  vi.advanceTimersByTime(SPINNER_RESET_MS - 1);
  expect(placeSwitch()).toEqual({ stage: 'arriving' });
  vi.advanceTimersByTime(1);
  expect([placeSwitch(), SPINNER_RESET_MS]).toEqual([null, 2000]);
  beginSwitch(payday)('arriving');
  vi.advanceTimersByTime(1500);
  beginSwitch(auto);
  vi.advanceTimersByTime(SPINNER_RESET_MS);
  expect(placeSwitch()).toEqual({ stage: 'asking', wanted: auto });
  vi.useRealTimers();
});
