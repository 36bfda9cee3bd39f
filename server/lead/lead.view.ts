/** One lead with everything that is known about it, in words, without what would tell who the person is. */
import type { LeadView } from '#contract/lead.ts';
import { explain } from '#engine/explain.ts';
import { formatMoney, parseMoney } from '#engine/money.ts';
import type { FieldConfig } from '#engine/plan.ts';
import { hideSecrets } from '#server/delivery/mask-secrets.ts';
import { viewNotices } from '#server/notice/notice.view.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { hideToken } from '#server/redirect/redirect-link.ts';
import type { Place } from '#server/region/region.routes.ts';
import { viewAttempts } from './attempt.view.ts';
import { viewChecks } from './check.view.ts';
import { maskWhy, namesOf, viewSteps, viewVerdicts } from './decision.view.ts';
import type { Explained } from './intake.ts';
import { viewLeadRow } from './lead-list.sql.ts';
import type { LeadRecord } from './lead-view.sql.ts';
import { isMasked, leavesOf, maskPersonal, type PersonalValue } from './mask.ts';
import { maskReceived, maskUrl } from './mask-document.ts';
import { maskOpen, maskPosting, postedValues, readPosted } from './mask-posting.ts';
import { type Masking, NO_MASKING, openMasking } from './mask-text.ts';
import type { Posting, PostingRefusal } from './posting.read.ts';
import type { StoredFields } from './stored-fields.ts';

export function viewLead(organization: OrganizationPlan, place: Place, record: LeadRecord): Omit<LeadView, 'mayReturn'> {
  const { row, stored, explained } = record;
  const fields = fieldsOf(organization, record);
  const masking = maskingOf(fields, stored);
  const names = namesOf(organization, fields);
  const base = viewLeadRow(organization, row, record.sales);
  const redirect = explained?.sales.find((sale) => sale.redirectUrl);
  return {
    ...base,
    regionSlug: place.regionSlug,
    verticalSlug: place.verticalSlug,
    why: explained ? explain(maskWhy(masking, explained.why), names) : 'The lead is still under way.',
    duplicateOfLeadId: row.duplicate_of,
    redirectUrl: redirect ? viewRedirect(organization, redirect, masking) : null,
    isToSettle: record.isToSettle,
    erasedAt: stored.erased?.at ?? null,
    erasedBy: stored.erased ? (stored.erased.why ?? 'request') : null,
    redirect: viewLink(record),
    time: viewTime(base, record),
    fields: viewFields(fields, stored, masking),
    errors: explained?.errors.map((error) => ({ field: error.field, message: masking.name(error.message) })) ?? [],
    warnings: explained?.warnings.map((name) => unknownFieldText(masking.name(name))) ?? [],
    sales: viewSales(organization, record, masking),
    returnReasons: record.returnTerms.reasons,
    steps: viewSteps(organization, row.id, explained, names, masking),
    verdicts: viewVerdicts(organization, record, names, masking),
    checks: viewChecks(organization, record, masking),
    attemptList: [...viewAttempts(organization, record, masking), ...viewNotices(organization, record.notices, masking, Date.now())],
    inbound: viewInboundCall(organization, record, masking),
  };
}

/** What the consumer gave, as it may be seen. */
export function viewKeptFields(organization: OrganizationPlan, record: LeadRecord): LeadView['fields'] {
  const fields = fieldsOf(organization, record);
  return viewFields(fields, record.stored, maskingOf(fields, record.stored));
}

/** The publisher's call and our answer; of one whose person was erased there is no body any more. */
export function viewInboundCall(
  organization: OrganizationPlan,
  record: LeadRecord,
  masking = maskingOf(fieldsOf(organization, record), record.stored),
): NonNullable<LeadView['inbound']> {
  const { fields: accepted, inbound } = record.stored;
  const masked = () => maskPosting(inbound, readPosted(inbound), fieldsOf(organization, record), new Set(Object.keys(accepted)), masking);
  return { ...viewInbound(organization, record, masking), body: masking === NO_MASKING || inbound.body === '' ? inbound.body : masked() };
}

