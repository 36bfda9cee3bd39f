import { useEffect } from 'react';

export const reloadEveryMs = 5 * 60_000;

/** Console §4: where nobody is signed in the page is loaded anew every 5 minutes, but never under the hands of somebody who types. */
export function useReloadSignedOut(): void {
  useEffect(() => {
    const timer = setInterval(() => {
      const isInUse = [...document.querySelectorAll('input')].some((input) => input.type !== 'checkbox' && input.value !== '');
      if (!isInUse) window.location.reload();
    }, reloadEveryMs);
    return () => clearInterval(timer);
  }, []);
}
