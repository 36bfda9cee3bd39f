/** What is kept of a lead that ended: its result, sales, attempts, explanation and wires. */
import { keptReference } from '#contract/buyer-reference.ts';
import type { Decision } from '#engine/decision.ts';
import { formatMoney } from '#engine/money.ts';
import { HOUR_MS } from '#engine/zone.ts';
import { sealJson } from '#server/kit/crypto.ts';
import type { LossNotice } from '#server/notice/loss-notice.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { SEALED_AS } from '#server/redirect/redirect.sql.ts';
import type { redirectOf } from '#server/redirect/redirect-link.ts';
import { callsOf } from '#server/webhook/calls-of.ts';
import type { Explained, IncomingLead, StoredWire } from './intake.ts';
import type { AttemptRow, CheckRow, ResultRow } from './lead.sql.ts';
import type { CheckEntry, LeadWorld, WireEntry } from './live-world.ts';
import { NOWHERE, type Prepared } from './new-lead.ts';
import type { GivenAnswer } from './posting.answer.ts';
import { consumerOf, variantTermsOf } from './variant.ts';

export interface Finished {
  leadId: string;
  startedAt: number;
  world: Pick<LeadWorld, 'wires' | 'checks' | 'spent'>;
  decision: Decision;
}

/** `redirect`: where the link leads that the publisher was given; undefined where it was given none. `notices`: who is told that it lost. */
export function resultRow(
  now: number,
  incoming: IncomingLead,
  prepared: Prepared,
  done: Finished,
  given: GivenAnswer,
  redirect: ReturnType<typeof redirectOf>,
  notices: readonly LossNotice[],
): ResultRow {
  const { organization, seat } = incoming;
  const { leadId, startedAt, world, decision } = done;
  const sum = (of: 'revenue' | 'payout' | 'margin') => formatMoney(decision.sales.reduce((total, sale) => total + sale[of], 0));
  const { why, errors, steps, sales, offers } = decision;
  const explained: Explained = {
    why,
    errors,
    steps,
    unreached: groupUnreached(decision),
    sales,
    offers,
    warnings: prepared.normalised.unknown,
    given,
    ...(decision.variant && { variant: decision.variant }),
    ...((decision.variant || mayBeSettled(decision)) && variantTermsOf(organization, seat.id, decision.variant)),
    ...(world.checks.length > 0 && { servicesMs: round(world.spent.servicesMs) }),
  };
  return {
    leadId,
    verticalId: organization.plan.publisherTiers.get(seat.id)?.campaign.config.verticalId ?? NOWHERE,
    campaignId: seat.campaignId,
    publisherId: seat.publisherId,
    publisherTierId: seat.id,
    test: incoming.test,
    status: decision.status,
    reason: decision.reason ?? null,
    revenue: sum('revenue'),
    payout: sum('payout'),
    margin: sum('margin'),
    duplicateOf: decision.duplicateOfLeadId ?? null,
    elapsedMs: round(now - startedAt),
    buyersMs: round(world.spent.buyersMs),
    storeMs: round(world.spent.storeMs),
    finishedAt: now,
    verdicts: decision.verdicts.map((one) => ({
      t: one.buyerTierId,
      g: one.groupId,
      o: one.outcome,
      k: one.filterReasonKey,
      c: one.why.code,
    })),
    explained: sealJson(organization.keys, 'lead_result.explained', leadId, explained),
    wires: sealWires(organization, leadId, decision, world),
    sales: decision.sales.map((sale) => ({
      buyerId: sale.buyerId,
      buyerTierId: sale.buyerTierId,
      revenue: formatMoney(sale.revenue),
      payout: formatMoney(sale.payout),
      margin: formatMoney(sale.margin),
      bid: moneyOrNull(sale.bid),
      postPriceDiffers: sale.postPriceDiffers,
      buyerRef: sale.buyerRef === undefined ? null : keptReference(sale.buyerRef),
    })),
    attempts: decision.attempts.map((attempt) => attemptRow(organization, attempt, world.wires[attempt.index])),
    checks: world.checks.map((entry, index) => checkRow(organization, leadId, entry, index)),
    promoted: decision.sales.flatMap(({ promotion }, saleIndex) =>
      promotion ? [{ saleIndex, promotionId: promotion.promotionId, extra: formatMoney(promotion.extra) }] : [],
    ),
    variant: variantOf(incoming, prepared, done),
    pageId: incoming.pageId ?? null,
    turns: decision.attempts
      .filter((one) => one.leg === 'post' && rotates(organization, one.groupId))
      .map((one) => ({ groupId: one.groupId, buyerTierId: one.buyerTierId, at: one.startedAt })),
    unknown: decision.heldBuyerTierIds ?? [],
    references: (decision.heldBuyerTierIds ?? []).flatMap((buyerTierId) => referenceOf(world, buyerTierId)),
    redirect: redirect && {
      saleIndex: redirect.saleIndex,
      givenAt: now,
      expiresAt: now + organization.redirectHours * HOUR_MS,
      url: sealJson(organization.keys, SEALED_AS, leadId, redirect.url),
    },
    notices: notices.map(({ buyerTierId, groupId, bid, winning }) => {
      return { buyerTierId, groupId, bid: moneyOrNull(bid), winning: formatMoney(winning), dueAt: now };
    }),
    webhooks: callsOf(organization, seat.id, incoming.test, decision.status, now),
  };
}

