/** What a sub-domain may be (account §5): decided alike while typing and on the server. */
import type { MessageKey } from './message.ts';

/** Names that stand, or may one day stand, for the product itself. */
const RESERVED = new Set([
  ...['www', 'api', 'admin', 'login', 'mail', 'app', 'docs', 'help', 'static', 'assets', 'status', 'support', 'root', 'sluice'],
  ...[
    'account',
    'accounts',
    'auth',
    'billing',
    'blog',
    'cdn',
    'console',
    'demo',
    'dev',
    'drawcard',
    'email',
    'files',
    'ftp',
    'imap',
    'pop',
  ],
  ...['localhost', 'mailbox', 'mx', 'ns1', 'ns2', 'owner', 'ping', 'post', 'postmaster', 'public', 'register', 'security', 'smtp', 'sso'],
  ...['staging', 'team', 'test', 'webmail', 'system', 'abuse', 'noreply', 'no-reply', 'hostmaster', 'webmaster', 'metrics', 'monitor'],
]);

export const plainSubDomain = (text: string): string => text.trim().toLowerCase();

/**
 * Why a sub-domain, lower-cased, cannot be had, before anybody looks whether it is taken. ASCII only, so that no other alphabet's
 * letters and no punycode can look like somebody else's name.
 */
export function subDomainProblem(plain: string): MessageKey | undefined {
  if (!/^[a-z0-9]([a-z0-9-]{1,38})[a-z0-9]$/.test(plain)) return 'subDomainInvalid';
  if (plain.slice(2, 4) === '--') return 'subDomainInvalid';
  if (RESERVED.has(plain)) return 'subDomainReserved';
  return undefined;
}
