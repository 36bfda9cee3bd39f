/** The words of the log of sign-ins and refusals, without its schemas: the console's addresses know them before any page is loaded. */

export const SECURITY_KINDS = [
  'sign-in',
  'sign-out',
  'session-ended',
  'password',
  'two-factor',
  'link',
  'proof',
  'refusal',
  'limit',
] as const;
export type SecurityKind = (typeof SECURITY_KINDS)[number];

export const SECURITY_KIND_LABELS: Readonly<Record<SecurityKind, string>> = {
  'sign-in': 'Sign-in',
  'sign-out': 'Sign-out',
  'session-ended': 'Session ended',
  password: 'Password',
  'two-factor': 'Second factor',
  link: 'Link of a mail',
  proof: 'Fresh proof',
  refusal: 'Refused call',
  limit: 'Limit reached',
};

export const SECURITY_OUTCOMES = [
  ...(['done', 'next-step', 'link-sent', 'wrong-password', 'wrong-code', 'second-factor-closed', 'limit'] as const),
  ...(['link-unknown', 'link-used', 'link-expired', 'over', 'not-activated', 'no-organization', 'other-domain'] as const),
  ...(['other-account', 'foreign-page', 'not-permitted', 'refused'] as const),
] as const;
export type SecurityOutcome = (typeof SECURITY_OUTCOMES)[number];

/** What is no news to somebody who looks for what went wrong. */
export const SECURITY_WENT_WELL: readonly SecurityOutcome[] = ['done', 'next-step', 'link-sent'];

export const SECURITY_OUTCOME_LABELS: Readonly<Record<SecurityOutcome, string>> = {
  done: 'Done',
  'next-step': 'Right so far, next step asked for',
  'link-sent': 'Link sent by mail',
  'wrong-password': 'Wrong password',
  'wrong-code': 'Wrong code',
  'second-factor-closed': 'Second factor is closed',
  limit: 'Too many tries',
  'link-unknown': 'Unknown link, forged or ended',
  'link-used': 'Link was used before',
  'link-expired': 'Link has expired',
  over: 'Session or sign-in was over',
  'not-activated': 'Address not confirmed yet',
  'no-organization': 'On no team',
  'other-domain': 'At another organization’s address',
  'other-account': 'Of another account',
  'foreign-page': 'Not from the console’s own page',
  'not-permitted': 'Not permitted',
  refused: 'Refused',
};

/** By what somebody was, or tried to be, known. */
export const SECURITY_FACTORS = ['', 'password', 'code', 'recovery-code', 'password+code', 'password+recovery-code', 'link'] as const;
export type SecurityFactors = (typeof SECURITY_FACTORS)[number];

export const SECURITY_FACTORS_LABELS: Readonly<Record<SecurityFactors, string>> = {
  '': '',
  password: 'password',
  code: 'code',
  'recovery-code': 'recovery code',
  'password+code': 'password and code',
  'password+recovery-code': 'password and recovery code',
  link: 'link',
};

/** What of a refused call was missing, by the code of the refusal; any other is told by its code. */
export const MISSING_LABELS: Readonly<Record<string, string>> = {
  ab_test_forbidden: 'the page A/B testing',
  change_log_forbidden: 'the owner’s role',
  configuration_forbidden: 'the owner’s role',
  export_unmask_forbidden: 'the owner’s role',
  feed_unmask_forbidden: 'the owner’s role',
  help_forbidden: 'a super admin’s role',
  installation_forbidden: 'a super admin’s role',
  lead_decision_forbidden: 'a page that shows leads',
  page_forbidden: 'the page',
  portal_only: 'a sign-in for more than a portal',
  portal_other_side: 'the portal of the other side',
  portal_unbound: 'a company to be bound to',
  record_forbidden: 'the page Setup',
  record_shared: 'all verticals that share the record',
  request_foreign: 'the console’s own page',
  security_log_forbidden: 'the owner’s role',
  session_missing: 'a session',
  session_proof_without_password: 'the password',
  team_forbidden: 'the owner’s role',
  unmask_forbidden: 'the owner’s role',
  view_not_yours: 'the own view',
  view_share_forbidden: 'the owner’s role',
};
