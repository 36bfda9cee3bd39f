/** One lead with everything that is known about it, read and put into words. */
import type { AttemptView, LeadView } from '#contract/lead.ts';
import type { Explanation } from '#engine/decision.ts';
import { explain, type Names } from '#engine/explain.ts';
import { formatMoney } from '#engine/money.ts';
import type { FieldConfig } from '#engine/plan.ts';
import { openJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import type { Place } from '#server/region/region.routes.ts';
import type { Explained, Inbound, StoredWire } from './accept-lead.ts';
import { type LeadListRow, listSalesOf, money, viewLeadRow } from './lead-list.sql.ts';
import { isMasked, maskText, maskValue } from './mask.ts';

type StoredFields = {
  fields: Record<string, string>;
  unknown: Record<string, unknown>;
  invalid: Record<string, unknown>;
  inbound: Inbound;
};
/** As lead_result.verdicts keeps it: tier, group, outcome, filter reason key, code. */
interface StoredVerdict {
  t: string;
  g: string;
  o: LeadView['verdicts'][number]['outcome'];
  k?: number;
  c: string;
}
type Mask = (text: string) => string;

/** The region and vertical of a lead, or undefined when the organization has no such lead. */
export async function findLeadPlace(db: Db, organizationId: string, leadId: string): Promise<Place | undefined> {
  const row = await db
    .selectFrom('lead as l')
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'l.organization_id').onRef('v.id', '=', 'l.vertical_id'))
    .innerJoin('region as g', (join) => join.onRef('g.organization_id', '=', 'l.organization_id').onRef('g.id', '=', 'l.region_id'))
    .select(['l.region_id', 'l.vertical_id', 'g.slug as region_slug', 'v.slug as vertical_slug'])
    .where('l.organization_id', '=', organizationId)
    .where('l.id', '=', leadId)
    .executeTakeFirst();
  return row && { regionId: row.region_id, regionSlug: row.region_slug, verticalId: row.vertical_id, verticalSlug: row.vertical_slug };
}

export async function getLead(db: Db, organization: OrganizationPlan, place: Place, leadId: string): Promise<LeadView> {
  const { organizationId, keys } = organization;
  const row = await db
    .selectFrom('lead as l')
    .leftJoin('lead_result as r', (join) => join.onRef('r.organization_id', '=', 'l.organization_id').onRef('r.lead_id', '=', 'l.id'))
    .select([
      'l.id',
      'l.publisher_tier_id',
      'l.campaign_id',
      'l.vertical_id',
      'l.sub_id',
      'l.test',
      'l.fields',
      'r.status',
      'r.reason',
      'r.revenue',
      'r.payout',
      'r.margin',
      'r.attempt_count',
      'r.elapsed_ms',
      'r.buyers_ms',
      'r.store_ms',
      'r.explained',
      'r.wires',
      'r.verdicts',
      'r.duplicate_of',
    ])
    .where('l.organization_id', '=', organizationId)
    .where('l.id', '=', leadId)
    .executeTakeFirstOrThrow();
  const sales = await listSalesOf(db, organizationId, [leadId]);
  const stored = openJson<StoredFields>(keys, 'lead.fields', leadId, row.fields);
  const explained = row.explained ? openJson<Explained>(keys, 'lead_result.explained', leadId, row.explained) : undefined;
  const fields = organization.plan.verticals.get(row.vertical_id)?.config.fields ?? [];
  const mask = masking(fields, stored);
  const wires = row.wires ? openJson<StoredWire[]>(keys, 'lead_result.wires', leadId, row.wires) : [];
  const attemptList = await listAttempts(db, organization, leadId, wires, mask);
  const base = viewLeadRow(organization, row as LeadListRow, sales);
  return {
    ...base,
    regionSlug: place.regionSlug,
    verticalSlug: place.verticalSlug,
    why: explained ? mask(explain(explained.why, namesOf(organization, fields))) : 'The lead is still under way.',
    duplicateOfLeadId: row.duplicate_of,
    redirectUrl: maskNullable(mask, explained?.sales.find((sale) => sale.redirectUrl)?.redirectUrl),
    time: {
      totalMs: base.elapsedMs,
      buyersMs: row.buyers_ms ?? 0,
      storeMs: row.store_ms ?? 0,
      ownMs: Math.max(0, rounded(base.ownMs - (row.store_ms ?? 0))),
    },
    fields: viewFields(fields, stored),
    errors: explained?.errors.map((error) => ({ field: error.field, message: mask(error.message) })) ?? [],
    warnings: explained?.warnings.map((name) => `The field ${name} is not known to the vertical; it was stored as it came.`) ?? [],
    sales: viewSales(organization, explained, mask),
    ...viewDecision(
      organization,
      explained,
      inTreeOrder(organization, row.campaign_id, (row.verdicts as StoredVerdict[] | null) ?? []),
      fields,
      leadId,
      mask,
    ),
    attemptList,
    inbound: viewInbound(stored.inbound, explained, mask),
  };
}

