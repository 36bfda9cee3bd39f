/** The second try of a call of which nothing has left: nobody can have taken the lead twice (engine "retry"). */
import { setTimeout as sleep } from 'node:timers/promises';
import { MINIMUM_CALL_MS } from '#engine/run.ts';
import type { OutboundFailure, OutboundResult } from './outbound-exchange.ts';

/** A server that starts anew, or a name that is looked up elsewhere, has this moment. */
const PAUSE_MS = 100;

/** Why the first of two tries came to nothing. */
export interface FirstTry {
  why: OutboundFailure;
  detail?: string;
}

interface Tries {
  /** One try, within what is left of the time limit; `spentMs` went by before it. */
  send: (leftMs: number, before: { firstTry: FirstTry; spentMs: number } | undefined) => Promise<OutboundResult>;
  /** Whether there is room for it still. */
  hasRoom: () => boolean;
}

/** Once more where there was no connection, and only where a call is worth starting still. The result is that of the last try, with the times of both. */
export async function tryTwice(timeoutMs: number, { send, hasRoom }: Tries): Promise<OutboundResult> {
  const startedAt = performance.now();
  const spent = () => performance.now() - startedAt;
  const first = await send(timeoutMs, undefined);
  if (first.kind !== 'failure' || first.sent || first.why !== 'connect') return first;
  if (timeoutMs - spent() < PAUSE_MS + MINIMUM_CALL_MS) return first;
  await sleep(PAUSE_MS);
  const spentMs = spent();
  if (timeoutMs - spentMs < MINIMUM_CALL_MS || !hasRoom()) return first;
  const firstTry: FirstTry = { why: first.why, ...(first.detail !== undefined && { detail: first.detail }) };
  const second = await send(timeoutMs - spentMs, { firstTry, spentMs });
  return { ...second, timing: { ...second.timing, connectMs: spentMs + (second.timing.connectMs ?? 0) }, firstTry };
}
