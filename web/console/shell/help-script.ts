/** The help script in the console: fetched 2000 ms after the page has loaded (console §9), so that it delays nothing. */
import { useSyncExternalStore } from 'react';
import { HELP } from '#contract/console-constants.ts';

type HelpState = 'waiting' | 'loading' | 'ready' | 'failed';

let state: HelpState = 'waiting';
const listeners = new Set<() => void>();

function become(next: HelpState): void {
  state = next;
  for (const listener of listeners) listener();
}

/** Once; again where it did not come. `host`: null is our own. */
export function loadHelp(host: string | null): void {
  if (state === 'ready' || state === 'loading') return;
  become('loading');
  document.addEventListener('sluice-help-ready', () => become('ready'), { once: true });
  const script = document.createElement('script');
  script.src = `${host ?? ''}${HELP.scriptPath}`;
  script.onerror = () => {
    script.remove();
    become('failed');
  };
  document.head.append(script);
}

/** Loads the help in its time. Returns how to call it off. */
export function loadHelpInTime(host: string | null): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const begin = () => {
    timer = setTimeout(() => loadHelp(host), HELP.startAfterMs);
  };
  if (document.readyState === 'complete') begin();
  else window.addEventListener('load', begin, { once: true });
  return () => {
    window.removeEventListener('load', begin);
    clearTimeout(timer);
  };
}

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

export const useHelpState = (): HelpState => useSyncExternalStore(watch, () => state);
