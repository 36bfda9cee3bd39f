import { type NotificationData, notifications } from '@mantine/notifications';

/** Account §9: 5 s, 1 s more after a hover, newest on top, as many as there are. */
export const toastTime = { shownMs: 5000, afterHoverMs: 1000 } as const;

let sequence = 0;

export function toast(kind: 'success' | 'error', message: string): void {
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
  notifications.show({ ...shown, onMouseEnter: () => notifications.update({ ...shown, autoClose: toastTime.afterHoverMs }) });
}
