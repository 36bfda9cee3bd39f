/**
 * Server-sent events to one screen, for as long as its session lasts. The id of an event is a cursor: made as ids are, of the moment up to which
 * everything was told.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireSignedIn, type sessionCookies } from '#server/session/signed-in.ts';

const HEARTBEAT_MS = 15_000;
/** A session that ended must not go on listening. */
const CHECK_SESSION_MS = 1_000;
/** Waiting to be read, in bytes: a screen that reads no more is let go, and comes back for what it missed. */
const UNREAD_MOST = 1024 * 1024;

export interface EventStream {
  /** `at`: the moment of what is told late; milliseconds since the epoch. */
  tell(name: string, data: unknown, at?: number): void;
  end(): void;
}

export function openEventStream(reply: FastifyReply): EventStream {
  reply.hijack();
  const { raw } = reply;
  const headers = { 'content-type': 'text/event-stream', 'cache-control': 'no-store', connection: 'keep-alive', 'x-accel-buffering': 'no' };
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers });
  raw.write(': welcome\n\n');
  return {
    tell(name, data, at) {
      if (raw.destroyed) return;
      raw.write(`id: ${newId(at)}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`);
      if (raw.writableLength > UNREAD_MOST) raw.destroy();
    },
    end: () => void raw.end(),
  };
}

export interface LiveStream extends EventStream {
  /** Everything up to now was told; from now on that is said every 15 seconds. */
  here(): void;
  onClose(left: () => void): void;
}

/** Opens streams that end with the session, with what it may (`mayStay`, asked every second), and with the node. */
export function openLiveStreams(app: FastifyInstance, db: Db, cookies: ReturnType<typeof sessionCookies>) {
  const streams = new Set<EventStream>();
  app.addHook('preClose', async () => {
    for (const stream of streams) stream.end();
  });
  return (request: FastifyRequest, reply: FastifyReply, mayStay: (now: SignedIn) => boolean): LiveStream => {
    const stream = openEventStream(reply);
    streams.add(stream);
    let beat: NodeJS.Timeout | undefined;
    const here = () => stream.tell('here', {});
    const check = setInterval(() => {
      requireSignedIn(db, cookies, request, false)
        .then((now) => mayStay(now) || stream.end())
        .catch(() => stream.end());
    }, CHECK_SESSION_MS);
    let isClosed = false;
    const leaving: (() => void)[] = [];
    const close = () => {
      isClosed = true;
      streams.delete(stream);
      clearInterval(beat);
      clearInterval(check);
      for (const left of leaving.splice(0)) left();
    };
    // The screen may have gone while it was looked up who asks.
    if (reply.raw.destroyed) close();
    else reply.raw.on('close', close);
    return {
      ...stream,
      here() {
        here();
        if (!isClosed) beat ??= setInterval(here, HEARTBEAT_MS);
      },
      onClose(left) {
        if (isClosed) left();
        else leaving.push(left);
      },
    };
  };
}
