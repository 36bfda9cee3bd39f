/** The change of region and vertical that is on its way (console §4); one at a time, the last one wins. */
import { SPINNER_RESET_MS } from '#contract/console-constants.ts';

export interface WantedPlace {
  region: string;
  /** Null where the region has none. */
  vertical: string | null;
}

/** `asking`: the call is out. `arriving`: it was answered, the page and its figures are opening. */
export type PlaceSwitch = { stage: 'asking'; wanted: WantedPlace } | { stage: 'arriving' } | null;

let current: PlaceSwitch = null;
const listeners = new Set<() => void>();

export const placeSwitch = (): PlaceSwitch => current;
export function watchPlaceSwitch(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function become(next: PlaceSwitch): void {
  current = next;
  for (const listener of listeners) listener();
}

/**
 * Begins a switch. Each further step of it goes through the answer, which is false when a later switch has begun since: that one counts.
 * One that was answered is over by itself, `SPINNER_RESET_MS` later.
 */
export function beginSwitch(wanted: WantedPlace): (next: 'arriving' | 'over') => boolean {
  let own: PlaceSwitch = { stage: 'asking', wanted };
  become(own);
  return (next) => {
    if (current !== own) return false;
    own = next === 'arriving' ? { stage: 'arriving' } : null;
    become(own);
    const arriving = own;
    if (arriving) setTimeout(() => void (current === arriving && become(null)), SPINNER_RESET_MS);
    return true;
  };
}
