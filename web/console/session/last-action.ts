/** When somebody last did something in any tab of this browser: one note in its store. */
const storageKey = 'lastActionAt';

export const readLastAction = (): number => Number(localStorage.getItem(storageKey)) || 0;
export const noteAction = (nowMs: number): void => localStorage.setItem(storageKey, String(nowMs));

/** Whoever did something within so long counts as there, though they only read. */
export const PRESENT_FOR_MS = 5 * 60_000;

/** Nobody is there: what the page asks now it asks by itself, and that keeps no session alive. Without a note nothing is known. */
export function isUnattended(nowMs: number): boolean {
  const last = readLastAction();
  return last > 0 && nowMs - last > PRESENT_FOR_MS;
}
