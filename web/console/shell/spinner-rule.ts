/** Account §2, §9: the spinner of route changes, where it stays away, and when it gives up. */
export const spinnerFallbackMs = 4000;

const userPages = [
  'login',
  'forgot-password',
  'reset-mfa',
  'reset',
  'register',
  'member-register',
  'invitation',
  'invitation-confirm-email',
];
const ownPages = ['change-profile', 'change-password', 'team', 'organization-edit', 'preferences', 'monitor'];
const editPages = ['tier/add', 'tier/edit', 'contact/add', 'contact/edit'];

/** False on user-related pages and where a tier or contact is added or edited. */
export function showsSpinner(path: string): boolean {
  const words = path.split(/[?#]/, 1)[0]!.split('/').filter(Boolean);
  if ([...userPages, ...ownPages].includes(words[0] ?? '')) return false;
  const page = words[0] === 'setup' ? words.slice(3) : words;
  return !editPages.includes(page.slice(0, 2).join('/'));
}
