import { createBrowserHistory, type RouterHistory } from '@tanstack/react-router';
import { isPlainPath } from '#contract/plain-path.ts';

/** Pages reached from mail, print or QR keep a real path; all else lives after '#!' (console §2). */
export const toBrowserHref = (path: string): string => (isPlainPath(path) || /^\/(\?|$)/.test(path) ? path : `/#!${path}`);

/** The router's path of a browser address. '#_=_' is what a social sign-in leaves behind; it counts as '#!'. */
export function fromBrowser(address: { pathname: string; search: string; hash: string }): string {
  if (address.hash === '#_=_') return isPlainPath(address.pathname) ? address.pathname + address.search : '/';
  if (!address.hash.startsWith('#!')) return address.pathname + address.search + address.hash;
  const path = address.hash.slice(2);
  return path.startsWith('/') ? path : `/${path}`;
}

type Place = RouterHistory['location'];

function parsePlace(href: string, state: Place['state']): Place {
  const hashAt = href.indexOf('#');
  const beforeHash = hashAt < 0 ? href : href.slice(0, hashAt);
  const searchAt = beforeHash.indexOf('?');
  return {
    href,
    pathname: searchAt < 0 ? beforeHash : beforeHash.slice(0, searchAt),
    search: searchAt < 0 ? '' : beforeHash.slice(searchAt),
    hash: hashAt < 0 ? '' : href.slice(hashAt),
    state,
  };
}

export function createHashbangHistory(): RouterHistory {
  const first = fromBrowser(window.location);
  const wanted = toBrowserHref(first);
  const { pathname, search, hash } = window.location;
  // '/login#!/setup/x' becomes '/#!/setup/x', and '/#!/login' becomes '/login'.
  if (wanted !== pathname + search + hash) window.history.replaceState(window.history.state, '', wanted);
  let lastHref = first;
  let lastIndex = 0;
  // An entry typed by hand has no state; unnumbered, a blocked Back would reload the page.
  const stamp = (): Place['state'] => {
    const state = window.history.state as Partial<Place['state']> | null;
    if (state?.__TSR_index !== undefined) return state as Place['state'];
    const key = Math.random().toString(36).slice(2, 9);
    const next = { ...state, __TSR_index: lastIndex + 1, key, __TSR_key: key };
    // Past the router's patched method, which would tell its subscribers.
    History.prototype.replaceState.call(window.history, next, '');
    return next;
  };
  const history = createBrowserHistory({
    parseLocation: () => {
      const jump = window.location.hash;
      // A bare '#main' is a jump inside the page: stay, and put the address back.
      if (jump && !jump.startsWith('#!') && jump !== '#_=_' && !isPlainPath(window.location.pathname))
        queueMicrotask(() => history.replace(lastHref));
      else lastHref = fromBrowser(window.location);
      return parsePlace(lastHref, stamp());
    },
    createHref: toBrowserHref,
  });
  history.subscribe(({ location }) => {
    lastHref = location.href;
    lastIndex = location.state.__TSR_index;
  });
  return history;
}
