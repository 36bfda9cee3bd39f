import { composeMail } from '#server/mail/compose-mail.ts';
import type { MailContent } from '#server/mail/mail.ts';

export function activationMail(firstName: string, url: string): MailContent {
  return composeMail({
    subject: 'Confirm your address for Sluice',
    paragraphs: [`Hello ${firstName},`, 'Your organization is registered. Confirm that this address is yours, and your account is active.'],
    button: { label: 'Confirm my address', url },
    after: ['The link is good for 3 days.', 'If you did not register, do nothing: the account stays closed.'],
  });
}