export const fieldsOf = (organization: OrganizationPlan, { row }: LeadRecord): FieldConfig[] =>
  organization.plan.verticals.get(row.vertical_id)?.config.fields ?? [];

/** Hides every personal value of the lead, wherever it stands. */
export const maskingOf = (fields: FieldConfig[], stored: StoredFields): Masking =>
  openMasking(personalValues(fields, stored, readPosted(stored.inbound)), openValues(fields, stored));

function unknownFieldText(name: string): string {
  return `The field ${name} is not known to the vertical; it was stored as it came.`;
}

/** Normalised and as they were written, known and unknown, once each. */
function personalValues(fields: FieldConfig[], stored: StoredFields, posting: Posting | PostingRefusal): PersonalValue[] {
  const known = new Map(fields.map((field) => [field.fieldName, field]));
  const kept = Object.entries({ ...stored.unknown, ...stored.invalid, ...stored.fields })
    .filter(([name]) => isMasked(known.get(name)))
    .flatMap(([name, value]) => leavesOf(value).map((leaf) => ({ field: known.get(name), value: leaf })));
  const seen = new Set<string>();
  return [...kept, ...postedValues(posting, fields)].filter(({ value }) => !seen.has(value) && seen.add(value));
}

function openValues(fields: FieldConfig[], stored: StoredFields): { field: FieldConfig; value: string }[] {
  return fields.flatMap((field) => {
    const value = stored.fields[field.fieldName];
    return value === undefined || isMasked(field) ? [] : [{ field, value }];
  });
}

/** Of the time that others took, what services took is told apart. */
function viewTime(base: Pick<LeadView, 'elapsedMs' | 'ownMs'>, { row, explained }: LeadRecord): LeadView['time'] {
  const hundredths = (ms: number) => Math.max(0, Math.round(ms * 100) / 100);
  const [othersMs, storeMs] = [row.buyers_ms ?? 0, row.store_ms ?? 0];
  const servicesMs = explained?.servicesMs ?? 0;
  return {
    totalMs: base.elapsedMs,
    buyersMs: hundredths(othersMs - servicesMs),
    servicesMs,
    storeMs,
    ownMs: hundredths(base.ownMs - storeMs),
  };
}

function viewFields(fields: FieldConfig[], stored: StoredFields, masking: Masking): LeadView['fields'] {
  const known = fields
    .filter(({ fieldName }) => stored.fields[fieldName] !== undefined || stored.invalid[fieldName] != null)
    .map((field) => viewField(field, stored, masking));
  const others = Object.entries(stored.unknown).map(([name, value]) => {
    const shownName = masking.name(name);
    return { fieldName: shownName, fieldHumanName: shownName, privacyClass: 'P2', value: maskUnknown(value), masked: true };
  });
  return [...known, ...others];
}

function viewField(field: FieldConfig, stored: StoredFields, masking: Masking): LeadView['fields'][number] {
  const { fieldName, fieldHumanName, privacyClass } = field;
  const accepted = stored.fields[fieldName];
  const refused = stored.invalid[fieldName];
  const open = typeof (accepted ?? refused) === 'object' ? maskUnknown(refused) : undefined;
  const text = accepted ?? String(refused);
  const value = open ?? (isMasked(field) ? maskPersonal(field, text) : maskOpen(masking, text, accepted !== undefined));
  return { fieldName, fieldHumanName, privacyClass, value, masked: isMasked(field) || value !== text };
}

/** A list or object shows only how many values it holds. */
function maskUnknown(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return maskPersonal(undefined, String(value));
  const count = leavesOf(value).length;
  return `${Array.isArray(value) ? 'a list' : 'an object'} with ${count} ${count === 1 ? 'value' : 'values'}`;
}

