/**
 * Mail is written in the transaction of what it tells about and sent afterwards, with retries: a mail server that is away
 * delays mail and loses none. Several nodes may send; each mail is sent by one of them.
 */
import { createTransport, type Transporter } from 'nodemailer';
import type pg from 'pg';
import { type MasterKey, openUnder, sealUnder } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
import { TOKEN_LASTS_MS, type TokenPurpose } from '#server/token/one-time-token.ts';
import { type LeadMails, type MailReply, NO_FILES, type OutsideMail, openLeadMails, type Sending } from './lead-mails.ts';

export interface MailContent {
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Files a mail within `db`'s transaction. */
  file(db: Db, kind: string, recipient: string, content: MailContent): Promise<void>;
  /** What was filed last, newest first, for the mailbox page of local and test installations. */
  read(db: Db, limit: number): Promise<ReadMail[]>;
  /** Sends a mail at once, and never again: whoever waits for the answer decides what it means. Not kept, but where there is no mail server. */
  send(mail: OutsideMail): Sending;
  /** What is told of a mail, and where it is read where no mail leaves the installation. */
  told(msg: string): string;
  /** Sends what is due now, rather than at the next round. */
  sendDue(): Promise<void>;
  close(): Promise<void>;
}

export interface ReadMail extends MailContent {
  id: string;
  kind: string;
  recipient: string;
  createdAt: Date;
  sentAt: Date | null;
}

export interface MailerOptions {
  pool: pg.Pool;
  masterKey: MasterKey;
  /** Without one, mail stays where it is filed. */
  smtpUrl: string | undefined;
  /** Whether mail that stays counts as delivered: a local installation, whose mailbox page shows it. */
  hasMailbox: boolean;
  from: string;
  onError: (error: unknown) => void;
  metrics?: Counting;
}

const EVERY_MS = 2_000;
const PAUSES_MS = [10_000, 60_000, 5 * 60_000, 30 * 60_000, 2 * 3_600_000, 6 * 3_600_000];

export function openMailer({ pool, masterKey, smtpUrl, hasMailbox, from, onError, metrics = NO_COUNTING }: MailerOptions): Mailer {
  const transport = smtpUrl ? createTransport({ url: smtpUrl, pool: true, connectionTimeout: 10_000, socketTimeout: 20_000 }) : undefined;
  const keepOnly = async (mail: OutsideMail): Promise<MailReply> => {
    if (!hasMailbox) return { kind: 'failure', why: 'connect', sent: false, detail: 'no mail server is set' };
    await keepInMailbox(pool, masterKey, mail);
    return { kind: 'reply', code: 250, text: 'kept in the mailbox of this installation' };
  };
  const leadMails: LeadMails = smtpUrl
    ? openLeadMails({ url: smtpUrl }, from)
    : { send: (mail) => ({ reply: keepOnly(mail), takeBack: () => false }) };
  let running: Promise<void> | undefined;
  const sendDue = () => {
    if (!transport) return Promise.resolve();
    running ??= sendAll(pool, masterKey, transport, from, metrics)
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  const timer = setInterval(() => void sendDue(), EVERY_MS);
  timer.unref();
  return {
    async file(db, kind, recipient, content) {
      const id = newId();
      await db
        .insertInto('mail')
        .values({ id, kind, recipient, content: sealUnder(masterKey, boundTo(id), JSON.stringify(content)) })
        .execute();
    },
    async read(db, limit) {
      const rows = await db.selectFrom('mail').selectAll().where('content', 'is not', null).orderBy('id', 'desc').limit(limit).execute();
      return rows.map((row) => ({
        ...openContent(masterKey, row.id, row.content!),
        id: row.id,
        kind: row.kind,
        recipient: row.recipient,
        createdAt: row.created_at,
        sentAt: row.sent_at,
      }));
    },
    send: (mail) => leadMails.send(mail),
    told: (msg) => (!smtpUrl && hasMailbox ? `${msg} No mail leaves this installation: read it at /mailbox.` : msg),
    sendDue,
    async close() {
      clearInterval(timer);
      await running;
      transport?.close();
    },
  };
}

export function boundTo(id: string): string {
  return `mail.content|${id}`;
}

function openContent(masterKey: MasterKey, id: string, sealed: Buffer): MailContent {
  return JSON.parse(openUnder(masterKey, boundTo(id), sealed).toString('utf8')) as MailContent;
}

async function sendAll(pool: pg.Pool, masterKey: MasterKey, transport: Transporter, from: string, metrics: Counting): Promise<void> {
  for (;;) {
    const outcome = await sendNext(pool, masterKey, transport, from);
    if (!outcome) return;
    metrics.add('sluice_mails_total', { outcome });
  }
}

/** Undefined when none is due. Claims one mail by moving its next try into the future, so that a node that dies half-way does not keep it for good. */
async function sendNext(
  pool: pg.Pool,
  masterKey: MasterKey,
  transport: Transporter,
  from: string,
): Promise<'sent' | 'postponed' | 'given-up' | undefined> {
  const { rows } = await pool.query(
    `update mail set tries = tries + 1, send_after = now() + interval '2 minutes' where id = (
        select id from mail where sent_at is null and gave_up_at is null and send_after <= now() order by send_after limit 1 for update skip locked)
      returning id, kind, recipient, content, tries, extract(epoch from now() - created_at)::float8 * 1000 as age_ms`,
  );
  const [row] = rows;
  if (!row) return undefined;
  if (row.age_ms >= linkLastsMs(row.kind)) {
    await giveUp(pool, row.id);
    return 'given-up';
  }
  try {
    const { subject, text, html } = openContent(masterKey, row.id, row.content);
    // An address object: nothing in it can become a second recipient or a header.
    await transport.sendMail({
      from,
      to: { name: '', address: row.recipient },
      subject,
      text,
      html,
      ...NO_FILES,
    });
    // What was sent holds links that open accounts: it is not kept.
    await pool.query('update mail set sent_at = now(), content = null where id = $1', [row.id]);
    return 'sent';
  } catch {
    const pauseMs = PAUSES_MS[row.tries - 1];
    if (pauseMs === undefined) {
      await giveUp(pool, row.id);
      return 'given-up';
    }
    await pool.query(`update mail set send_after = now() + $2 * interval '1 millisecond' where id = $1`, [row.id, pauseMs]);
    return 'postponed';
  }
}

/** For how long the link of such a mail opens anything: afterwards it is of no use to its reader. */
function linkLastsMs(kind: string): number {
  return TOKEN_LASTS_MS[kind as TokenPurpose] ?? Number.POSITIVE_INFINITY;
}

const giveUp = (pool: pg.Pool, id: string) => pool.query('update mail set gave_up_at = now(), content = null where id = $1', [id]);

/** Never to be sent, even when a mail server is set one day: its lead has had its answer. */
async function keepInMailbox(pool: pg.Pool, masterKey: MasterKey, mail: OutsideMail): Promise<void> {
  const id = newId();
  const text = [mail.text, mail.attachment && `${mail.attachment.name}:\n${mail.attachment.content}`].filter(Boolean).join('\n\n');
  const content: MailContent = { subject: mail.subject, text: text || (mail.html ?? ''), html: mail.html ?? '' };
  await pool.query(`insert into mail (id, kind, recipient, content, gave_up_at) values ($1, 'lead', $2, $3, now())`, [
    id,
    mail.to,
    sealUnder(masterKey, boundTo(id), JSON.stringify(content)),
  ]);
}
