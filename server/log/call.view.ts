/** Calls of publishers as the log lists and opens them. */
import type { CallLogQuery, CallLogRow } from '#contract/log.ts';
import { REFUSALS } from '#contract/refusal.ts';
import type { Reason } from '#engine/decision.ts';
import { DECLINE_LABELS } from '#engine/reason-label.ts';
import { openJsonIfSound } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { Explained } from '#server/lead/intake.ts';
import { maskAnswer, maskingOf } from '#server/lead/lead.view.ts';
import { maskPosting, postedValues, readPosted } from '#server/lead/mask-posting.ts';
import { openMasking } from '#server/lead/mask-text.ts';
import type { GivenAnswer } from '#server/lead/posting.answer.ts';
import { openIfSound } from '#server/lead/stored-fields.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { hideToken } from '#server/redirect/redirect-link.ts';
import { type LeadCall, listCalls, type OtherCall, pathOfCall } from './call-list.sql.ts';
import { lookThrough, readable } from './look-through.ts';

/** As api_call.wire keeps it. */
export interface KeptCall {
  contentType: string;
  body: string;
  ip: string;
  /** Our answer, as JSON. */
  answer: string;
}

/** The page that the filters find. */
export async function findCalls(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  query: CallLogQuery,
): Promise<{ rows: CallLogRow[]; older: string | null }> {
  const text = query.text && readable(query.text);
  if (text === undefined) {
    const { rows, older } = await listCalls(db, organization, verticalId, query);
    return { rows: rows.map((row) => viewCall(organization, row)), older };
  }
  return lookThrough({
    query,
    read: async (page) => {
      const { rows, older: end } = await listCalls(db, organization, verticalId, page);
      return { rows, end };
    },
    see: (row) =>
      partsOf(organization, verticalId, row).some((part) => readable(part).includes(text)) ? viewCall(organization, row) : undefined,
    cursorOf: (row) => row.id,
  });
}

/** Whatever is shown of a call when it is opened. */
function partsOf(organization: OrganizationPlan, verticalId: string, row: LeadCall | OtherCall): string[] {
  if (row.kind === 'other') {
    const kept = openJsonIfSound<KeptCall>(organization.keys, 'api_call.wire', row.id, row.wire);
    if (!kept) return [];
    const { contentType, body, answer, ip } = maskKeptCall(organization, verticalId, kept);
    return [`${row.method} ${row.path}`, contentType, body, answer, ip];
  }
  const stored = openIfSound(organization.keys, row.id, row.fields);
  if (!stored) return [];
  const { inbound } = stored;
  const fields = organization.plan.verticals.get(verticalId)?.config.fields ?? [];
  const masking = maskingOf(fields, stored);
  const given = givenTo(organization, row);
  return [
    `${inbound.method} ${pathOfCall[row.mode]}`,
    masking.text(inbound.contentType),
    inbound.ip,
    inbound.body === '' ? '' : maskPosting(inbound, readPosted(inbound), fields, new Set(Object.keys(stored.fields)), masking),
    given ? maskAnswer(given.answer, linkOf(given.answer), masking) : '',
  ];
}

/** Undefined of a lead under way, and where what is kept of it was damaged: it must not take the others away. */
const givenTo = ({ keys }: OrganizationPlan, { id, explained }: LeadCall): GivenAnswer | undefined =>
  explained ? openJsonIfSound<Explained>(keys, 'lead_result.explained', id, explained)?.given : undefined;

const linkOf = ({ redirectUrl }: GivenAnswer['answer']) => (redirectUrl === undefined ? null : hideToken(redirectUrl));

const viewCall = (organization: OrganizationPlan, row: LeadCall | OtherCall): CallLogRow =>
  row.kind === 'lead' ? viewLeadCall(organization, row) : viewOtherCall(organization, row);

const seatOf = (organization: OrganizationPlan, { id, publisher_tier_id }: LeadCall | OtherCall) => {
  const seat = organization.publisherSeats.get(publisher_tier_id);
  return {
    _id: id,
    at: new Date(idInstant(id)).toISOString(),
    publisherName: seat?.publisherName ?? '',
    publisherTierName: seat?.name ?? '',
  };
};

function viewLeadCall(organization: OrganizationPlan, row: LeadCall): CallLogRow {
  const inbound = openIfSound(organization.keys, row.id, row.fields)?.inbound;
  const given = givenTo(organization, row);
  return {
    ...seatOf(organization, row),
    keyPrefix: inbound?.keyPrefix ?? null,
    call: row.mode,
    method: inbound?.method ?? 'POST',
    path: pathOfCall[row.mode],
    end: (row.status ?? 'received') as CallLogRow['end'],
    statusCode: given ? given.statusCode : null,
    code: given ? given.answer.code : null,
    reasonLabel: row.reason === null ? null : (DECLINE_LABELS[row.reason as Reason] ?? row.reason),
    elapsedMs: row.elapsed_ms ?? 0,
    leadId: row.id,
    more: 0,
    test: row.test,
  };
}

function viewOtherCall(organization: OrganizationPlan, row: OtherCall): CallLogRow {
  const end = row.code === 'lead_replayed' ? 'replayed' : row.code === 'lead_asked' ? 'asked' : 'refused';
  const mode = (Object.entries(pathOfCall) as ['full' | 'ping' | 'post', string][]).find(([, path]) => path === row.path)?.[0];
  return {
    ...seatOf(organization, row),
    keyPrefix: row.key_prefix,
    call: row.method === 'GET' ? 'status' : (mode ?? 'full'),
    method: row.method,
    path: row.path,
    end,
    statusCode: row.status_code,
    code: row.code,
    reasonLabel: end === 'refused' ? (REFUSALS[row.code]?.label ?? row.code) : null,
    elapsedMs: row.elapsed_ms,
    leadId: row.lead_id,
    more: row.more,
    test: false,
  };
}

/** Nothing of a call that made no lead was ever checked: every value in it is somebody's, but what is too short to be. */
export function maskKeptCall(organization: OrganizationPlan, verticalId: string, kept: KeptCall): KeptCall {
  const fields = organization.plan.verticals.get(verticalId)?.config.fields ?? [];
  const posting = readPosted(kept);
  const masking = openMasking(postedValues(posting, fields));
  const answer = JSON.parse(kept.answer) as GivenAnswer['answer'];
  return {
    contentType: masking.text(kept.contentType),
    ip: kept.ip,
    body: kept.body === '' ? '' : maskPosting(kept, posting, fields, new Set(), masking),
    answer: maskAnswer(answer, linkOf(answer), masking),
  };
}
