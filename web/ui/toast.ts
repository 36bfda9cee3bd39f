import type { NotificationData } from '@mantine/notifications';
import { createElement, type ReactNode } from 'react';

/** Account §9: 5 s, 1 s more after a hover, newest on top, as many as there are. */
export const toastTime = { shownMs: 5000, afterHoverMs: 1000 } as const;

let sequence = 0;
let wanted = false;
const listeners = new Set<() => void>();

/** Whether there has been a toast yet; until then nothing of the toast code is loaded. */
export const toastsAreWanted = (): boolean => wanted;
export function watchToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What can be done about a toast while it is there, such as undoing what it tells. */
export interface ToastAction {
  label: string;
  run: () => void;
}

export async function toast(kind: 'success' | 'error', message: string, action?: ToastAction): Promise<void> {
  sequence += 1;
  const id = `toast-${sequence}`;
  const shown: NotificationData = {
    id,
    message: action ? withAction(message, action, () => void hide(id)) : message,
    color: kind === 'success' ? 'teal.8' : 'red.8',
    autoClose: toastTime.shownMs,
    priority: sequence,
    role: kind === 'error' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': 'Dismiss' },
  };
  wanted = true;
  for (const listener of listeners) listener();
  const { notifications } = await import('@mantine/notifications');
  notifications.show({ ...shown, onMouseEnter: () => notifications.update({ ...shown, autoClose: toastTime.afterHoverMs }) });
}

async function hide(id: string): Promise<void> {
  const { notifications } = await import('@mantine/notifications');
  notifications.hide(id);
}

function withAction(message: string, { label, run }: ToastAction, done: () => void): ReactNode {
  const onClick = () => {
    done();
    run();
  };
  return createElement(
    'span',
    { className: 'toast-with-action' },
    createElement('span', null, message),
    createElement('button', { type: 'button', className: 'tool-button', onClick }, label),
  );
}
