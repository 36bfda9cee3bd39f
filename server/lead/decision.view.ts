/** The engine's steps and verdicts on one lead, in sentences. */
import type { LeadView } from '#contract/lead.ts';
import type { Explanation } from '#engine/decision.ts';
import { explain, type Names } from '#engine/explain.ts';
import { withMoveFields } from '#engine/move.ts';
import type { FieldConfig } from '#engine/plan.ts';
import { idInstant } from '#server/kit/ids.ts';
import { sayNotice } from '#server/notice/notice.view.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Explained } from './intake.ts';
import type { LeadRecord, StoredVerdict } from './lead-view.sql.ts';
import type { Masking } from './mask-text.ts';

type Verdict = LeadView['verdicts'][number];

export function namesOf(organization: OrganizationPlan, fields: FieldConfig[]): Names {
  const human = new Map(withMoveFields(fields).map((field) => [field.fieldName, field.fieldHumanName]));
  return {
    field: (name) => human.get(name),
    buyerTier: (id) => organization.buyerWires.get(id)?.name,
    service: (id) => organization.serviceWires.get(id)?.name,
    currency: organization.plan.currency,
  };
}

/** What others have said; every other figure of an explanation is our own word. */
const SAID = new Set(['reasons', 'reason', 'value', 'first', 'list', 'note', 'problem']);

export function maskWhy<T extends Explanation>(masking: Masking, why: T): T {
  const params = Object.entries(why.params).map(([name, param]) => [
    name,
    typeof param === 'string' && SAID.has(name) ? masking.text(param) : param,
  ]);
  return { ...why, params: Object.fromEntries(params) };
}

export function viewSteps(
  organization: OrganizationPlan,
  leadId: string,
  explained: Explained | undefined,
  names: Names,
  masking: Masking,
): LeadView['steps'] {
  const startedAt = idInstant(leadId);
  return (explained?.steps ?? []).map((step) => ({
    at: new Date(step.at).toISOString(),
    offsetMs: Math.max(0, Math.round((step.at - startedAt) * 100) / 100),
    code: step.code,
    text: explain(maskWhy(masking, step), names),
    groupName: step.groupId === undefined ? null : (organization.groupNames.get(step.groupId)?.name ?? null),
    buyerTierId: step.buyerTierId ?? null,
    buyerTierName: step.buyerTierId === undefined ? null : (organization.buyerWires.get(step.buyerTierId)?.name ?? null),
  }));
}

export function viewVerdicts(organization: OrganizationPlan, record: LeadRecord, names: Names, masking: Masking): Verdict[] {
  const { row, verdicts, explained, notices, attempts } = record;
  const now = Date.now();
  return inTreeOrder(organization, row.campaign_id, verdicts).map((verdict) => {
    const why = explained && whyOf(explained, verdict);
    return {
      buyerTierId: verdict.t,
      buyerTierName: organization.buyerWires.get(verdict.t)?.name ?? '',
      buyerName: organization.buyerWires.get(verdict.t)?.buyerName ?? '',
      groupName: organization.groupNames.get(verdict.g)?.name ?? '',
      groupMode: organization.groupNames.get(verdict.g)?.mode ?? '',
      outcome: verdict.o,
      isAnswered: attempts.findLast((one) => one.buyer_tier_id === verdict.t)?.status_code !== null,
      filterReasonKey: verdict.k ?? null,
      capPeriod: why?.code === 'cap-reached' ? (why.params.period as Verdict['capPeriod']) : null,
      text: why ? explain(maskWhy(masking, why), names) + sayNotice(notices, verdict.t, now) : '',
    };
  });
}

/** The verdict's own step has its figures; a tier that was never reached shares its reason with others. */
function whyOf(explained: Explained, verdict: StoredVerdict): Explanation | undefined {
  const step = explained.steps.findLast((one) => one.buyerTierId === verdict.t && one.code === verdict.c);
  return step ?? explained.unreached.find((one) => one.buyerTierIds.includes(verdict.t))?.why;
}

/** As the tree stands now; tiers that have left it since come last. */
function inTreeOrder(organization: OrganizationPlan, campaignId: string, verdicts: StoredVerdict[]): StoredVerdict[] {
  const groups = organization.plan.campaigns.get(campaignId)?.config.groups ?? [];
  const order = new Map(groups.flatMap((group) => group.members).map((member, place) => [member.buyerTierId, place]));
  const placeOf = (verdict: StoredVerdict) => order.get(verdict.t) ?? order.size;
  return verdicts.toSorted((a, b) => placeOf(a) - placeOf(b));
}