/** How a buyer that holds the lead calls it, by its answer to the post. */
function referenceOf(world: Finished['world'], buyerTierId: string): ResultRow['references'] {
  const { captures } = world.wires.findLast(({ call }) => call.buyerTierId === buyerTierId && call.leg === 'post')?.answer ?? {};
  const reference = captures?.buyerRef ?? captures?.leadId;
  return reference ? [{ buyerTierId, reference: keptReference(reference) }] : [];
}

function variantOf({ organization, seat, ping }: IncomingLead, prepared: Prepared, { decision, leadId }: Finished): ResultRow['variant'] {
  const consumer = decision.variant && consumerOf(organization, seat.id, prepared.normalised.fields, ping?.pingId ?? leadId);
  return decision.variant && consumer ? { ...decision.variant, consumer: consumer.consumer } : null;
}

function groupUnreached(decision: Decision): Explained['unreached'] {
  const stepped = new Set(decision.steps.map((step) => `${step.buyerTierId} ${step.code}`));
  const groups = Map.groupBy(
    decision.verdicts.filter((verdict) => !stepped.has(`${verdict.buyerTierId} ${verdict.why.code}`)),
    (verdict) => JSON.stringify(verdict.why),
  );
  return [...groups.values()].map((same) => ({ why: same[0]!.why, buyerTierIds: same.map((verdict) => verdict.buyerTierId) }));
}

/** Only these modes look at whose turn it was. */
function rotates(organization: OrganizationPlan, groupId: string): boolean {
  const mode = organization.groupNames.get(groupId)?.mode;
  return mode === 'roundRobin' || mode === 'weighted';
}

/** By attempt, in one sealed text; undefined when nothing left for a buyer. */
function sealWires(organization: OrganizationPlan, leadId: string, decision: Decision, world: Finished['world']): Buffer | undefined {
  if (decision.attempts.length === 0) return undefined;
  const wires: StoredWire[] = decision.attempts.map((attempt) => ({ ...world.wires[attempt.index]?.record, reasons: attempt.reasons }));
  return sealJson(organization.keys, 'lead_result.wires', leadId, wires);
}

function attemptRow(organization: OrganizationPlan, attempt: Decision['attempts'][number], entry: WireEntry | undefined): AttemptRow {
  const record = entry?.record;
  return {
    index: attempt.index,
    buyerId: organization.buyerWires.get(attempt.buyerTierId)?.buyerId ?? NOWHERE,
    buyerTierId: attempt.buyerTierId,
    groupId: attempt.groupId,
    leg: attempt.leg,
    // A ping that was answered with a usable bid: what comes of it is the post's to say.
    outcome: attempt.outcome === 'notReached' ? 'bid' : attempt.outcome,
    answer: attempt.answer,
    startedAt: attempt.startedAt,
    elapsedMs: round(attempt.elapsedMs),
    connectMs: round(record?.timing.connectMs),
    waitMs: round(record?.timing.waitMs),
    readMs: round(record?.timing.readMs),
    bid: moneyOrNull(attempt.bid),
    price: moneyOrNull(attempt.price),
    statusCode: record?.response?.status ?? null,
  };
}

function checkRow(organization: OrganizationPlan, leadId: string, entry: CheckEntry, index: number): CheckRow {
  const { check, startedAt, verdict, delivery } = entry;
  const { answer, wire } = delivery;
  const kept: StoredWire = { ...wire, reasons: answer.reasons };
  return {
    index,
    serviceId: check.serviceId,
    purpose: check.subject.kind === 'publisherTier' ? 'p2c' : 'thirdParty',
    subjectId: check.subject.id,
    outcome: verdict.outcome,
    startedAt,
    elapsedMs: round(answer.elapsedMs),
    connectMs: round(wire.timing.connectMs),
    waitMs: round(wire.timing.waitMs),
    readMs: round(wire.timing.readMs),
    statusCode: wire.response?.status ?? null,
    wire: sealJson(organization.keys, 'service_call.wire', `${leadId} ${index}`, kept),
  };
}

function moneyOrNull(money: number | undefined): string | null {
  return money === undefined ? null : formatMoney(money);
}

export function round<T extends number | undefined>(ms: T): T extends number ? number : number | null {
  return (ms === undefined ? null : Math.round(ms * 100) / 100) as T extends number ? number : number | null;
}

/** Whether a buyer may have it, or may yet take it: a post that neither sold it nor was clearly refused. */
const mayBeSettled = ({ attempts }: Decision): boolean =>
  attempts.some(({ leg, answer, outcome }) => leg === 'post' && outcome !== 'sold' && answer !== 'rejected' && answer !== 'duplicate');
