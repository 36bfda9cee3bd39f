/**
 * Pages with a plain path of their own (account §2); all others live behind '#!' (console §2). Mails, invitations and printed
 * links use these. Held by both sides: the browser writes such addresses, the server answers them with the console's page.
 */
const WORDS = new Set([
  ...['login', 'forgot-password', 'reset-mfa', 'reset', 'invitation-confirm-email', 'member-register', 'register', 'invitation'],
  ...['team', 'organization-edit', 'preferences', 'change-profile', 'change-password', 'monitor', 'no-permission', 'home'],
  ...['drawcard'],
]);

export function isPlainPath(path: string): boolean {
  return path.startsWith('/') && WORDS.has(path.slice(1).split(/[/?]/, 1)[0]!);
}
