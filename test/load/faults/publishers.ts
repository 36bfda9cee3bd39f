/** Thirty-two publishers that never give a lead up: it is sent again, under the same key, until somebody answers for it. They remember every answer. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { LEAD } from '#test/harness/world.ts';

/** What a publisher was told of one lead: an answer that names the lead is an acknowledgement. */
export interface Acknowledged {
  consumer: string;
  leadId: string;
  status: string;
}

export interface Publishers {
  acknowledged: Acknowledged[];
  /** Consumers whose lead was sent and of which nothing is known yet. */
  underWay: Set<string>;
  /** Consumers for whom nobody has answered for five minutes, with what was said last. */
  unanswered: string[];
  /** The longest that one was sent again before it was answered for. */
  longestMs: number;
  /** Calls to a node that was not being killed, and how many of them failed. */
  toOthers: { calls: number; failed: number };
  /** Ends when the last lead has its answer. */
  stop(): Promise<void>;
}

const PUBLISHERS = 32;
/** Every so many leads are sent by several callers at once, to whichever node. */
const SENT_TWICE_EVERY = 5;
/** Rounds that follow each other closely leave nobody the ten seconds of peace after which a lost node's leads are ended. */
const PATIENCE_MS = 300_000;
/** Between tries of one lead; each pause is twice the one before it, up to the last. So many leads are tried again at once; beyond that nothing new is sent. */
const FIRST_PAUSE_MS = 200;
const LAST_PAUSE_MS = 2_000;
const MOST_WAITING = 400;

/** `nodes`: their addresses now; `isTroubled`: whether the one at this place is being killed or has just been. */
export function startPublishers(key: string, nodes: () => string[], isTroubled: (at: number) => boolean): Publishers {
  const agent = new Agent({ connections: 256, headersTimeout: 30_000 });
  const publishers: Publishers = {
    acknowledged: [],
    underWay: new Set(),
    unanswered: [],
    longestMs: 0,
    toOthers: { calls: 0, failed: 0 },
    stop,
  };
  let stopped = false;
  let serial = 0;
  const waiting = new Set<Promise<void>>();
  const keep = (sending: Promise<void>) => {
    waiting.add(sending);
    void sending.finally(() => waiting.delete(sending));
  };
  const running = Array.from({ length: PUBLISHERS }, async () => {
    while (!stopped) {
      if (waiting.size >= MOST_WAITING) {
        await sleep(FIRST_PAUSE_MS);
        continue;
      }
      serial += 1;
      const consumer = `consumer${serial}@example.com`;
      const callers = serial % SENT_TWICE_EVERY === 0 ? [0, 1, 1] : [serial % 2];
      // One that nobody answers is tried again beside the next ones.
      await Promise.all(callers.map((first) => new Promise<void>((tried) => keep(sendUntilAnswered(consumer, first, tried)))));
    }
  });

  async function sendUntilAnswered(consumer: string, first: number, tried: () => void): Promise<void> {
    publishers.underWay.add(consumer);
    const began = Date.now();
    let said = '';
    let pauseMs = FIRST_PAUSE_MS;
    for (let at = first; Date.now() - began < PATIENCE_MS; at = 1 - at) {
      const told = await sendOnce(consumer, at, (text) => {
        said = text;
      });
      tried();
      if (told) {
        publishers.acknowledged.push({ consumer, ...told });
        publishers.longestMs = Math.max(publishers.longestMs, Date.now() - began);
        publishers.underWay.delete(consumer);
        return;
      }
      await sleep(pauseMs);
      pauseMs = Math.min(LAST_PAUSE_MS, pauseMs * 2);
    }
    publishers.unanswered.push(`${consumer} (${said})`);
    publishers.underWay.delete(consumer);
  }

  /** Undefined where the node did not take the lead on: gone, away from its database, or busy with the same lead. */
  async function sendOnce(consumer: string, at: number, hear: (text: string) => void): Promise<Omit<Acknowledged, 'consumer'> | undefined> {
    const url = nodes()[at];
    const wasCalm = !isTroubled(at);
    let told: Omit<Acknowledged, 'consumer'> | undefined;
    try {
      const answer = await request(`${url}/api/v1/leads`, {
        dispatcher: agent,
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': consumer },
        body: JSON.stringify({ ...LEAD, email: consumer }),
      });
      const json = (await answer.body.json()) as { leadId?: string; status: string };
      hear(`${answer.statusCode} ${JSON.stringify(json).slice(0, 120)}`);
      if (json.leadId && answer.statusCode !== 503 && answer.statusCode !== 409) told = { leadId: json.leadId, status: json.status };
    } catch (error) {
      // The node is gone; the lead goes to the other one.
      hear(String(error));
    }
    if (wasCalm && !isTroubled(at)) {
      publishers.toOthers.calls += 1;
      if (!told) publishers.toOthers.failed += 1;
    }
    return told;
  }

  async function stop(): Promise<void> {
    stopped = true;
    await Promise.all(running);
    await Promise.all(waiting);
    await agent.close();
  }
  return publishers;
}
