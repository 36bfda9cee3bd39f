/** Where the popover stands (console §2: above, below, left or right, by the click and the window; console §9: 89 px and about 200 px). */
import { HELP } from '#contract/console-constants.ts';

export type Side = 'above' | 'below' | 'left' | 'right';

/** px, from the window's upper left corner. */
export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}
interface Size {
  width: number;
  height: number;
}

const GAP = 8;
const MARGIN = 8;

/**
 * Beside the trigger where the click is nearer to a side of the window than half a popover, if it fits there; above where the click is near
 * the foot of the window; otherwise below.
 */
export function chooseSide(click: { x: number; y: number }, trigger: Box, window: Size): Side {
  const room = HELP.popoverWidth + GAP + MARGIN;
  if (click.x < HELP.halfWidth && window.width - (trigger.left + trigger.width) >= room) return 'right';
  if (window.width - click.x < HELP.halfWidth && trigger.left >= room) return 'left';
  return window.height - click.y < HELP.edgeHeight ? 'above' : 'below';
}

/** The upper left corner of a popover of this size; wholly inside the window, above instead of below where there alone is room, and the other way round. */
export function placeBeside(side: Side, trigger: Box, popover: Size, window: Size): { left: number; top: number } {
  const right = trigger.left + trigger.width;
  const bottom = trigger.top + trigger.height;
  const above = trigger.top - GAP - popover.height;
  const below = bottom + GAP;
  const inside = (at: number, size: number, whole: number) => Math.max(MARGIN, Math.min(at, whole - size - MARGIN));
  const middle = { x: trigger.left + (trigger.width - popover.width) / 2, y: trigger.top + (trigger.height - popover.height) / 2 };
  const isRoomBelow = below + popover.height + MARGIN <= window.height;
  const at = {
    left: { left: trigger.left - GAP - popover.width, top: middle.y },
    right: { left: right + GAP, top: middle.y },
    above: { left: middle.x, top: above >= MARGIN || !isRoomBelow ? above : below },
    below: { left: middle.x, top: isRoomBelow || above < MARGIN ? below : above },
  }[side];
  return { left: inside(at.left, popover.width, window.width), top: inside(at.top, popover.height, window.height) };
}
