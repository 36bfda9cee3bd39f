/** Why leads were not sold and why tiers were passed by (console §4), of a span and the one before. */
import { sql } from 'kysely';
import type { ReasonReportAnswer, ReportUnit } from '#contract/report.ts';
import type { Reason } from '#engine/decision.ts';
import { DECLINE_LABELS, FILTER_REASON_LABELS } from '#engine/reason-label.ts';
import type { Db } from '#server/kit/database.ts';
import { type Ordered, viewSpan } from './build-report.ts';
import { type Look, lookAtFacts, type ReportScope } from './read-facts.sql.ts';
import { columnsOf, matching, type ReportFilters, readAttemptFigures, readLeadFigures, startOf } from './report.sql.ts';
import { pointsOf } from './report-span.ts';
import type { Span } from './split-span.ts';

type Asked = Omit<Ordered<never>, 'by' | 'filters' | 'unit'> & {
  unit: ReportUnit;
  leadFilters: ReportFilters;
  attemptFilters: ReportFilters;
};

export async function readReasons(db: Db, scope: ReportScope, asked: Asked): Promise<ReasonReportAnswer> {
  const { span, before, unit, timeZone, leadFilters, attemptFilters } = asked;
  const points = pointsOf(span, unit, timeZone);
  return lookAtFacts(db, scope, async (look) => {
    const leads = await readLeadFigures(look, { span, filters: leadFilters }, ['reason']);
    const leadsBefore = await readLeadFigures(look, { span: before, filters: leadFilters }, ['reason']);
    const tiers = await readAttemptFigures(look, { span, filters: attemptFilters }, ['filterReason']);
    const tiersBefore = await readAttemptFigures(look, { span: before, filters: attemptFilters }, ['filterReason']);
    const series = await readReasonSeries(look, span, leadFilters, asked);
    return {
      status: true as const,
      asOf: new Date().toISOString(),
      ...{ span: viewSpan(span), before: viewSpan(before) },
      ...{ attempts: leads.total.attempts, attemptsBefore: leadsBefore.total.attempts },
      ...{ sold: leads.total.sold, soldBefore: leadsBefore.total.sold },
      reasons: countsOf(leads.rows, leadsBefore.rows, (key) => DECLINE_LABELS[key as Reason] ?? key),
      filterReasons: countsOf(
        tiers.rows.filter(({ keys }) => keys[0] !== '0'),
        tiersBefore.rows.filter(({ keys }) => keys[0] !== '0'),
        (key) => (FILTER_REASON_LABELS as Record<string, string>)[key] ?? key,
      ),
      series: points.map((at) => ({ at: new Date(at).toISOString(), reasons: series.get(at) ?? [] })),
    };
  });
}

type Row = { keys: string[]; now: { attempts: number } };

/** The most frequent first; what did not happen in either span is left out. */
function countsOf(now: Row[], before: Row[], labelOf: (key: string) => string): ReasonReportAnswer['reasons'] {
  const counts = (rows: Row[]) => new Map(rows.filter(({ keys }) => keys[0] !== '').map(({ keys, now }) => [keys[0]!, now.attempts]));
  const [counted, past] = [counts(now), counts(before)];
  return [...new Set([...counted.keys(), ...past.keys()])]
    .map((key) => ({ key, label: labelOf(key), count: counted.get(key) ?? 0, before: past.get(key) ?? 0 }))
    .filter((one) => one.count + one.before > 0)
    .sort((a, b) => b.count - a.count || b.before - a.before);
}

async function readReasonSeries(look: Look, span: Span, filters: ReportFilters, { unit, timeZone }: Pick<Asked, 'unit' | 'timeZone'>) {
  const source = look.facts({
    ...{ table: 'lead_tally', span, filters, isHourly: unit === 'hour' },
    keys: ['reason', ...columnsOf(filters)],
  });
  const { rows } = await sql<{ at: Date; key: string; count: number }>`
    select ${startOf(unit, timeZone)} as at, reason as key, sum(attempts)::int8 as count
    from (${source}) as f where ${matching(filters)} and reason <> '' and attempts > 0 group by 1, 2`.execute(look.db);
  const byTime = Map.groupBy(rows, (row) => row.at.getTime());
  return new Map([...byTime].map(([at, of]) => [at, of.map(({ key, count }) => ({ key, count }))]));
}
