/** Calls to buyers as the log lists them: with what the buyer said, masked as on the lead's own page. */
import type { AttemptLogQuery, AttemptLogRow } from '#contract/log.ts';
import { openJson } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import type { StoredWire } from '#server/lead/intake.ts';
import { maskingOf } from '#server/lead/lead.view.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { Masking } from '#server/lead/mask-text.ts';
import { openStoredFields } from '#server/lead/stored-fields.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { attemptId, type LoggedAttempt, listAttempts } from './attempt-log.sql.ts';

/** Calls whose reasons one page reads where a reason is looked for: each has to be unsealed. */
const REASONS_READ = 2_000;
const READ_AT_ONCE = 200;

export interface AttemptPage {
  rows: AttemptLogRow[];
  /** Where the next page begins; null at the end. */
  older: string | null;
}

/** The page that the filters find. */
export async function findAttempts(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  query: AttemptLogQuery,
): Promise<AttemptPage> {
  const view = viewer(organization, verticalId);
  const wanted = query.reason?.trim().toLowerCase();
  if (!wanted) {
    const { rows, end } = await listAttempts(db, organization, verticalId, query);
    return { rows: rows.map((row) => view(row)!), older: end };
  }
  const rows: AttemptLogRow[] = [];
  let before = query.before;
  for (let read = 0; read < REASONS_READ; read += READ_AT_ONCE) {
    const page = await listAttempts(db, organization, verticalId, { ...query, before, limit: READ_AT_ONCE });
    for (const row of page.rows) {
      const seen = view(row, wanted);
      if (seen) rows.push(seen);
      if (rows.length === query.limit) return { rows, older: attemptId(row) };
    }
    if (page.end === null || page.rows.length === 0) return { rows, older: page.end };
    before = page.end;
  }
  return { rows, older: before ?? null };
}

/** Rows of one lead stand together: it is unsealed once, and only where a buyer said something. */
function viewer(organization: OrganizationPlan, verticalId: string): (row: LoggedAttempt, reason?: string) => AttemptLogRow | undefined {
  const fields = organization.plan.verticals.get(verticalId)?.config.fields ?? [];
  let leadId = '';
  let wires: StoredWire[] = [];
  let masking: Masking | undefined;
  return (row, wanted) => {
    if (row.lead_id !== leadId) {
      leadId = row.lead_id;
      wires = row.wires ? openJson<StoredWire[]>(organization.keys, 'lead_result.wires', leadId, row.wires) : [];
      masking = undefined;
    }
    const said = wires[row.attempt_index]?.reasons ?? [];
    if (wanted !== undefined && !said.join('; ').toLowerCase().includes(wanted)) return undefined;
    masking ??= said.length > 0 ? maskingOf(fields, openStoredFields(organization.keys, leadId, row.fields)) : undefined;
    const reason = masking ? said.map(masking.leaf).join('; ') : '';
    // What was found may be a value of the person: then nothing is found.
    if (wanted !== undefined && !reason.toLowerCase().includes(wanted)) return undefined;
    return viewAttempt(organization, row, reason);
  };
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
