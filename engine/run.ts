/** The state of one lead on its way through the tree. Only the files of route() change it. */
import type { CampaignPlan, Plan, PublisherTierPlan } from './compiled.ts';
import type { AttemptRecord, BidOffer, Explanation, ExplanationCode, Sale, Step, VariantTaken, Verdict } from './decision.ts';
import type { Effect, EffectResult } from './effect.ts';
import type { Fields } from './filter.ts';
import type { RouteLead } from './lead.ts';
import { withMoves } from './move.ts';
import type { Instant } from './plan.ts';

/** At most so many buyer tiers are contacted for one lead (engine.md); filtered ones are not counted. */
export const TIER_PROCESS_LIMIT = 20;
/** Kept back from every deadline, to answer the publisher in. */
export const ANSWER_RESERVE_MS = 25;
/** With less time than this left no call is started. */
export const MINIMUM_CALL_MS = 50;

export interface Run {
  readonly lead: RouteLead;
  /** Normalised, and with the moves of its bank and BIN. */
  readonly fields: Fields;
  readonly tier: PublisherTierPlan;
  readonly campaign: CampaignPlan;
  /** All that the organization has. */
  readonly promotions: Plan['promotions'];
  /** Of the A/B test that the campaign is under. */
  readonly variant: VariantTaken | undefined;
  /** When the lead came. */
  readonly startedAt: Instant;
  /** The publisher's and the campaign's deadline, less the reserve. */
  readonly endsAt: Instant;
  now: Instant;
  /** Buyer tiers contacted. */
  readonly tried: Set<string>;
  readonly verdicts: Map<string, Verdict>;
  readonly steps: Step[];
  readonly attempts: AttemptRecord[];
  readonly sales: Sale[];
  readonly offers: BidOffer[];
  readonly boughtBy: Set<string>;
  readonly held: string[];
  /** Buyer tiers for which this lead is the probe, with the pause that it ends. */
  readonly probes: Map<string, Instant>;
  /** Why nobody else is offered the lead. */
  stop: Explanation | undefined;
}

export type Ask<T> = Generator<Effect, T, EffectResult>;
type ResultOf<K> = Extract<EffectResult, { kind: K }>;

export interface RunPlace {
  tier: PublisherTierPlan;
  promotions: Plan['promotions'];
  variant?: VariantTaken | undefined;
}

export function startRun(lead: RouteLead, fields: Fields, { tier, promotions, variant }: RunPlace, now: Instant): Run {
  const { campaign } = tier;
  const deadlineAt = Number.isFinite(lead.deadlineAt) ? lead.deadlineAt : now;
  const endsAt = Math.min(deadlineAt, now + campaign.config.timeLimitMs) - ANSWER_RESERVE_MS;
  return {
    lead,
    fields: withMoves(fields, campaign.vertical, lead.facts),
    tier,
    campaign,
    promotions,
    variant,
    startedAt: now,
    endsAt,
    now,
    stop: undefined,
    tried: new Set(),
    verdicts: new Map(),
    steps: [],
    attempts: [],
    sales: [],
    offers: [],
    boughtBy: new Set(),
    held: [],
    probes: new Map(),
  };
}

/** Yields an effect and takes the time from its result; a result of another kind counts as none. */
export function* ask<E extends Effect>(run: Run, effect: E): Ask<ResultOf<E['kind']> | undefined> {
  const result = yield effect;
  // A clock that steps back must not give time back.
  if (Number.isFinite(result?.now) && result.now > run.now) run.now = result.now;
  return result?.kind === effect.kind ? (result as ResultOf<E['kind']>) : undefined;
}

export function explanation(code: ExplanationCode, params: Explanation['params'] = {}): Explanation {
  return { code, params };
}

export function addStep(run: Run, why: Explanation, groupId?: string, buyerTierId?: string): void {
  const step: Step = { at: run.now, code: why.code, params: why.params };
  if (groupId !== undefined) step.groupId = groupId;
  if (buyerTierId !== undefined) step.buyerTierId = buyerTierId;
  run.steps.push(step);
}

/** The first word on a tier stands; each has exactly one. */
export function decide(run: Run, verdict: Verdict): void {
  if (run.verdicts.has(verdict.buyerTierId)) return;
  run.verdicts.set(verdict.buyerTierId, verdict);
  addStep(run, verdict.why, verdict.groupId, verdict.buyerTierId);
}

/** Nothing after this reaches a buyer; the first reason stands. */
export function stopRun(run: Run, why: Explanation): void {
  run.stop ??= why;
}
