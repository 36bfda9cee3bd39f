import { useSyncExternalStore } from 'react';

const paper = typeof matchMedia === 'function' ? matchMedia('print') : undefined;

/** Whether the page is laid out for paper now: what is drawn by a script is drawn anew for it. */
export const usePrinted = (): boolean =>
  useSyncExternalStore(
    (changed) => {
      paper?.addEventListener('change', changed);
      return () => paper?.removeEventListener('change', changed);
    },
    () => paper?.matches ?? false,
    () => false,
  );
