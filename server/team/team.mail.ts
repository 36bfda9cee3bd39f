/** Mail about the team. Names come from people: composeMail makes them text, and the subject one line. */
import { composeMail, type Letter } from '#server/mail/compose-mail.ts';
import type { MailContent } from '#server/mail/mail.ts';

export interface Invited {
  firstName: string;
  inviter: string;
  organization: string;
  url: string;
}

export function invitationMail({ firstName, inviter, organization, url }: Invited): MailContent {
  return composeMail({
    subject: `${inviter} invites you to ${organization} on Sluice`,
    paragraphs: [`Hello ${firstName},`, `${inviter} invites you to the team of ${organization} on Sluice.`],
    button: { label: 'See the invitation', url },
    after: [
      'You choose there whether to accept or to reject it. The link is good for 7 days and only for you.',
      'If you do not know the sender, do nothing: without you nothing happens.',
    ],
  });
}

/** A security notice: what happened, and what to do if it should not have. */
export function noticeMail(subject: string, ...paragraphs: string[]): MailContent {
  const letter: Letter = {
    subject,
    paragraphs,
    after: ['If this should not have happened, sign in and look at your team, or change your password.'],
  };
  return composeMail(letter);
}
