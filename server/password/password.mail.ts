import { composeMail } from '#server/mail/compose-mail.ts';
import type { MailContent } from '#server/mail/mail.ts';

export function passwordResetLetter(url: string): MailContent {
  return composeMail({
    subject: 'Set a new password',
    paragraphs: ['Somebody, we hope you, asked for a new password for your account.'],
    button: { label: 'Set a new password', url },
    after: ['The link is good for 30 minutes, once. If it was not you, do nothing: your password stays as it is.'],
  });
}

export function passwordChangedLetter(): MailContent {
  return composeMail({
    subject: 'Your password was changed',
    paragraphs: ['The password of your account was changed, and your other sessions have ended.'],
    after: ['If it was not you, ask for a new password at once on the sign-in page and tell the owner of your organization.'],
  });
}
