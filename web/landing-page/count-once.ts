import type { OwnScript } from './own-script.ts';

type Send = (url: string, init: RequestInit) => Promise<unknown>;

/** Says each event once in the life of the page: a form that is sent again is the same visitor's. */
export function countOnce({ origin, pageId }: OwnScript, send: Send): (event: 'view' | 'submit') => void {
  const said = new Set<string>();
  return (event) => {
    if (said.has(event)) return;
    said.add(event);
    try {
      // It outlives the page, carries no cookie and no address, and needs no question beforehand.
      send(`${origin}/api/v1/landing-pages/${encodeURIComponent(pageId)}/${event}`, {
        ...{ method: 'POST', mode: 'no-cors', keepalive: true, credentials: 'omit', referrerPolicy: 'no-referrer' },
      }).catch(() => {});
    } catch {
      // A page may have taken fetch away.
    }
  };
}
