/** Leads as server-sent events to one screen. The id of an event is a cursor: made as ids are, of the moment up to which everything was told. */
import type { FastifyReply } from 'fastify';
import type { LeadRow } from '#contract/lead.ts';
import { newId } from '#server/kit/ids.ts';

/** Waiting to be read, in bytes: a screen that reads no more is let go, and comes back for what it missed. */
const UNREAD_MOST = 1024 * 1024;

export interface LeadStream {
  /** `at`: when it ended, where that is told late; milliseconds since the epoch. */
  lead(row: LeadRow, at?: number): void;
  /** Everything up to now was told. */
  here(): void;
  end(): void;
}

export function openLeadStream(reply: FastifyReply): LeadStream {
  reply.hijack();
  const { raw } = reply;
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive', 'x-accel-buffering': 'no' };
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  raw.write(': welcome\n\n');
  const event = (name: string, data: string, at?: number) => {
    if (raw.destroyed) return;
    raw.write(`id: ${newId(at)}\nevent: ${name}\ndata: ${data}\n\n`);
    if (raw.writableLength > UNREAD_MOST) raw.destroy();
  };
  return {
    lead: (row, at) => event('lead', JSON.stringify(row), at),
    here: () => event('here', '{}'),
    end: () => void raw.end(),
  };
}
