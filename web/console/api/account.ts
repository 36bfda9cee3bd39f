/** The calls of signing in, resets and activation (account §7). */
import type { z } from 'zod';
import type {
  chooseOrganizationAnswer,
  memberDataAnswer,
  mfaAnswer,
  recoveryCodesAnswer,
  resetPasswordAnswer,
  saidAnswer,
  sessionListAnswer,
  teamLoginAnswer,
} from '#contract/sign-in.ts';
import { getJson, postJson } from './client.ts';

export type SignInAnswer = z.infer<typeof teamLoginAnswer>;
export type MfaAnswer = z.infer<typeof mfaAnswer>;
export type Said = z.infer<typeof saidAnswer>;
type ChooseAnswer = z.infer<typeof chooseOrganizationAnswer>;
/** Where a sign-in stands: the part that every step answers. */
export type SignInStep = Pick<ChooseAnswer, 'organizations' | 'redirectUrl'>;

const team = '/api/v1/teamMgmt';

export const signIn = (credentials: { email: string; password: string }) => postJson<SignInAnswer>('/team-login', credentials);
export const verifyFirstCode = (code: string) => postJson<MfaAnswer>('/api/user/verify-mfa', { MFA: code });
export const validateCode = (code: string) => postJson<MfaAnswer>('/api/user/validate-mfa', { MFA: code });
export const chooseOrganization = (orgId: string) => postJson<ChooseAnswer>('/api/v1/session/choose-organization', { orgId });
export const autoLogin = (userSessionId: string, orgId: string) => postJson<Said>('/api/v1/session/auto-login', { userSessionId, orgId });
/** The status-change call after a sign-in, and now and then while somebody works (account §4). */
export const sayPresent = () => postJson<Said>(`${team}/team/change-status`, {});

export const forgotPassword = (email: string) => postJson<Said>(`${team}/user/forgot-password`, { text: email });
export const resetMfa = (email: string) => postJson<Said>(`${team}/user/reset-mfa`, { text: email });
export const confirmMfaReset = (token: string) => postJson<Said>(`${team}/user/reset-mfa/${encodeURIComponent(token)}`, {});
export const resetPassword = (token: string, passwords: { password: string; confirmPassword: string }) =>
  postJson<z.infer<typeof resetPasswordAnswer>>(`${team}/user/reset-password/${encodeURIComponent(token)}`, passwords);
export const changePassword = (passwords: { currentPassword: string; password: string; confirmPassword: string }) =>
  postJson<Said>(`${team}/user/change-password`, passwords);

export const memberData = (userId: string, token: string | undefined) =>
  postJson<z.infer<typeof memberDataAnswer>>(`${team}/team/register-member-data`, { userId, ...(token && { token }) });
export const activateMember = (token: string, email: string) =>
  postJson<Said>(`${team}/team/register-member-activation?${new URLSearchParams({ token, email })}`, {});
export const resendActivation = (email: string) => postJson<Said>(`${team}/team/resend-activation-email`, { email });

export const listSessions = (signal?: AbortSignal) => getJson<z.infer<typeof sessionListAnswer>>('/api/v1/session/list', signal);
export const endSession = (which: { _id: string } | { all: true }) => postJson<Said>('/api/v1/session/end', which);
export const prove = (factors: { password?: string; MFA?: string }) => postJson<Said>('/api/v1/session/prove', factors);
export const renewRecoveryCodes = (code: string) =>
  postJson<z.infer<typeof recoveryCodesAnswer>>('/api/v1/session/recovery-codes', { MFA: code });
