// @vitest-environment jsdom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/client.ts';
import { FormAlert } from './FormAlert.tsx';

let root: Root;
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root') as HTMLElement);
});
afterEach(() => {
  act(() => root.unmount());
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function show(error: Error) {
  const hide = vi.fn();
  act(() => root.render(<FormAlert error={error} onHide={hide} />));
  return hide;
}
const pass = (ms: number) => act(() => vi.advanceTimersByTime(ms));

test('account §9: an alert goes after 3 s, and not before', () => {
  const hide = show(new Error('Something is wrong, Probably Internet service is offline.'));
  pass(2999);
  expect(hide).not.toHaveBeenCalled();
  pass(1);
  expect(hide).toHaveBeenCalledOnce();
});

test('account §9: an error that carries a status stays', () => {
  const hide = show(new ApiError(401, 'session_refused', 'Wrong e-mail or password.'));
  pass(60_000);
  expect(hide).not.toHaveBeenCalled();
});

test('an alert that is being read stays until the pointer leaves', () => {
  const hide = show(new Error('offline'));
  const alert = document.querySelector('[role=alert]')!;
  act(() => void alert.dispatchEvent(new MouseEvent('mouseover', { bubbles: true })));
  pass(3000);
  expect(hide).not.toHaveBeenCalled();
  act(() => void alert.dispatchEvent(new MouseEvent('mouseout', { bubbles: true })));
  pass(3000);
  expect(hide).toHaveBeenCalledOnce();
});
