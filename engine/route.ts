/**
 * One lead through the tree: checks in the order of engine.md, then the groups in theirs.
 *
 * A generator: it yields an Effect, is resumed with its EffectResult, and returns the Decision. It never throws on what
 * the world says, never repeats an effect, and starts no call past the publisher's deadline.
 */
import { admit, releaseAdmission } from './admit.ts';
import { bare } from './bare.ts';
import { type Candidate, candidateOf, decideCandidate } from './candidate.ts';
import { buyerTierRefusal, erasedRefusal, publisherTierRefusal } from './check.ts';
import { startWalk } from './clock.ts';
import { collectOffers } from './collect.ts';
import type { GroupPlan, Member, Plan, PublisherTierPlan } from './compiled.ts';
import { type Conclusion, conclude, concludeEarly, concludeUnroutable } from './conclude.ts';
import type { Decision, Explanation } from './decision.ts';
import type { Effect, EffectResult } from './effect.ts';
import { type NormalisedLead, normaliseLead } from './field.ts';
import type { Fields } from './filter.ts';
import type { RouteLead, RouteStart } from './lead.ts';
import { asOffered, orderCandidates } from './order.ts';
import { askP2c } from './outside.ts';
import { shutRefusal } from './rest.ts';
import { type Ask, addStep, explanation, MINIMUM_CALL_MS, type Run, startRun, stopRun, TIER_PROCESS_LIMIT } from './run.ts';
import { takeVariant } from './split.ts';
import { type TestResult, testPayout, testResultOf } from './test-value.ts';
import { throttleRefusal } from './throttle.ts';
import { auction, offerInTurn } from './turn.ts';

export { TIER_PROCESS_LIMIT } from './run.ts';

export function* route(plan: Plan, lead: RouteLead, start: RouteStart): Generator<Effect, Decision, EffectResult> {
  const seat = plan.publisherTiers.get(lead.publisherTierId);
  if (!seat) return unroutable(plan, lead, start);
  const { fields, errors } = readLead(seat, lead);
  const run = startIn(plan, seat, lead, fields, start);
  const early = earlyEnd(run, errors);
  if (early) return concludeEarly(run, early);
  const refused = yield* enter(run);
  if (refused) return concludeEarly(run, refused);
  yield* walkTree(run);
  if (run.sales.length === 0 && run.held.length === 0) yield* releaseAdmission(run);
  return conclude(run);
}

/** By the variant of the lead, where its campaign is under test. */
function startIn(plan: Plan, seat: PublisherTierPlan, lead: RouteLead, fields: Fields, start: RouteStart): Run {
  const { tier, variant, split } = takeVariant(seat, lead);
  const taken = split && variant && { testId: split.testId, variantId: variant.variantId };
  const run = startRun(lead, fields, { tier, promotions: plan.promotions, variant: taken }, start.now);
  if (split && variant) addStep(run, explanation('variant-taken', { test: split.name, variant: variant.name }));
  return run;
}

function unroutable(plan: Plan, lead: RouteLead, start: RouteStart): Decision {
  const broken = plan.brokenPublisherTiers.get(lead.publisherTierId);
  if (broken) return concludeUnroutable(start.now, { status: 'rejected', reason: 'publisher-tier-filter-failed', why: broken });
  return concludeUnroutable(start.now, {
    status: 'error',
    why: explanation('publisher-tier-unknown', { publisherTierId: lead.publisherTierId }),
  });
}

function readLead(tier: PublisherTierPlan, lead: RouteLead): Pick<NormalisedLead, 'fields' | 'errors'> {
  if (lead.fields) return { fields: bare(lead.fields), errors: [] };
  return normaliseLead(tier.campaign.vertical.config, lead.rawFields ?? {}, lead.mode === 'ping');
}

/** What needs no effect: fields, test values, the publisher tier's own rules. */
function earlyEnd(run: Run, errors: Decision['errors']): Conclusion | undefined {
  const erased = erasedRefusal(run.lead.facts);
  if (erased) return { status: 'rejected', reason: 'publisher-tier-filter-failed', why: erased.why };
  if (errors.length > 0) {
    const why = explanation('fields-invalid', { count: errors.length, first: errors[0]!.message });
    return { status: 'invalid', reason: 'publisher-validation-failed', errors, why };
  }
  const named = testResultOf(run.campaign.config, run.fields);
  if (named) return testConclusion(run, named, explanation('test-value', { result: named }));
  const refused = publisherTierRefusal(run.tier, run.fields, run.now, run.lead.facts);
  if (refused) return { status: 'rejected', reason: 'publisher-tier-filter-failed', why: refused.why };
  return run.lead.test ? tryRules(run) : undefined;
}

