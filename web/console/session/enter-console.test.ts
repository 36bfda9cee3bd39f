// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sayPresent } from '../api/account.ts';
import { queryClient } from '../query-client.ts';
import { enterConsole } from './enter-console.ts';

vi.mock('../api/account.ts', () => ({ sayPresent: vi.fn(async () => ({})) }));
const reload = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('location', { ...window.location, reload });
  vi.spyOn(queryClient, 'query').mockResolvedValue({ user: { lastPageVisited: '/change-profile', lastPageVisitedTimeStamp: null } });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('account §4, §9: a sign-in ends with the status-change call, the last page, and a reload after 1 s', async () => {
  const replaced = vi.spyOn(History.prototype, 'replaceState');
  const entering = enterConsole(undefined);
  await vi.advanceTimersByTimeAsync(999);
  expect(sayPresent).toHaveBeenCalledOnce();
  expect(reload).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  await entering;
  expect(reload).toHaveBeenCalledOnce();
  expect(replaced.mock.lastCall?.[2]).toContain('change-profile');
});

test.each(['//evil.example', 'https:evil.example', '/\\evil.example', 'javascript:alert(1)'])(
  'account §4: %s is no page to go on to, whoever passes it on',
  async (next) => {
    const replaced = vi.spyOn(History.prototype, 'replaceState');
    const entering = enterConsole(next);
    await vi.advanceTimersByTimeAsync(1000);
    await entering;
    expect(replaced.mock.lastCall?.[2]).toContain('change-profile');
  },
);
