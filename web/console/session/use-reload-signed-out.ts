import { useEffect } from 'react';
import { SIGNED_OUT_RELOAD_MS } from '#contract/console-constants.ts';
import { serverIsReached } from '../api/connection.ts';

/** Console §4: where nobody is signed in the page is loaded anew every 5 minutes, but never under the hands of somebody who types. */
export function useReloadSignedOut(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      const isInUse = [...document.querySelectorAll('input')].some((input) => input.type !== 'checkbox' && input.value !== '');
      // Without the server there would be no page to load.
      if (!isInUse && navigator.onLine && serverIsReached()) window.location.reload();
    }, SIGNED_OUT_RELOAD_MS);
    return () => clearInterval(timer);
  }, []);
}
