import type { NotificationData } from '@mantine/notifications';

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

export async function toast(kind: 'success' | 'error', message: string): Promise<void> {
  sequence += 1;
  const shown: NotificationData = {
    id: `toast-${sequence}`,
    message,
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
