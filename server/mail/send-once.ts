/** One mail to somebody outside, and what the mail server says to it. */
import type { Transporter } from 'nodemailer';

/** What a mail server said to one mail: its code and words, or why there is no answer. `sent` is false only when it cannot have the mail. */
export type MailReply =
  | { kind: 'reply'; code: number; text: string }
  | { kind: 'failure'; why: 'connect' | 'reset'; sent: boolean; detail: string };

/** One mail to somebody outside, sent once. */
export interface OutsideMail {
  to: string;
  copyTo: string[];
  replyTo?: string;
  subject: string;
  text?: string;
  html?: string;
  attachment?: { name: string; content: string };
}

/** A mail's parts are what they say, never a file or an address to fetch. */
export const NO_FILES = { disableFileAccess: true, disableUrlAccess: true } as const;

/** The mail server's own answer, acceptance or refusal of the first recipient; copies that were refused change nothing. */
export async function sendOnce(transport: Pick<Transporter, 'sendMail'>, from: string, mail: OutsideMail): Promise<MailReply> {
  const { to, copyTo, replyTo, subject, text, html, attachment } = mail;
  const plain = (address: string) => ({ name: '', address });
  try {
    const message = {
      from,
      to: plain(to),
      cc: copyTo.map(plain),
      ...(replyTo !== undefined && { replyTo: plain(replyTo) }),
      subject,
      ...(text !== undefined && { text }),
      ...(html !== undefined && { html }),
      ...(attachment && { attachments: [{ filename: attachment.name, content: attachment.content, contentType: 'application/xml' }] }),
      ...NO_FILES,
    };
    const told = await transport.sendMail({ ...message, envelope: { from, to: [to] } });
    const refusals = (told.rejectedErrors as MailError[] | undefined) ?? [];
    // The mailer may spell an address another way: what is not plainly accepted counts as refused, for a lead that nobody got is not sold.
    const isTaken = (told.accepted ?? []).some((one) => sameAddress(one, to));
    const refusal = refusals.find((error) => sameAddress(error.recipient ?? '', to)) ?? (isTaken ? undefined : refusals[0]);
    if (refusal) return replyOf(refusal);
    // Nobody has a copy of what the buyer did not take. What becomes of copies changes nothing.
    if (copyTo.length > 0) void transport.sendMail({ ...message, envelope: { from, to: copyTo } }).catch(() => {});
    return { kind: 'reply', code: codeOf(told.response), text: told.response ?? 'accepted' };
  } catch (error) {
    return replyOf(error as MailError);
  }
}

/** Mail servers tell capitals apart in no address that people use. */
const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

/** The code that a mail server's line begins with. */
function codeOf(line = ''): number {
  return Number(/^\d{3}/.exec(line)?.[0] ?? 250);
}

/** As nodemailer tells it. */
type MailError = Error & { code?: string; command?: string; responseCode?: number; response?: string; recipient?: string };

/** Before the data a mail cannot have been taken. */
function replyOf({ code = '', command = '', responseCode, response, message }: MailError): MailReply {
  if (responseCode !== undefined) return { kind: 'reply', code: responseCode, text: response ?? message };
  const isBefore = command === 'CONN' || /^(EDNS|ECONNECTION|ECONNREFUSED|ETLS|EAUTH|EENVELOPE)$/.test(code);
  return { kind: 'failure', why: isBefore ? 'connect' : 'reset', sent: !isBefore, detail: code || 'the mail server' };
}
