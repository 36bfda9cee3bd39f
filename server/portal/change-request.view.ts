import type { ChangeRequest, PortalRequest } from '#contract/change-request.ts';
import type { PauseDatesRule } from '#contract/tier.ts';
import { idInstant } from '#server/kit/ids.ts';
import type { RequestRow, WaitingRow } from './change-request.sql.ts';
import type { Standing } from './decide-request.ts';

type Values = Record<string, unknown>;

function viewRow(row: RequestRow): PortalRequest {
  return {
    _id: row.id,
    at: new Date(idInstant(row.id)).toISOString(),
    model: row.model as PortalRequest['model'],
    recordId: row.record_id,
    recordName: row.record_name,
    before: row.before as Values,
    after: row.after as Values,
    note: row.note,
    status: row.status as PortalRequest['status'],
    askedBy: row.asked_by_name,
    decidedAt: row.decided_at?.toISOString() ?? null,
    answer: row.answer,
  };
}

/** For the company's own portal. */
export function viewPortalRequest(row: RequestRow): PortalRequest {
  const view = viewRow(row);
  return { ...view, before: withoutNotes(view.before), after: withoutNotes(view.after) };
}

function withoutNotes(values: Values): Values {
  return 'pauseDates' in values ? { ...values, pauseDates: tellPauseDates(values.pauseDates as PauseDatesRule | null) } : values;
}

/** What the organization notes beside a pause is its own. */
export const tellPauseDates = (rule: PauseDatesRule | null): PauseDatesRule | null =>
  rule && { ...rule, days: rule.days.map(({ from, to }) => ({ from, to })) };

/** For who decides. */
export function viewChangeRequest(row: WaitingRow, standing: Standing | undefined): ChangeRequest {
  const kind = row.buyer_id ? ('buyer' as const) : ('publisher' as const);
  return {
    ...viewRow(row),
    company: { kind, _id: row.buyer_id ?? row.publisher_id!, name: row.company_name },
    decidedBy: row.decided_by_name,
    current: standing?.current ?? {},
    isStale: standing?.isStale ?? false,
    version: standing?.version ?? null,
    whyNot: standing ? standing.whyNot : 'What it is about is not in your reach.',
  };
}
