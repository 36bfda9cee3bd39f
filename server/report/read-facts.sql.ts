/** One look at what is counted: kept hours and raw rows of the same moment, so that every answer is exact whatever the roller is doing. */
import { type RawBuilder, sql } from 'kysely';
import { HOUR_MS } from '#engine/zone.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor, idInstant } from '#server/kit/ids.ts';
import { FACT_COLUMNS, type FactTable, factsOf } from './facts.sql.ts';
import { type Span, type SplitSpan, splitSpan } from './split-span.ts';

export interface ReportScope {
  organizationId: string;
  verticalId: string;
}

export interface Look {
  db: Db;
  scope: ReportScope;
  /** Hour, keys and sums of a span, as something to select from. */
  facts(table: FactTable, span: Span): RawBuilder<unknown>;
}

/** Where so few spans are kept apart from each other, the planner is shown each. */
const SHOWN_RANGES = 20;

/** Everything that `use` reads is of one snapshot. `db` must be the tenant's. */
export function lookAtFacts<T>(db: Db, scope: ReportScope, use: (look: Look) => Promise<T>): Promise<T> {
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      // Sums of many keys at once are kept in memory; compiling the statement would take longer than running it.
      await sql`select set_config('work_mem', '64MB', true), set_config('jit', 'off', true)`.execute(tx);
      const state = await findState(tx, scope);
      return use({ db: tx, scope, facts: (table, span) => sourceOf(table, scope, splitOf(state, span)) });
    });
}

interface RollState {
  /** Undefined where there is none. */
  firstLeadAt: number | undefined;
  rolledBefore: number;
  marked: Set<number>;
}

async function findState(tx: Db, { organizationId }: ReportScope): Promise<RollState> {
  const first = await tx
    .selectFrom('lead')
    .select('id')
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const progress = await tx
    .selectFrom('report_progress')
    .select('rolled_before')
    .where('organization_id', '=', organizationId)
    .executeTakeFirst();
  const marks = await tx.selectFrom('report_mark').select('hour_id').distinct().where('organization_id', '=', organizationId).execute();
  return {
    firstLeadAt: first && idInstant(first.id),
    rolledBefore: progress ? idInstant(progress.rolled_before) : 0,
    marked: new Set(marks.map(({ hour_id }) => idInstant(hour_id))),
  };
}

/** Nothing was before the first lead: hours of before are not looked at one by one. */
const splitOf = ({ firstLeadAt, rolledBefore, marked }: RollState, { from, to }: Span): SplitSpan =>
  firstLeadAt === undefined
    ? { kept: [], raw: [] }
    : splitSpan({ from: Math.max(from, Math.floor(firstLeadAt / HOUR_MS) * HOUR_MS), to }, rolledBefore, marked);

function sourceOf(table: FactTable, { organizationId, verticalId }: ReportScope, { kept, raw }: SplitSpan): RawBuilder<unknown> {
  const { keys, sums } = FACT_COLUMNS[table];
  const columns = sql.raw(['hour_id', ...keys, ...sums].join(', '));
  const within = (span: Span) => sql`(hour_id >= ${idFloor(span.from)}::uuid and hour_id < ${idFloor(span.to)}::uuid)`;
  const ends = (of: keyof Span) => sql`${kept.map((span) => idFloor(span[of]))}::uuid[]`;
  const ranges =
    kept.length <= SHOWN_RANGES
      ? sql`(${kept.length === 0 ? sql`false` : sql.join(kept.map(within), sql` or `)})`
      : sql`exists (select from unnest(${ends('from')}, ${ends('to')}) as k (a, b) where hour_id >= k.a and hour_id < k.b)`;
  const counted = sql`select ${columns} from ${sql.table(table)}
    where organization_id = ${organizationId} and vertical_id = ${verticalId} and ${ranges}`;
  if (raw.length === 0) return counted;
  return sql`${counted} union all select ${columns} from (${factsOf(table, organizationId, raw, verticalId)}) as r`;
}