function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}

function masking(fields: FieldConfig[], stored: StoredFields): Mask {
  const byName = new Map(fields.map((field) => [field.fieldName, field]));
  const all = { ...stored.unknown, ...stored.invalid, ...stored.fields };
  const values = Object.entries(all)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) => ({ field: byName.get(name), value: String(value) }));
  return (text) => maskText(text, values);
}

function maskNullable(mask: Mask, text: string | undefined): string | null {
  return text === undefined ? null : mask(text);
}

function namesOf(organization: OrganizationPlan, fields: FieldConfig[]): Names {
  const human = new Map(fields.map((field) => [field.fieldName, field.fieldHumanName]));
  return { field: (name) => human.get(name), buyerTier: (id) => organization.buyerWires.get(id)?.name };
}

function viewFields(fields: FieldConfig[], stored: StoredFields): LeadView['fields'] {
  const known = fields
    .filter((field) => stored.fields[field.fieldName] !== undefined || stored.invalid[field.fieldName] != null)
    .map((field) => {
      const value = stored.fields[field.fieldName] ?? textOf(stored.invalid[field.fieldName]);
      return {
        fieldName: field.fieldName,
        fieldHumanName: field.fieldHumanName,
        privacyClass: field.privacyClass,
        value: maskValue(field, value),
        masked: isMasked(field),
      };
    });
  const others = Object.entries(stored.unknown).map(([name, value]) => ({
    fieldName: name,
    fieldHumanName: name,
    privacyClass: 'P2',
    value: maskValue(undefined, textOf(value)),
    masked: true,
  }));
  return [...known, ...others];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function viewSales(organization: OrganizationPlan, explained: Explained | undefined, mask: Mask): LeadView['sales'] {
  return (explained?.sales ?? []).map((sale) => ({
    buyerTierId: sale.buyerTierId,
    buyerTierName: organization.buyerWires.get(sale.buyerTierId)?.name ?? '',
    buyerName: organization.buyerWires.get(sale.buyerTierId)?.buyerName ?? '',
    revenue: formatMoney(sale.revenue),
    payout: formatMoney(sale.payout),
    margin: formatMoney(sale.margin),
    bid: sale.bid === undefined ? null : formatMoney(sale.bid),
    redirectUrl: maskNullable(mask, sale.redirectUrl),
    buyerRef: sale.buyerRef ?? null,
  }));
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

function viewDecision(
  organization: OrganizationPlan,
  explained: Explained | undefined,
  stored: StoredVerdict[],
  fields: FieldConfig[],
  leadId: string,
  mask: Mask,
): Pick<LeadView, 'steps' | 'verdicts'> {
  const names = namesOf(organization, fields);
  const startedAt = idInstant(leadId);
  const groupName = (id: string | undefined) => (id === undefined ? null : (organization.groupNames.get(id)?.name ?? null));
  const steps = (explained?.steps ?? []).map((step) => ({
    at: new Date(step.at).toISOString(),
    offsetMs: Math.max(0, rounded(step.at - startedAt)),
    code: step.code,
    text: mask(explain(step, names)),
    groupName: groupName(step.groupId),
    buyerTierId: step.buyerTierId ?? null,
    buyerTierName: step.buyerTierId === undefined ? null : (organization.buyerWires.get(step.buyerTierId)?.name ?? null),
  }));
  const verdicts = stored.map((verdict) => {
    const why = explained && whyOf(explained, verdict);
    return {
      buyerTierId: verdict.t,
      buyerTierName: organization.buyerWires.get(verdict.t)?.name ?? '',
      buyerName: organization.buyerWires.get(verdict.t)?.buyerName ?? '',
      groupName: groupName(verdict.g) ?? '',
      groupMode: organization.groupNames.get(verdict.g)?.mode ?? '',
      outcome: verdict.o,
      filterReasonKey: verdict.k ?? null,
      text: why ? mask(explain(why, names)) : '',
    };
  });
  return { steps, verdicts };
}

async function listAttempts(
  db: Db,
  organization: OrganizationPlan,
  leadId: string,
  wires: StoredWire[],
  mask: Mask,
): Promise<AttemptView[]> {
  const { organizationId } = organization;
  const rows = await db
    .selectFrom('attempt')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .orderBy('attempt_index')
    .execute();
  const lates = await db
    .selectFrom('late_answer')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('lead_id', '=', leadId)
    .execute();
  return rows.map((row) => {
    const wire = wires[row.attempt_index] ?? { reasons: [] };
    const late = lates.find((one) => one.attempt_index === row.attempt_index);
    return {
      _id: `${leadId}-${row.attempt_index}`,
      buyerTierId: row.buyer_tier_id,
      buyerTierName: organization.buyerWires.get(row.buyer_tier_id)?.name ?? '',
      buyerName: organization.buyerWires.get(row.buyer_tier_id)?.buyerName ?? '',
      groupName: organization.groupNames.get(row.group_id)?.name ?? '',
      leg: row.leg as AttemptView['leg'],
      outcome: row.outcome as AttemptView['outcome'],
      startedAt: row.started_at.toISOString(),
      offsetMs: Math.max(0, row.started_at.getTime() - idInstant(leadId)),
      elapsedMs: row.elapsed_ms,
      connectMs: row.connect_ms,
      waitMs: row.wait_ms,
      readMs: row.read_ms,
      bid: row.bid === null ? null : money(row.bid),
      price: row.price === null ? null : money(row.price),
      reasons: wire.reasons.map(mask),
      lateAnswer: late ? { outcome: late.outcome, price: late.price === null ? null : money(late.price), afterMs: late.after_ms } : null,
      wire: viewWire(wire, mask),
    };
  });
}

function viewWire(wire: StoredWire, mask: Mask): AttemptView['wire'] {
  if (!wire.request) return null;
  const { request, response, failure } = wire;
  return {
    method: request.method,
    url: mask(request.url),
    requestHeaders: request.headers,
    requestBody: mask(request.body ?? ''),
    statusCode: response?.status ?? null,
    responseHeaders: response?.headers ?? {},
    responseBody: mask(response?.body ?? ''),
    warnings: [
      ...(failure ? [`${failure.why}${failure.detail ? `: ${failure.detail}` : ''}`] : []),
      ...(wire.warnings ?? []).map((warning) => `${warning.code}${warning.at ? ` (${warning.at})` : ''}`),
    ],
  };
}

function viewInbound(inbound: Inbound, explained: Explained | undefined, mask: Mask): LeadView['inbound'] {
  const { method, path, contentType, body, ip } = inbound;
  const given = explained?.given;
  return {
    method,
    path,
    contentType,
    body: mask(body),
    statusCode: given?.statusCode ?? 0,
    answer: given ? mask(JSON.stringify(given.answer)) : '',
    ip,
  };
}
