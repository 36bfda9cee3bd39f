/** Mails go out by the installation's mail server instead of a call; to whoever waits its answer looks like any other: status 250 is acceptance. */
import type { LeadMails, MailReply, OutsideMail } from '#server/mail/lead-mails.ts';
import type { Outbound, OutboundCall } from './outbound.ts';
import type { OutboundResult } from './outbound-exchange.ts';

interface MailLimits {
  /** Mails under way per buyer. */
  concurrencyPerBuyer: number;
  /** How long the mail server's answer still counts as late after the time limit. */
  lateGraceMs?: number;
}

export function withMail(outbound: Outbound, courier: LeadMails, { concurrencyPerBuyer, lateGraceMs = 30_000 }: MailLimits): Outbound {
  const running = new Map<string, number>();
  const count = (bulkhead: string, by: number) => {
    const next = (running.get(bulkhead) ?? 0) + by;
    if (next <= 0) running.delete(bulkhead);
    else running.set(bulkhead, next);
  };

  async function sendMail(call: OutboundCall, mail: OutsideMail): Promise<OutboundResult> {
    if ((running.get(call.bulkhead) ?? 0) >= concurrencyPerBuyer) return notSent('too-busy');
    if (call.timeoutMs <= 0) return notSent('timeout');
    const startedAt = performance.now();
    const spent = () => performance.now() - startedAt;
    count(call.bulkhead, 1);
    const sending = courier.send(mail);
    const replied = sending.reply
      .catch((): MailReply => ({ kind: 'failure', why: 'reset', sent: true, detail: 'the mail server' }))
      .then((reply) => resultOf(reply, spent()))
      .finally(() => count(call.bulkhead, -1));
    const inTime = await within(replied, call.timeoutMs);
    if (inTime) return inTime;
    if (sending.takeBack()) return { kind: 'failure', why: 'timeout', sent: false, timing: { waitMs: spent(), readMs: 0 } };
    // The mail server may still accept it.
    void replied.then((late) => {
      if (late.kind === 'response' && spent() <= call.timeoutMs + lateGraceMs) call.onLateAnswer?.({ ...late, elapsedMs: spent() });
    });
    return { kind: 'failure', why: 'timeout', sent: true, timing: { waitMs: spent(), readMs: 0 } };
  }

  return {
    call: (call) => (call.request.mail ? sendMail(call, call.request.mail) : outbound.call(call)),
    underWay: (bulkhead) => (running.get(bulkhead) ?? 0) + outbound.underWay(bulkhead),
    close: () => outbound.close(),
  };
}

function notSent(why: 'too-busy' | 'timeout'): OutboundResult {
  return { kind: 'failure', why, sent: false, timing: { waitMs: 0, readMs: 0 } };
}

function resultOf(reply: MailReply, waitMs: number): OutboundResult {
  const timing = { waitMs, readMs: 0 };
  if (reply.kind === 'failure') return { ...reply, timing };
  return { kind: 'response', status: reply.code, headers: { 'content-type': 'text/plain' }, body: Buffer.from(reply.text), timing };
}

/** Undefined when the time is up first. */
async function within<Value>(promise: Promise<Value>, timeoutMs: number): Promise<Value | undefined> {
  const limit = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => limit.resolve(undefined), timeoutMs);
  try {
    return await Promise.race([promise, limit.promise]);
  } finally {
    clearTimeout(timer);
  }
}
