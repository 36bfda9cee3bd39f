/**
 * Sends spans to a collector by OTLP over HTTP, as JSON: in batches, one at a time, beside everything else. What waits is bounded; a collector that is slow or away
 * costs spans, and no lead and no memory.
 */
import { otlpOf } from './otlp.ts';
import type { SpanRecord } from './tracer.ts';

export interface SpanSender {
  keep(span: SpanRecord): void;
  waiting(): number;
  /** Sends what waits, for a moment. */
  close(): Promise<void>;
}

export interface SpanSenderOptions {
  /** The collector, such as http://localhost:4318; spans go to v1/traces below it. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  /** Told of this node, with every batch. */
  resource: Readonly<Record<string, string>>;
  counted: (outcome: 'sent' | 'dropped' | 'lost', spans: number) => void;
  everyMs?: number;
}

export const MOST_WAITING = 8_192;
const BATCH = 512;
const EVERY_MS = 2_000;
const SEND_WITHIN_MS = 5_000;
/** A collector that did not take a batch is left alone so long, twice as long each time. */
const PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export function openSpanSender({ endpoint, headers, resource, counted, everyMs = EVERY_MS }: SpanSenderOptions): SpanSender {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  let waiting: SpanRecord[] = [];
  let sending: Promise<void> | undefined;
  let pauseMs = 0;
  let pausedUntil = 0;
  let isClosing = false;
  let under: AbortController | undefined;

  async function sendAll(): Promise<void> {
    while (waiting.length > 0 && performance.now() >= pausedUntil) {
      const batch = waiting.slice(0, BATCH);
      waiting = waiting.slice(BATCH);
      const isTaken = await send(batch);
      counted(isTaken ? 'sent' : 'lost', batch.length);
      pauseMs = isTaken ? 0 : Math.min(LONGEST_PAUSE_MS, Math.max(PAUSE_MS, pauseMs * 2));
      pausedUntil = performance.now() + pauseMs;
    }
  }

  async function send(batch: SpanRecord[]): Promise<boolean> {
    under = new AbortController();
    const signal = AbortSignal.any([under.signal, AbortSignal.timeout(SEND_WITHIN_MS)]);
    try {
      const body = JSON.stringify(otlpOf(resource, batch));
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
        signal,
        redirect: 'error',
      });
      await answer.body?.cancel();
      return answer.ok;
    } catch {
      return false;
    }
  }

  function start(): void {
    if (isClosing) return;
    sending ??= sendAll().finally(() => {
      sending = undefined;
    });
  }

  const timer = setInterval(start, everyMs);
  timer.unref();
  return {
    keep(span) {
      if (waiting.length >= MOST_WAITING) return counted('dropped', 1);
      waiting.push(span);
      if (waiting.length >= BATCH) start();
    },
    waiting: () => waiting.length,
    async close() {
      start();
      isClosing = true;
      clearInterval(timer);
      const last = setTimeout(() => under?.abort(), CLOSE_WITHIN_MS);
      await sending;
      clearTimeout(last);
    },
  };
}

const CLOSE_WITHIN_MS = 1_000;
