// @vitest-environment jsdom

import { beforeEach, expect, it, vi } from 'vitest';
import { countOnce } from './count-once.ts';
import { onSubmit } from './on-submit.ts';
import { onceSeen } from './once-seen.ts';
import { ownScript } from './own-script.ts';

const OWN = { origin: 'https://sluice.example', pageId: 'p1' };

beforeEach(() => {
  document.body.innerHTML = '';
});

it('says each event once, without cookies, address or body, and stays silent where it cannot', async () => {
  const send = vi.fn(async (_url: string, _init: RequestInit) => {
    throw new Error('blocked by the policy of the page');
  });
  const count = countOnce(OWN, send);
  for (const event of ['view', 'submit', 'view', 'submit'] as const) count(event);
  expect(send.mock.calls.map(([url]) => url)).toEqual(
    ['view', 'submit'].map((event) => `https://sluice.example/api/v1/landing-pages/p1/${event}`),
  );
  expect(send.mock.calls[0]![1]).toEqual({
    ...{ method: 'POST', mode: 'no-cors', keepalive: true, credentials: 'omit', referrerPolicy: 'no-referrer' },
  });
  const taken = countOnce(OWN, () => {
    throw new TypeError('fetch is not a function');
  });
  expect(() => taken('view')).not.toThrow();
});

it('finds its own line though the page hides which script runs, and nothing where the line names no page', () => {
  expect(ownScript(document)).toBeUndefined();
  document.body.innerHTML = '<script src="https://sluice.example/landing/sluice-page.js" type="text/plain"></script>';
  expect(ownScript(document)).toBeUndefined();
  document.querySelector('script')!.setAttribute('data-page', ' p1 ');
  expect(ownScript(document)).toEqual(OWN);
});

it('waits for a tab that is opened in the background, and for a page that is made ahead', () => {
  const page = Object.assign(document.implementation.createHTMLDocument(), {});
  const state = { visibilityState: 'hidden', prerendering: true };
  for (const name of ['visibilityState', 'prerendering'] as const) Object.defineProperty(page, name, { get: () => state[name] });
  const seen = vi.fn();
  onceSeen(page, seen);
  state.prerendering = false;
  page.dispatchEvent(new Event('prerenderingchange'));
  expect(seen).not.toHaveBeenCalled();
  state.visibilityState = 'visible';
  for (let n = 0; n < 2; n++) page.dispatchEvent(new Event('visibilitychange'));
  expect(seen).toHaveBeenCalledTimes(1);
});

it('hears marked forms alone, also one whose fields hide its own methods on a page that keeps events to itself', () => {
  const sent = vi.fn();
  onSubmit(document, sent);
  document.body.innerHTML = `<form id="search"></form>
    <form id="lead" data-sluice-submit><input name="hasAttribute"><input name="submit"></form>`;
  const submit = (id: string) => {
    const form = document.getElementById(id)!;
    form.addEventListener('submit', (event) => event.stopImmediatePropagation());
    form.dispatchEvent(new SubmitEvent('submit', { bubbles: true, composed: true, cancelable: true }));
  };
  submit('search');
  expect(sent).not.toHaveBeenCalled();
  submit('lead');
  expect(sent).toHaveBeenCalledTimes(1);
});
