/** The calls of signing in (account §7), with what the specification leaves open chosen here. */
import { z } from 'zod';
import { organizationView, userView } from './session.ts';

const token = z.string().max(200);
/** Spaces are removed before a code is looked at (account §5). */
const code = z.string().max(60);

/** POST /team-login, needs the header `X-Requested-With: sluice` (the cross-site request header of account §7). */
export const teamLoginBody = z.strictObject({ email: z.string().max(254), password: z.string().max(1024) });

/**
 * Where a sign-in stands after a step. `isEnv`: two-factor is skipped here. `Qrstatus`: '1' scan the code first, '2' enter one,
 * '' no more is asked. With one organization `redirectUrl` leads to its sub-domain (same-origin: null); with several the
 * person chooses among `organizations`.
 */
const signInStep = z.object({
  status: z.boolean(),
  msg: z.string(),
  /** Good once, for a minute, at the organization's own sub-domain; '' when there is nowhere to go. */
  autoLoginToken: z.string(),
  /** The same, by the name it has in the address (account §2). */
  userSessionId: z.string(),
  organizations: z.array(organizationView),
  /** An address of ours, made from the configuration; null when the session is already where it belongs. */
  redirectUrl: z.string().nullable(),
});

export const teamLoginAnswer = signInStep.extend({
  isEnv: z.boolean(),
  Qrstatus: z.enum(['', '1', '2']),
  /** A picture (data: address) of the authenticator's secret; '' unless Qrstatus is '1'. */
  qrCode: z.string(),
  /** The secret for typing it in; '' unless Qrstatus is '1'. */
  secret: z.string(),
  _id: z.string(),
  user: userView,
  /** The session's name in lists; opens nothing. */
  userToken: z.string(),
});

/** POST /api/user/verify-mfa and validate-mfa: `MFA` is a code of six digits, or a recovery code. */
export const mfaBody = z.strictObject({ MFA: code });
/** POST /api/user/register/verify-mfa: the person who just registered. */
export const registerMfaBody = z.strictObject({ MFA: code, userId: z.string().max(60) });

export const mfaAnswer = signInStep.extend({
  /** Shown once, when two-factor is set up. */
  recoveryCodes: z.array(z.string()),
});
/** POST /api/v1/session/recovery-codes */
export const recoveryCodesAnswer = z.object({ status: z.literal(true), msg: z.string(), recoveryCodes: z.array(z.string()) });
/** A failed second factor: key 1 the code, 2 the organization's domain, 3 the person (account §8). */
export const mfaRefusal = z.object({ status: z.literal(false), code: z.string(), msg: z.string(), key: z.enum(['1', '2', '3']) });

/** POST /api/v1/session/auto-login: what the app root was called with (account §2). */
export const autoLoginBody = z.strictObject({ userSessionId: token, orgId: z.string().max(60) });
/** POST /api/v1/session/choose-organization */
export const chooseOrganizationBody = z.strictObject({ orgId: z.string().max(60) });
export const chooseOrganizationAnswer = signInStep;

/** GET /api/v1/session/list: the person's own sessions. */
export const sessionListAnswer = z.object({
  status: z.literal(true),
  sessions: z.array(
    z.object({
      _id: z.string(),
      organization: z.string(),
      device: z.string(),
      network: z.string(),
      beganAt: z.string(),
      seenAt: z.string(),
      isThisOne: z.boolean(),
    }),
  ),
});
/** POST /api/v1/session/end: one of the person's sessions, or all but this one. */
export const endSessionBody = z.union([z.strictObject({ _id: z.string().max(60) }), z.strictObject({ all: z.literal(true) })]);

/** POST /api/v1/session/prove: at least one of the two; `MFA` is a code of six digits, or a recovery code. */
export const proveBody = z.strictObject({ password: z.string().max(1024).optional(), MFA: code.optional() });

/** Forgot password and reset two-factor (account §7): `text` is the e-mail address. */
export const emailTextBody = z.strictObject({ text: z.string().max(254) });
/** POST user/reset-password/{token} */
export const newPasswordBody = z.strictObject({ password: z.string().max(200), confirmPassword: z.string().max(200) });
export const resetPasswordAnswer = z.object({ status: z.boolean(), msg: z.string(), user: userView });
/** POST user/change-password */
export const changePasswordBody = newPasswordBody.extend({ currentPassword: z.string().max(1024) });

/** POST team/register-member-data: the token proves that the mail was read; without it nothing is told of anybody. */
export const memberDataBody = z.strictObject({ userId: z.string().max(60), token: token.optional() });
export const memberDataAnswer = z.object({
  status: z.literal(true),
  data: z.object({ first_name: z.string(), last_name: z.string(), email: z.string(), organization: z.string(), subDomain: z.string() }),
});
export const activationQuery = z.object({ token, email: z.string().max(254) });
export const emailBody = z.strictObject({ email: z.string().max(254) });

/** POST user/forgot-password: `status` is 'danger' when the message says why no mail is sent (account §7, §8). */
export const forgotAnswer = z.object({ status: z.union([z.boolean(), z.literal('danger')]), msg: z.string() });

/** What most calls answer. */
export const saidAnswer = z.object({ status: z.boolean(), msg: z.string() });
