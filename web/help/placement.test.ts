import { describe, expect, it } from 'vitest';
import { type Box, chooseSide, placeBeside } from './placement.ts';

const DESK = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
const at = (left: number, top: number): Box => ({ left, top, width: 20, height: 20 });
const sideOf = (x: number, y: number, window = DESK) => chooseSide({ x, y }, at(x - 10, y - 10), window);

describe('where the help popover stands', () => {
  it('console §2, §9: beside the trigger within about 200 px of a side, above within 89 px of the foot, else below', () => {
    expect([sideOf(199, 400), sideOf(200, 400)]).toEqual(['right', 'below']);
    expect([sideOf(1240, 400), sideOf(1241, 400)]).toEqual(['below', 'left']);
    expect([sideOf(700, 811), sideOf(700, 812)]).toEqual(['below', 'above']);
  });

  it('console §9: on a window that has no room for 400 px beside the trigger it stands above or below', () => {
    for (const x of [10, 195, 380]) expect([sideOf(x, 300, PHONE), sideOf(x, 800, PHONE)]).toEqual(['below', 'above']);
  });

  it('is wholly inside the window, wherever the trigger is', () => {
    for (const window of [DESK, PHONE])
      for (let x = 0; x <= window.width; x += 15)
        for (let y = 0; y <= window.height; y += 15) {
          const size = { width: Math.min(400, window.width - 16), height: 320 };
          const trigger = at(x - 10, y - 10);
          const { left, top } = placeBeside(chooseSide({ x, y }, trigger, window), trigger, size, window);
          const inside = left >= 8 && top >= 8 && left + size.width <= window.width - 8 && top + size.height <= window.height - 8;
          expect([window.width, x, y, inside]).toEqual([window.width, x, y, true]);
        }
  });

  it('never hides the trigger where there is room beside it', () => {
    for (let x = 10; x < DESK.width; x += 15)
      for (let y = 10; y < DESK.height; y += 15) {
        const size = { width: 400, height: 320 };
        const trigger = at(x - 10, y - 10);
        const { left, top } = placeBeside(chooseSide({ x, y }, trigger, DESK), trigger, size, DESK);
        const covers =
          left < trigger.left + 20 && left + size.width > trigger.left && top < trigger.top + 20 && top + size.height > trigger.top;
        expect([x, y, covers]).toEqual([x, y, false]);
      }
  });
});
