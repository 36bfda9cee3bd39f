import { expect, test } from 'vitest';
import { beginSwitch, placeSwitch, switchSpinnerMs } from './place-switch.ts';

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
test('console §9: the spinner of a switch is reset after 2000 ms', () => {
  expect(switchSpinnerMs).toBe(2000);
});
