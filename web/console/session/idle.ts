/** Console §4 "Auto-logout": a gap of 30 minutes, then a countdown from 59 s, over all tabs and by the clock on the wall. */
import { INACTIVITY } from '#contract/console-constants.ts';
import { readLastAction } from './last-action.ts';

export type Idleness = { state: 'active' } | { state: 'warning'; secondsLeft: number } | { state: 'over' };

/** How idle somebody is whose last action was at `lastMs`; a laptop that slept for hours wakes up signed out. */
export function idlenessAt(lastMs: number, nowMs: number): Idleness {
  const overMs = nowMs - lastMs - INACTIVITY.limitMs;
  if (overMs <= 0) return { state: 'active' };
  const secondsLeft = INACTIVITY.countdownS - Math.floor(overMs / 1000);
  return secondsLeft > 0 ? { state: 'warning', secondsLeft } : { state: 'over' };
}

/** Nobody was there for so long that the watch signs out, or has done so already. */
export const isIdleOver = (): boolean => idlenessAt(readLastAction(), Date.now()).state === 'over';
