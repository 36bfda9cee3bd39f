import { useSyncExternalStore } from 'react';
import { type TimeZone, timeZones } from '#web/ui/zone.ts';

/** The reporting time zone of one user on this device; `timeZone:<user id>` in the local storage. */
const listeners = new Set<() => void>();
let userId = 'nobody';
let preferred: TimeZone = 'UTC';

const storageKey = () => `timeZone:${userId}`;
export const readTimeZone = (): TimeZone => timeZones.find((zone) => zone === localStorage.getItem(storageKey())) ?? preferred;

/** Whose zone it is, and the one that person or their organization prefers where none was chosen on this device. */
export function rememberTimeZoneOf(user: string, zone: TimeZone): void {
  userId = user;
  preferred = zone;
}

export function chooseTimeZone(zone: TimeZone): void {
  localStorage.setItem(storageKey(), zone);
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
};
export const useTimeZone = (): TimeZone => useSyncExternalStore(subscribe, readTimeZone);
