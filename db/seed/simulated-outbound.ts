/** Calls to the simulated buyers without a socket: the market's own characters answer, and their delays pass on the lead's clock. */
import type { Outbound, OutboundCall } from '#server/delivery/outbound.ts';
import type { LateAnswer, OutboundResult } from '#server/delivery/outbound-exchange.ts';
import type { MarketAnswer } from '#server/market/market-answer.ts';
import { askCharacter, readMarketPath } from '#server/market/simulate-delivery.ts';
import type { Random } from './random.ts';

/** The time of one lead; it only goes on when something takes time. */
export interface LeadClock {
  at: number;
}

export interface SimulatedOutbound extends Outbound {
  /** Answers that came after their time limit, in the order in which they arrive. */
  late: { at: number; hear: () => void }[];
}

/** How long an answer is listened to after its time limit, as in server/delivery/outbound.ts. */
const LATE_GRACE_MS = 30_000;

export function openSimulatedOutbound(clock: LeadClock, marketSeed: number, random: Random): SimulatedOutbound {
  const late: SimulatedOutbound['late'] = [];
  async function call(one: OutboundCall): Promise<OutboundResult> {
    const began = clock.at;
    const connectMs = random.between(0.4, 2.2);
    const decided = askMarket(one, marketSeed);
    const answerMs = decided.kind === 'failure' && decided.how === 'hang' ? Number.POSITIVE_INFINITY : connectMs + decided.delayMs;
    // Calls made at the same moment run side by side: each moves the clock only to its own end.
    await Promise.resolve();
    clock.at = Math.max(clock.at, began + Math.min(answerMs, one.timeoutMs));
    if (answerMs < one.timeoutMs) return resultOf(decided, connectMs);
    if (decided.kind === 'answer' && answerMs < one.timeoutMs + LATE_GRACE_MS) keepLate(late, one, decided, connectMs, began + answerMs);
    const timing = { connectMs, waitMs: one.timeoutMs - connectMs, readMs: 0 };
    return { kind: 'failure', why: 'timeout', sent: true, timing };
  }
  return { call, late, underWay: () => 0, close: async () => {} };
}

function keepLate(late: SimulatedOutbound['late'], one: OutboundCall, decided: Answered, connectMs: number, at: number): void {
  const { onLateAnswer } = one;
  if (!onLateAnswer) return;
  const answer: LateAnswer = { ...responseOf(decided, connectMs), elapsedMs: connectMs + decided.delayMs };
  late.push({ at, hear: () => onLateAnswer(answer) });
}

type Answered = Extract<MarketAnswer, { kind: 'answer' }>;

function askMarket({ request }: OutboundCall, seed: number): MarketAnswer {
  const place = readMarketPath(new URL(request.url).pathname);
  if (!place) return { kind: 'answer', status: 404, headers: {}, body: '', delayMs: 1 };
  const { leg, ...buyer } = place;
  return askCharacter({ ...buyer, seed }, leg, request.headers['content-type'] ?? '', request.body ?? '');
}

function resultOf(decided: MarketAnswer, connectMs: number): OutboundResult {
  if (decided.kind === 'answer') return responseOf(decided, connectMs);
  return { kind: 'failure', why: 'reset', sent: true, timing: { connectMs, waitMs: decided.delayMs, readMs: 0 } };
}

function responseOf({ status, headers, body, delayMs }: Answered, connectMs: number) {
  const readMs = Math.min(0.3, delayMs);
  const timing = { connectMs, waitMs: delayMs - readMs, readMs };
  return { kind: 'response' as const, status, headers, body: Buffer.from(body), timing };
}
