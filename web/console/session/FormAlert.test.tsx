// @vitest-environment jsdom
import { act, type ReactElement } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../api/client.ts';
import { FormAlert, FormNotice, Notice, PageNote } from './FormAlert.tsx';

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

const text = () => document.body.textContent;
const showNotice = (notice: ReactElement) => act(() => root.render(notice));

test('account §9: good news goes after 3 s, and not before', () => {
  showNotice(<FormNotice>Your new password is set.</FormNotice>);
  pass(2999);
  expect(text()).toContain('Your new password is set.');
  pass(1);
  expect(text()).toBe('');
});

test.each([
  ['the pointer', 'mouseover', 'mouseout'],
  ['the focus', 'focusin', 'focusout'],
])('account §9: good news stays while %s is on it', (_what, on, off) => {
  showNotice(<FormNotice>Done.</FormNotice>);
  const alert = document.querySelector('.sign-in-alert')!;
  act(() => void alert.dispatchEvent(new MouseEvent(on, { bubbles: true })));
  pass(30_000);
  expect(text()).toBe('Done.');
  act(() => void alert.dispatchEvent(new MouseEvent(off, { bubbles: true })));
  pass(3000);
  expect(text()).toBe('');
});

test('account §9: the pointer that leaves does not take away what the focus holds', () => {
  showNotice(<FormNotice>Done.</FormNotice>);
  const alert = document.querySelector('.sign-in-alert')!;
  for (const type of ['mouseover', 'focusin', 'mouseout']) act(() => void alert.dispatchEvent(new MouseEvent(type, { bubbles: true })));
  pass(30_000);
  expect(text()).toBe('Done.');
});

test('account §9: what is to be known is a part of the page, and stays', () => {
  showNotice(<PageNote>Look into your mail.</PageNote>);
  pass(600_000);
  expect(text()).toBe('Look into your mail.');
  expect(document.querySelector('[role=alert], .sign-in-alert')).toBeNull();
});

test('account §9: of what the page before has left to say, good news goes and a reason stays', () => {
  showNotice(<Notice notice={{ text: 'Your account is active.', tone: 'good' }} />);
  pass(3000);
  expect(text()).toBe('');
  showNotice(<Notice notice={{ text: 'You have been logged out due to inactivity', tone: 'info' }} />);
  pass(600_000);
  expect(text()).toBe('You have been logged out due to inactivity');
});
