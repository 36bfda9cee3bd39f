/** P2C and third-party validation: outside services that may say no before a lead goes further. */
import { type Candidate, decideCandidate } from './candidate.ts';
import { explainNoTime, type Walk } from './clock.ts';
import type { Explanation } from './decision.ts';
import type { OutsideCheck, OutsideVerdict } from './effect.ts';
import type { OutsideCheckConfig } from './plan.ts';
import { type Ask, addStep, ask, explanation, MINIMUM_CALL_MS, type Run } from './run.ts';

/** Undefined where the lead may go on. */
export function* askP2c(run: Run): Ask<Explanation | undefined> {
  const config = run.tier.config.p2c;
  if (!config) return undefined;
  const timeoutMs = checkTime(run, config);
  const check = { subject: { kind: 'publisherTier' as const, id: run.tier.config.id }, serviceId: config.serviceId, timeoutMs };
  const verdict = timeoutMs > 0 ? (yield* ask(run, { kind: 'check', checks: [check] }))?.verdicts?.[0] : undefined;
  if (!passes(config, verdict)) return explanation('p2c-refused', outsideParams(config, verdict));
  addStep(run, explanation('p2c-passed', outsideParams(config, verdict)));
  return undefined;
}

/** Those of `asked` that may be sent to their buyer; the others have their verdict. All services are asked at once. */
export function* validateByThirdParties(run: Run, walk: Walk, asked: Candidate[]): Ask<Candidate[]> {
  const checked = asked.filter((candidate) => candidate.tier.config.thirdParty && !run.tried.has(candidate.tier.config.id));
  if (checked.length === 0) return asked;
  const checks = checked.map((candidate) => checkOf(run, candidate));
  if (checks.some((check) => check.timeoutMs === 0)) return refuseForTime(run, walk, asked);
  const verdicts = (yield* ask(run, { kind: 'check', checks }))?.verdicts ?? [];
  return asked.filter((candidate) => {
    const place = checked.indexOf(candidate);
    return place < 0 || judge(run, candidate, verdicts[place]);
  });
}

function judge(run: Run, candidate: Candidate, verdict: OutsideVerdict | undefined): boolean {
  const config = candidate.tier.config.thirdParty!;
  const params = outsideParams(config, verdict);
  if (passes(config, verdict)) {
    addStep(run, explanation('third-party-passed', params), candidate.member.groupId, candidate.tier.config.id);
    return true;
  }
  const reason = 'buyer-tier-third-party-service-validation-failed';
  decideCandidate(run, candidate, 'filtered', { reason, why: explanation('third-party-refused', params) });
  return false;
}

function refuseForTime(run: Run, walk: Walk, asked: Candidate[]): Candidate[] {
  for (const candidate of asked) decideCandidate(run, candidate, 'notReached', { why: explainNoTime(run, walk) });
  return [];
}

function checkOf(run: Run, candidate: Candidate): OutsideCheck {
  const config = candidate.tier.config.thirdParty!;
  return { subject: { kind: 'buyerTier', id: candidate.tier.config.id }, serviceId: config.serviceId, timeoutMs: checkTime(run, config) };
}

/** Milliseconds, 0 when the check is not worth starting. */
function checkTime(run: Run, config: OutsideCheckConfig): number {
  const leftMs = run.endsAt - run.now;
  return leftMs < MINIMUM_CALL_MS ? 0 : Math.floor(Math.min(leftMs, config.timeLimitMs));
}

function passes(config: OutsideCheckConfig, verdict: OutsideVerdict | undefined): boolean {
  if (verdict?.outcome === 'passed') return true;
  return verdict?.outcome !== 'refused' && config.onFailure === 'pass';
}

function outsideParams(config: OutsideCheckConfig, verdict: OutsideVerdict | undefined): Explanation['params'] {
  return { serviceId: config.serviceId, outcome: verdict?.outcome ?? 'error', reason: verdict?.reason ?? '' };
}
