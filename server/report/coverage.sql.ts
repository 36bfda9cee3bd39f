/** How many buyers there are for leads of each state: those that were asked, and those that bought. */
import { sql } from 'kysely';
import type { MapReportAnswer } from '#contract/report.ts';
import { FACT_COLUMNS } from './cubes.ts';
import type { Look } from './read-facts.sql.ts';
import { columnsOf, isAny, matching, type ReportFilters } from './report.sql.ts';
import type { Span } from './split-span.ts';

/** A buyer that a filter kept a lead from was not asked about it. */
export async function readCoverage(look: Look, span: Span, filters: ReportFilters): Promise<NonNullable<MapReportAnswer['coverage']>> {
  const source = look.facts({
    table: 'attempt_tally',
    span,
    filters,
    isTimeless: true,
    keys: ['state', 'buyer_id', ...columnsOf(filters)],
  });
  const { rows } = await sql<{ state: string; asked: number; bought: number }>`
    select state, count(*) filter (where asked > 0)::int as asked, count(*) filter (where sales > 0)::int as bought
    from (select state, buyer_id, sum(pings + attempts - filtered) as asked, sum(sales) as sales
      from (${source}) as f where ${matching(filters)} group by 1, 2 having ${isAny(FACT_COLUMNS.attempt_tally.sums)}) as b
    group by 1 order by 1`.execute(look.db);
  return rows;
}
