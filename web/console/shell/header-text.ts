import { useSyncExternalStore } from 'react';

/**
 * Whether the tools of the header say what they are beside their icons, under the spec's name (console §3): headerSwitchText, 0 or 1. The
 * specification says no more of it; without a choice they do.
 */
const storageKey = 'headerSwitchText';
const listeners = new Set<() => void>();

const hasHeaderText = (): boolean => localStorage.getItem(storageKey) !== '0';

export function switchHeaderText(isOn: boolean): void {
  localStorage.setItem(storageKey, isOn ? '1' : '0');
  for (const listener of listeners) listener();
}

/** Follows the choice, made in another tab too. */
function watch(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener('storage', listener);
  };
}

export const useHeaderText = (): boolean => useSyncExternalStore(watch, hasHeaderText);