/** A test lead without a test value: sold where some buyer tier would be asked now by its own rules. Nothing is reserved or sent, so caps and duplicates are not asked. */
function tryRules(run: Run): Conclusion {
  const willing = run.campaign.groups.flatMap((group) => group.members.flatMap((member) => checkMember(run, member)));
  if (willing.length === 0) return testConclusion(run, 'rejected', explanation('test-nobody'));
  for (const candidate of willing) decideCandidate(run, candidate, 'notReached', { why: explanation('test-not-sent') });
  return testConclusion(run, 'sold', explanation('test-would-ask', { tiers: willing.length }));
}

function testConclusion(run: Run, result: TestResult, why: Explanation): Conclusion {
  const isPing = run.lead.mode === 'ping';
  if (result === 'sold') {
    return { status: isPing ? 'bid' : 'sold', why, test: { result, payout: testPayout(run.tier.config.priceModel) } };
  }
  if (result === 'error') return { status: 'error', why, test: { result } };
  return { status: isPing ? 'noBid' : 'unsold', reason: 'buyer-all-tier-failed', why, test: { result } };
}

/** Caps and duplicates of the publisher tier, then P2C. */
function* enter(run: Run): Ask<Conclusion | undefined> {
  const refused = yield* admit(run);
  if (refused) return refused;
  const why = yield* askP2c(run);
  if (!why) return undefined;
  yield* releaseAdmission(run);
  return { status: 'rejected', reason: 'publisher-tier-p2c-api-failed', why };
}

function* walkTree(run: Run): Ask<void> {
  for (const group of offeredFirst(run)) {
    checkLimits(run);
    if (run.stop) return;
    if (group.members.length > 0) yield* walkGroup(run, group);
  }
}

/** After a ping the group that made the offers comes first: its first offer is the price that the publisher was told. */
function offeredFirst({ campaign, lead }: Run): readonly GroupPlan[] {
  const offered = new Set(lead.offers?.map(({ buyerTierId }) => buyerTierId));
  const has = (group: GroupPlan) => group.members.some(({ tier }) => offered.has(tier.config.id));
  return offered.size === 0 ? campaign.groups : [...campaign.groups.filter(has), ...campaign.groups.filter((group) => !has(group))];
}

/** Between groups: is there a tier left to try, and time to try it in. */
function checkLimits(run: Run): void {
  const leftMs = Math.floor(run.endsAt - run.now);
  if (leftMs < MINIMUM_CALL_MS) stopRun(run, explanation('deadline', { leftMs: Math.max(0, leftMs), neededMs: MINIMUM_CALL_MS }));
  if (run.tried.size >= TIER_PROCESS_LIMIT) stopRun(run, explanation('tier-limit', { limit: TIER_PROCESS_LIMIT }));
}

function* walkGroup(run: Run, group: GroupPlan): Ask<void> {
  const { id, mode, name } = group.config;
  addStep(run, explanation('group-started', { group: name, mode }), id);
  const walk = startWalk(run, group);
  const eligible = group.members.flatMap((member) => checkMember(run, member));
  if (run.lead.mode === 'ping') return yield* collectOffers(run, walk, mode, eligible);
  if (mode === 'auction') return yield* auction(run, walk, eligible);
  return yield* offerInTurn(run, walk, asOffered(orderCandidates(mode, eligible, run.lead.turns), run.lead.offers));
}

/** The member as a candidate, or nothing where a static check has given it its verdict. */
function checkMember(run: Run, member: Member): Candidate[] {
  const candidate = candidateOf(run, member);
  const refusal =
    buyerTierRefusal(member.tier, run.tier, run.fields, run.now, candidate, run.lead.facts) ??
    shutRefusal(run, member.tier) ??
    throttleRefusal(run, candidate);
  if (!refusal) return [candidate];
  decideCandidate(run, candidate, 'filtered', refusal);
  return [];
}
