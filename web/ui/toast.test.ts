// @vitest-environment jsdom
import { notifications } from '@mantine/notifications';
import { expect, test, vi } from 'vitest';
import { toast, toastTime } from './toast.ts';

test('account §9: a toast lives 5 s, 1 s more after a hover, and the newest is on top', async () => {
  const show = vi.spyOn(notifications, 'show').mockReturnValue('');
  const update = vi.spyOn(notifications, 'update').mockReturnValue('');
  await toast('success', 'one');
  await toast('error', 'two');
  const [first, second] = show.mock.calls.map(([shown]) => shown);
  expect(toastTime).toEqual({ shownMs: 5000, afterHoverMs: 1000 });
  expect(first?.autoClose).toBe(5000);
  expect(second?.priority).toBeGreaterThan(first?.priority ?? 0);
  second?.onMouseEnter?.({} as never);
  expect(update.mock.calls[0]?.[0]).toMatchObject({ id: second?.id, autoClose: 1000, message: 'two' });
});
