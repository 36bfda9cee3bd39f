import { Loader } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { showsSpinner, spinnerFallbackMs } from './spinner-rule.ts';

/** Account §2: shown while a route changes; a page that takes longer than 4 s goes on without it. */
export function GlobalSpinner() {
  const isChanging = useRouterState({ select: (state) => state.status === 'pending' && showsSpinner(state.location.pathname) });
  return isChanging ? <Spinner /> : null;
}

function Spinner() {
  const [isOver, setIsOver] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setIsOver(true), spinnerFallbackMs);
    return () => clearTimeout(timer);
  }, []);
  if (isOver) return null;
  return (
    <div className="global-spinner" role="status">
      <Loader size={26} />
      <span className="sr-only">Opening the page</span>
    </div>
  );
}
