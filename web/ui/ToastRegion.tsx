import { lazy, Suspense, useSyncExternalStore } from 'react';
import { toastsAreWanted, toastTime, watchToasts } from './toast.ts';

const Toasts = lazy(() => import('./Toasts.tsx').then((module) => ({ default: module.Toasts })));

/** The place of the toasts; empty, and its code not fetched, until the first one. */
export function ToastRegion() {
  const wanted = useSyncExternalStore(watchToasts, toastsAreWanted);
  return (
    wanted && (
      <Suspense>
        <Toasts autoCloseMs={toastTime.shownMs} />
      </Suspense>
    )
  );
}