function viewSales(organization: OrganizationPlan, record: LeadRecord, masking: Masking): LeadView['sales'] {
  return (record.explained?.sales ?? []).map((sale, saleIndex) => ({
    saleIndex,
    returnableUntil: returnableUntil(record, sale.buyerTierId),
    returned: viewReturned(record, saleIndex),
    netMargin: formatMoney(sale.margin - (parseMoney(viewReturned(record, saleIndex)?.margin ?? '0') ?? 0)),
    buyerTierId: sale.buyerTierId,
    buyerTierName: organization.buyerWires.get(sale.buyerTierId)?.name ?? '',
    buyerName: organization.buyerWires.get(sale.buyerTierId)?.buyerName ?? '',
    revenue: formatMoney(sale.revenue),
    payout: formatMoney(sale.payout),
    margin: formatMoney(sale.margin),
    promotion: sale.promotion ? { name: sale.promotion.name, extra: formatMoney(sale.promotion.extra) } : null,
    bid: sale.bid === undefined ? null : formatMoney(sale.bid),
    postPriceDiffers: sale.postPriceDiffers,
    redirectUrl: viewRedirect(organization, sale, masking),
    buyerRef: sale.buyerRef === undefined ? null : masking.leaf(sale.buyerRef),
  }));
}

function viewReturned({ returns }: LeadRecord, saleIndex: number): LeadView['sales'][number]['returned'] {
  const found = returns.find((one) => one.saleIndex === saleIndex);
  if (!found) return null;
  const { leadId: _lead, saleIndex: _index, ...returned } = found;
  return returned;
}

/** From when it was sold, or settled. */
function returnableUntil({ row, settlements, returnTerms }: LeadRecord, buyerTierId: string): string | null {
  const soldAt = settlements.find((one) => one.buyerTierId === buyerTierId)?.settledAt ?? row.finished_at;
  if (row.test || !soldAt) return null;
  return new Date(soldAt.getTime() + returnTerms.daysOf(buyerTierId) * DAY_MS).toISOString();
}

const DAY_MS = 24 * 3_600_000;

/** The consumer goes where the buyer said; on screen the address holds neither the person nor what the organization signs in with there. */
function viewRedirect(
  organization: OrganizationPlan,
  { redirectUrl, buyerTierId }: Pick<Explained['sales'][number], 'redirectUrl' | 'buyerTierId'>,
  masking: Masking,
): string | null {
  if (redirectUrl === undefined) return null;
  return maskUrl(masking, hideSecrets(redirectUrl, Object.values(organization.buyerWires.get(buyerTierId)?.opened ?? {})));
}

function viewLink({ redirect }: LeadRecord): LeadView['redirect'] {
  if (!redirect) return null;
  const { given_at, expires_at, followed_at, follows } = redirect;
  return {
    givenAt: given_at.toISOString(),
    expiresAt: expires_at.toISOString(),
    followedAt: followed_at?.toISOString() ?? null,
    follows,
  };
}

function viewInbound(
  organization: OrganizationPlan,
  { stored: { inbound }, explained, redirect: ours }: LeadRecord,
  masking: Masking,
): Omit<NonNullable<LeadView['inbound']>, 'body'> {
  const { method, path, contentType, ip } = inbound;
  const given = explained?.given;
  const redirect = explained?.sales.find((sale) => sale.redirectUrl);
  const link = ours && given?.answer.redirectUrl !== undefined ? hideToken(given.answer.redirectUrl) : undefined;
  const shown = link ?? (redirect ? viewRedirect(organization, redirect, masking) : null);
  const answer = given ? maskAnswer(given.answer, shown, masking) : '';
  return { method, path: masking.text(path), contentType: masking.text(contentType), statusCode: given?.statusCode ?? 0, answer, ip };
}

/** Our own words and figures stay; what came from buyers or publishers is masked. */
export function maskAnswer(answer: Explained['given']['answer'], redirect: string | null, masking: Masking): string {
  const { msg, redirectUrl, errors, warnings, ...own } = answer;
  return JSON.stringify({
    ...own,
    ...(msg !== undefined && { msg: masking.text(msg) }),
    ...(redirectUrl !== undefined && { redirectUrl: redirect ?? maskUrl(masking, redirectUrl) }),
    ...(errors && { errors: errors.map(({ field, message }) => ({ field, message: masking.name(message) })) }),
    ...(warnings && { warnings: warnings.map((text) => maskReceived(masking, text)) }),
  });
}
