// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { MESSAGES } from '#contract/message.ts';
import { ApiError } from '../api/client.ts';
import { ConfirmEmail } from './ConfirmEmail.tsx';
import { takeNotice } from './notice.ts';
import { type OpenedPage, openUnderFakeClock } from './page.fixture.tsx';

const [memberData, activateMember] = vi.hoisted(() => [vi.fn(), vi.fn()]);
vi.mock('../api/account.ts', () => ({ memberData, activateMember }));

let page: OpenedPage;
beforeEach(() => {
  memberData.mockResolvedValue({ data: { first_name: 'Ada', email: 'ada@example.com', organization: 'Harbour Leads' } });
  activateMember.mockResolvedValue({ status: true, msg: MESSAGES.userActivated });
});
afterEach(() => page.close());

const open = async () => {
  const address = '/invitation-confirm-email/7?token=abc&email=ada@example.com';
  page = await openUnderFakeClock('/invitation-confirm-email/$userId', address, ConfirmEmail);
};
const done = () => [...document.querySelectorAll('.activation-steps li[data-done="true"]')].map((one) => one.textContent?.split(',')[0]);

test('account §4: after the confirmation each step is checked off at its time, and not before', async () => {
  await open();
  expect(page.text()).toContain('ada@example.com');
  expect(done()).toEqual([]);
  await page.press('Confirm and activate');
  expect(activateMember).toHaveBeenCalledExactlyOnceWith('abc', 'ada@example.com');
  const steps = ['Admin account', 'Domain', 'Asset dock', 'Conversation', 'All set', 'User registered'];
  let now = 0;
  for (const [at, ms] of [500, 2000, 3500, 5000, 5500, 6000].entries()) {
    await page.pass(ms - now - 1);
    expect([ms - 1, ...done()]).toEqual([ms - 1, ...steps.slice(0, at)]);
    await page.pass(1);
    expect([ms, ...done()]).toEqual([ms, ...steps.slice(0, at + 1)]);
    expect(page.text().includes('Sign in')).toBe(ms === 6000);
    now = ms;
  }
  expect(document.querySelector('a.activation-go')?.getAttribute('href')).toBe('/login?email=ada%40example.com');
});

test('account §4: whoever is active already is told so and goes to sign in', async () => {
  memberData.mockRejectedValue(new ApiError(409, 'user_already_activated', MESSAGES.userAlreadyActivated));
  await open();
  expect(page.text()).toContain('user already activated');
  await page.pass(1500);
  expect(page.path()).toBe('/login');
  expect(takeNotice()?.text).toBe('user already activated');
});
