/**
 * Leads that go out as mails to buyers. Each is tried once, on a connection of its own: a pool would send again by itself what was cut
 * off, and a lead that was sent twice may be sold twice. So many go out at once; who waits longer than its lead may wait has sent nothing.
 */
import { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';

/** What a mail server said to one mail: its code and words, or why there is no answer. `sent` is false only when it cannot have the mail. */
export type MailReply =
  | { kind: 'reply'; code: number; text: string }
  | { kind: 'failure'; why: 'connect' | 'reset'; sent: boolean; detail: string };

/** One mail to somebody outside. */
export interface OutsideMail {
  to: string;
  copyTo: string[];
  replyTo?: string;
  subject: string;
  text?: string;
  html?: string;
  /** XML where it does not say what it is. */
  attachment?: { name: string; content: string; contentType?: string };
}

export interface Sending {
  reply: Promise<MailReply>;
  /** Takes the mail back; false when the mail server may have it already. */
  takeBack(): boolean;
}

export interface LeadMails {
  send(mail: OutsideMail): Sending;
}

/** A mail's parts are what they say, never a file or an address to fetch. */
export const NO_FILES = { disableFileAccess: true, disableUrlAccess: true } as const;

const TAKEN_BACK: MailReply = { kind: 'failure', why: 'connect', sent: false, detail: 'taken back' };

/** `from` is the sender; `atOnce` how many connections there are to the mail server. */
export function openLeadMails(smtp: { url: string; connectionTimeout?: number }, from: string, atOnce = 10): LeadMails {
  const transport = openTransport(smtp);
  const waiting: (() => void)[] = [];
  let underWay = 0;

  const leave = () => {
    underWay -= 1;
    waiting.shift()?.();
  };

  async function deliver(mail: OutsideMail, stage: Stage, answer: (reply: MailReply) => void): Promise<void> {
    underWay += 1;
    try {
      const reply = await sendOne(transport, from, mail, stage);
      answer(reply);
      // Nobody has a copy of what the buyer did not take. What becomes of copies changes nothing.
      if (reply.kind === 'reply' && isAcceptance(reply.code) && mail.copyTo.length > 0)
        await transport.sendMail({ ...messageOf(from, mail), envelope: { from, to: mail.copyTo } }).catch(() => {});
    } finally {
      leave();
    }
  }

  return {
    send(mail) {
      const { promise: reply, resolve: answer } = Promise.withResolvers<MailReply>();
      const stage: Stage = { isHanded: false, abort: new AbortController() };
      const begin = () => void deliver(mail, stage, answer);
      if (underWay < atOnce) begin();
      else waiting.push(begin);
      return {
        reply,
        takeBack() {
          if (stage.isHanded) return false;
          const place = waiting.indexOf(begin);
          if (place >= 0) waiting.splice(place, 1);
          stage.abort.abort();
          answer(TAKEN_BACK);
          return true;
        },
      };
    },
  };
}

/** `isHanded` once the mail server has asked for the mail itself: from then on it may have it. */
interface Stage {
  isHanded: boolean;
  abort: AbortController;
}

type Transport = ReturnType<typeof openTransport>;
type Message = SendMailOptions & { stage?: Stage };

function openTransport({ url, connectionTimeout = 10_000 }: { url: string; connectionTimeout?: number }) {
  const transport = createTransport({ url, connectionTimeout, socketTimeout: 20_000 });
  transport.use('stream', (mail, done) => {
    const { stage } = mail.data as Message;
    const message = mail.message as { createReadStream(): NodeJS.ReadableStream };
    const read = message.createReadStream.bind(message);
    if (stage) message.createReadStream = () => Readable.from(noting(stage, read));
    done();
  });
  return transport;
}

/** Nothing is read of a message before sender and recipient are taken and the server has answered DATA. */
async function* noting(stage: Stage, read: () => NodeJS.ReadableStream) {
  stage.isHanded = true;
  yield* read();
}

/** The mail server's own answer: acceptance or refusal of the recipient or of the mail. */
async function sendOne(transport: Transport, from: string, mail: OutsideMail, stage: Stage): Promise<MailReply> {
  const { to } = mail;
  try {
    const message: Message = { ...messageOf(from, mail), envelope: { from, to: [to] }, signal: stage.abort.signal, stage };
    const told = await transport.sendMail(message);
    // The mailer may spell an address another way: what is not plainly accepted counts as refused, for a lead that nobody got is not sold.
    if (!told.accepted.some((one) => sameAddress(one, to))) return replyOf((told.rejectedErrors?.[0] ?? {}) as MailError, stage);
    return { kind: 'reply', code: codeOf(told.response), text: told.response ?? 'accepted' };
  } catch (error) {
    return replyOf(error as MailError, stage);
  }
}

function messageOf(from: string, { to, copyTo, replyTo, subject, text, html, attachment }: OutsideMail): SendMailOptions {
  return {
    from,
    to: plain(to),
    cc: copyTo.map(plain),
    ...(replyTo !== undefined && { replyTo: plain(replyTo) }),
    subject,
    ...(text !== undefined && { text }),
    ...(html !== undefined && { html }),
    ...(attachment && {
      attachments: [{ filename: attachment.name, content: attachment.content, contentType: attachment.contentType ?? 'application/xml' }],
    }),
    ...NO_FILES,
  };
}

/** An address object: nothing in it can become a second recipient or a header. */
const plain = (address: string) => ({ name: '', address });

/** Mail servers tell capitals apart in no address that people use. */
const sameAddress = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const isAcceptance = (code: number): boolean => code >= 200 && code < 300;

/** The code that a mail server's line begins with. */
function codeOf(line = ''): number {
  return Number(/^\d{3}/.exec(line)?.[0] ?? 250);
}

/** As nodemailer tells it. */
type MailError = Partial<Error> & { code?: string; command?: string; responseCode?: number; response?: string };

/** Only to recipient and mail the answer is the buyer's; what comes before is between us and our own mail server, and nothing was sent. */
function replyOf({ code = '', command = '', responseCode, response, message = '' }: MailError, { isHanded }: Stage): MailReply {
  if (responseCode && (command === 'RCPT TO' || command === 'DATA'))
    return { kind: 'reply', code: responseCode, text: response ?? message };
  const isBefore = !isHanded || code === 'EENVELOPE' || command === 'MAIL FROM';
  return { kind: 'failure', why: isBefore ? 'connect' : 'reset', sent: !isBefore, detail: code || 'the mail server' };
}
