/** Answers come from outside: whatever a shell or buyer makes of one, the engine reads a sound one. */
import type { Candidate } from './candidate.ts';
import type { Explanation, Outcome } from './decision.ts';
import type { Answer, BuyerCall } from './effect.ts';
import { formatMoney, isMoney } from './money.ts';
import type { Instant, Money } from './plan.ts';
import { type Ask, addStep, ask, explanation, type Run, stopRun } from './run.ts';

/** An answer with a price that is an amount or absent, at a ping a positive one, and times that are finite. */
export type SoundAnswer = Answer;

const OUTCOMES: ReadonlySet<string> = new Set(['accepted', 'rejected', 'duplicate', 'pending', 'error', 'timeout']);

/** Calls all at once; one sound answer per call, in order. A missing answer is an error. */
export function* callBuyers(
  run: Run,
  calls: { candidate: Candidate; call: BuyerCall }[],
): Ask<{ answers: SoundAnswer[]; startedAt: Instant }> {
  const startedAt = run.now;
  for (const { candidate, call } of calls) noteCall(run, candidate, call);
  const result = yield* ask(run, { kind: 'call', calls: calls.map(({ call }) => call) });
  if (result?.publisherGone) stopRun(run, explanation('publisher-gone'));
  return { answers: calls.map(({ call }, index) => readAnswer(call.leg, result?.answers?.[index])), startedAt };
}

function noteCall(run: Run, candidate: Candidate, call: BuyerCall): void {
  run.tried.add(call.buyerTierId);
  const price = call.price === undefined ? null : formatMoney(call.price);
  addStep(
    run,
    explanation(call.leg === 'ping' ? 'pinged' : 'posted', { timeoutMs: call.timeoutMs, price }),
    candidate.member.groupId,
    call.buyerTierId,
  );
}

function readAnswer(leg: 'ping' | 'post', answer: Answer | undefined): SoundAnswer {
  const sound: SoundAnswer = {
    outcome: answer && OUTCOMES.has(answer.outcome) ? answer.outcome : 'error',
    reasons: Array.isArray(answer?.reasons) ? answer.reasons.map(String) : [],
    captures: answer?.captures ?? {},
    sent: answer?.sent !== false,
    elapsedMs: answer && answer.elapsedMs >= 0 && Number.isFinite(answer.elapsedMs) ? answer.elapsedMs : 0,
  };
  // A bid of nothing is none; a sale at nothing is told as it came, and judged by the tier's rule.
  if (isMoney(answer?.price) && (answer.price > 0 || leg === 'post')) sound.price = answer.price;
  if (answer?.unclear === true || answer === undefined) sound.unclear = true;
  if (typeof answer?.redirectUrl === 'string') sound.redirectUrl = answer.redirectUrl;
  if (Number.isFinite(answer?.expiresAt)) sound.expiresAt = answer!.expiresAt!;
  if (answer?.limited === true) sound.limited = true;
  if (Number.isFinite(answer?.restsUntil)) sound.restsUntil = answer!.restsUntil!;
  return sound;
}

/** Why an answer that is no more than a no is one. */
export function explainDecline(leg: 'ping' | 'post', { limited, restsUntil, reasons }: SoundAnswer): Explanation {
  const said = reasons.join('; ');
  return limited
    ? explanation('buyer-limited', { leg, restsUntil: restsUntil ?? null, reasons: said })
    : explanation('buyer-rejected', { leg, reasons: said });
}

/** Why there is no answer, or none that says anything. */
export function explainError(leg: 'ping' | 'post', { sent, unclear, reasons }: SoundAnswer): Explanation {
  return explanation('buyer-error', { leg, sent, reasons: reasons.join('; '), ...(sent && unclear && { unclear }) });
}

/** Appends the attempt; `outcome` is what this request came to. */
export function recordAttempt(
  run: Run,
  candidate: Candidate,
  leg: 'ping' | 'post',
  startedAt: Instant,
  answer: SoundAnswer,
  outcome: Outcome,
  agreed?: Money,
): void {
  run.attempts.push({
    buyerTierId: candidate.tier.config.id,
    groupId: candidate.member.groupId,
    leg,
    startedAt,
    elapsedMs: answer.elapsedMs,
    answer: answer.outcome,
    outcome,
    reasons: answer.reasons,
    index: run.attempts.length,
    ...(leg === 'ping' && answer.price !== undefined ? { bid: answer.price } : {}),
    ...(leg === 'post' && agreed !== undefined ? { bid: agreed } : {}),
    ...(leg === 'post' && answer.price !== undefined ? { price: answer.price } : {}),
  });
}
