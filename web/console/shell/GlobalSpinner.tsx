import { Loader } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { placeSwitch, watchPlaceSwitch } from './place-switch.ts';
import { showsSpinner, spinnerFallbackMs } from './spinner-rule.ts';

/**
 * Account §2: shown while a route changes; a page that takes longer than 4 s goes on without it. Console §4: shown during a vertical
 * switch, from wherever, and for 2 s after it.
 */
export function GlobalSpinner() {
  const change = useSyncExternalStore(watchPlaceSwitch, placeSwitch);
  const isChanging = useRouterState({ select: (state) => state.status === 'pending' && showsSpinner(state.location.pathname) });
  if (change) return <Spinner key="switch" />;
  return isChanging ? <Spinner hidesAfterMs={spinnerFallbackMs} /> : null;
}

/** Without `hidesAfterMs` it stays as long as it is there. */
function Spinner({ hidesAfterMs }: { hidesAfterMs?: number }) {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    if (hidesAfterMs === undefined) return;
    const timer = setTimeout(() => setIsOver(true), hidesAfterMs);
    return () => clearTimeout(timer);
  }, [hidesAfterMs]);
  if (isOver) return null;
  return (
    <div className="global-spinner" role="status">
      <Loader size={26} />
      <span className="sr-only">Opening the page</span>
    </div>
  );
}
