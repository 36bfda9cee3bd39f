// @vitest-environment jsdom
import { afterEach, expect, test, vi } from 'vitest';
import { MESSAGES } from '#contract/message.ts';
import { ApiError } from '../api/client.ts';
import { type OpenedPage, openUnderFakeClock } from './page.fixture.tsx';
import { ResetPassword } from './ResetPassword.tsx';

const resetPassword = vi.hoisted(() => vi.fn());
vi.mock('../api/account.ts', () => ({ resetPassword }));

let page: OpenedPage;
afterEach(() => page.close());

async function send(): Promise<void> {
  page = await openUnderFakeClock('/reset/$token', '/reset/abc', ResetPassword);
  for (const label of ['New password', 'The same once more']) page.fill(label, 'blue-kettle-7');
  await page.press('Set the password');
}

test('account §9: 0.5 s after the new password is set the page goes to sign in, and not before', async () => {
  resetPassword.mockResolvedValue({ status: true, msg: MESSAGES.passworResetSuccess, user: { email: 'ada@example.com' } });
  await send();
  expect(resetPassword).toHaveBeenCalledWith('abc', { password: 'blue-kettle-7', confirmPassword: 'blue-kettle-7' });
  expect(page.text()).toContain(MESSAGES.passworResetSuccess);
  await page.pass(490);
  expect(page.path()).toBe('/reset/abc');
  await page.pass(10);
  expect(page.path()).toBe('/login?email=ada%40example.com');
});

test('account §8: a link that is no longer good says so and goes nowhere', async () => {
  resetPassword.mockRejectedValue(new ApiError(410, 'token_expired', MESSAGES.passwortokenExpired));
  await send();
  await page.pass(60_000);
  expect(page.text()).toContain(MESSAGES.passwortokenExpired);
  expect(page.path()).toBe('/reset/abc');
});
