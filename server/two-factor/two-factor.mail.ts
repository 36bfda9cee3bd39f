import { composeMail } from '#server/mail/compose-mail.ts';
import type { MailContent } from '#server/mail/mail.ts';

export function twoFactorResetLetter(url: string): MailContent {
  return composeMail({
    subject: 'Reset your two-factor sign-in',
    paragraphs: [
      'Somebody, we hope you, asked to reset the two-factor sign-in of your account.',
      'Open the link and confirm. Afterwards your password alone leads to setting up a new authenticator.',
    ],
    button: { label: 'Reset two-factor sign-in', url },
    after: ['The link is good for 30 minutes, once. If it was not you, do nothing: without the link nothing changes.'],
  });
}

/** `organization`: names the team to an owner; undefined when the person is told. */
export function twoFactorResetNotice(
  user: { email: string; first_name: string; last_name: string },
  organization: string | undefined,
): MailContent {
  const who =
    organization === undefined ? 'your account' : `${user.first_name} ${user.last_name} (${user.email}), on the team of ${organization},`;
  return composeMail({
    subject: 'Two-factor sign-in was reset',
    paragraphs: [`The two-factor sign-in of ${who} was reset by a link in a mail. All sessions have ended.`],
    after: [
      organization === undefined
        ? 'If it was not you, set a new password at once and tell the owner of your organization.'
        : 'If this is unexpected, disable the account on the team page and ask the person.',
    ],
  });
}

export function twoFactorChangedLetter(): MailContent {
  return composeMail({
    subject: 'Your two-factor sign-in was changed',
    paragraphs: [
      'An authenticator was set up for your account, or its recovery codes were made anew. Older recovery codes are no longer good.',
    ],
    after: ['If it was not you, set a new password at once and tell the owner of your organization.'],
  });
}

export function twoFactorClosedLetter(): MailContent {
  return composeMail({
    subject: 'Your two-factor sign-in is closed',
    paragraphs: [
      'Somebody who knows your password entered too many wrong codes. No code opens your account any more until you reset two-factor sign-in: choose “Reset two-factor sign-in” where you sign in, and open the link in the mail.',
    ],
    after: ['If it was not you, set a new password first, and tell the owner of your organization.'],
  });
}
