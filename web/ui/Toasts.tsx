import { Notifications } from '@mantine/notifications';
import '@mantine/core/styles/Notification.css';
import '@mantine/notifications/styles.css';

export const Toasts = ({ autoCloseMs }: { autoCloseMs: number }) => (
  <Notifications
    position="top-right"
    limit={Number.POSITIVE_INFINITY}
    pauseResetOnHover="notification"
    autoClose={autoCloseMs}
    containerWidth={360}
  />
);
