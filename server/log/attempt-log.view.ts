/** Calls to buyers as the log lists them: with what the buyer said, masked as on the lead's own page. */
import type { AttemptLogQuery, AttemptLogRow } from '#contract/log.ts';
import { openJsonIfSound } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { viewWire } from '#server/lead/attempt.view.ts';
import type { StoredWire } from '#server/lead/intake.ts';
import { maskingOf } from '#server/lead/lead.view.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { Masking } from '#server/lead/mask-text.ts';
import { openIfSound } from '#server/lead/stored-fields.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { attemptId, type LoggedAttempt, listAttempts } from './attempt-log.sql.ts';
import { lookThrough, readable } from './look-through.ts';

/** The page that the filters find. */
export async function findAttempts(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  query: AttemptLogQuery,
): Promise<{ rows: AttemptLogRow[]; older: string | null }> {
  const view = viewer(organization, verticalId);
  const wanted = { reason: query.reason?.trim().toLowerCase() || undefined, text: query.text && readable(query.text) };
  if (wanted.reason === undefined && wanted.text === undefined) {
    const { rows, end } = await listAttempts(db, organization, verticalId, query);
    return { rows: rows.map((row) => view(row, wanted)!), older: end };
  }
  return lookThrough({
    query,
    read: (page) => listAttempts(db, organization, verticalId, page),
    see: (row) => view(row, wanted),
    cursorOf: attemptId,
  });
}

interface Wanted {
  reason: string | undefined;
  text: string | undefined;
}

/** Rows of one lead stand together: it is unsealed once, and its person only where anything is said of it. */
function viewer(organization: OrganizationPlan, verticalId: string): (row: LoggedAttempt, wanted: Wanted) => AttemptLogRow | undefined {
  const fields = organization.plan.verticals.get(verticalId)?.config.fields ?? [];
  let leadId = '';
  let wires: StoredWire[] = [];
  let masking: Masking | undefined;
  return (row, wanted) => {
    if (row.lead_id !== leadId) {
      leadId = row.lead_id;
      wires = (row.wires && openJsonIfSound<StoredWire[]>(organization.keys, 'lead_result.wires', leadId, row.wires)) || [];
      masking = undefined;
    }
    const wire = wires[row.attempt_index];
    const said = wire?.reasons ?? [];
    if (wanted.reason !== undefined && !said.join('; ').toLowerCase().includes(wanted.reason)) return undefined;
    if (wire && !masking && (said.length > 0 || wanted.text !== undefined)) {
      const stored = openIfSound(organization.keys, leadId, row.fields);
      masking = stored && maskingOf(fields, stored);
    }
    const reason = masking ? said.map(masking.leaf).join('; ') : '';
    // What was found may be a value of the person: then nothing is found.
    if (wanted.reason !== undefined && !reason.toLowerCase().includes(wanted.reason)) return undefined;
    if (wanted.text !== undefined && !(masking && wire && isSeen(viewWire(wire, masking), wanted.text))) return undefined;
    return viewAttempt(organization, row, reason);
  };
}

/** Whatever is shown of a call, part by part. */
function isSeen(wire: ReturnType<typeof viewWire>, text: string): boolean {
  if (!wire) return false;
  const { method, url, requestHeaders, requestBody, hops, responseHeaders, responseBody, warnings } = wire;
  const lines = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const parts = [
    `${method} ${url}`,
    requestBody,
    responseBody,
    ...lines(requestHeaders),
    ...lines(responseHeaders),
    ...hops.map((hop) => hop.url),
    ...warnings,
  ];
  return parts.some((part) => readable(part).includes(text));
}

function viewAttempt(organization: OrganizationPlan, row: LoggedAttempt, reason: string): AttemptLogRow {
  const buyer = organization.buyerWires.get(row.buyer_tier_id);
  const seat = organization.publisherSeats.get(row.publisher_tier_id);
  return {
    _id: attemptId(row),
    leadId: row.lead_id,
    startedAt: row.started_at.toISOString(),
    buyerName: buyer?.buyerName ?? '',
    buyerTierId: row.buyer_tier_id,
    buyerTierName: buyer?.name ?? '',
    publisherName: seat?.publisherName ?? '',
    publisherTierName: seat?.name ?? '',
    leg: row.leg,
    outcome: row.outcome,
    statusCode: row.status_code,
    elapsedMs: row.elapsed_ms,
    connectMs: row.connect_ms,
    waitMs: row.wait_ms,
    readMs: row.read_ms,
    bid: row.bid === null ? null : money(row.bid),
    price: row.price === null ? null : money(row.price),
    reason,
    test: row.test,
  };
}
