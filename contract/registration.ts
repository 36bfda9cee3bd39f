/** Registering an organization and its people (account §3, §5, §7). */
import { z } from 'zod';
import { organizationName, personName } from './person-name.ts';
import { userView } from './session.ts';

export const checkDomainBody = z.strictObject({
  domain: z.string().max(200),
  key: z.enum(['add', 'edit']),
  /** With `edit`: the organization whose own sub-domain counts as free. */
  companyId: z.string().max(60).nullish(),
});
/** `status` true: it exists, or cannot be had; `msg` says which. */
export const checkDomainAnswer = z.object({ status: z.boolean(), domain: z.string(), msg: z.string() });

/** A person to invite at once; nobody sets another's password, so that field is read by nobody. */
const userDetail = z.strictObject({
  isExisting: z.boolean().nullish(),
  email: z.string().max(254),
  first_name: personName.nullish(),
  last_name: personName.nullish(),
  password: z.string().max(200).nullish(),
  userId: z.string().max(60).nullish(),
  organizationId: z.string().max(60).nullish(),
});

export const registerBody = z.strictObject({
  first_name: personName,
  last_name: personName,
  email: z.string().max(254),
  password: z.string().max(200),
  orgDetails: z.strictObject({
    name: organizationName,
    userDetail: z.array(userDetail).max(20).default([]),
    subDomain: z.string().max(200),
  }),
  /** A living invitation to the same address proves that the address is the person's own. */
  invitationData: z.strictObject({ teamId: z.string().max(200) }).nullish(),
});
export type RegisterBody = z.infer<typeof registerBody>;

export const registerAnswer = z.object({
  status: z.literal(true),
  msg: z.string(),
  jsonResponse: z.object({
    /** True where two-factor and confirmation are skipped: the person is signed in. */
    isEnv: z.boolean(),
    /** '1': a two-factor code is set up now; '' where it is skipped. */
    Qrstatus: z.enum(['', '1']),
    /** A picture as data: address, or ''. */
    qrCode: z.string(),
    /** The same for typing it in, or ''. */
    secret: z.string(),
    /** Where two-factor is skipped: the way to the new sub-domain; null when the session is here. */
    redirectUrl: z.string().nullable(),
    user: userView,
  }),
});
export type RegisterAnswer = z.infer<typeof registerAnswer>;

export const memberRegisterBody = z.strictObject({
  first_name: personName,
  last_name: personName,
  password: z.string().max(200),
  teamId: z.string().max(200),
});
export const memberRegisterAnswer = z.object({ status: z.literal(true), env: z.boolean(), msg: z.string(), email: z.string() });
