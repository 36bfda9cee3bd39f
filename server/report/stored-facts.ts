/**
 * How facts lie in their tables: each in a row, but for times, of which a row is a whole histogram. Its buckets and sums are arrays beside each other:
 * told row by row they were most of all that is kept, and of what counting an hour costs.
 */
import { type RawBuilder, sql } from 'kysely';
import { FACT_COLUMNS, type FactTable } from './cubes.ts';

export type Grain = 'week' | 'day' | 'hour' | 'slot';

/** The key whose values lie in an array, in order. */
const FOLDED: Partial<Record<FactTable, { key: string; column: string; type: string }>> = {
  latency_tally: { key: 'bucket', column: 'buckets', type: 'smallint[]' },
};
/** What a sum is, where it is no count. */
const SUM_TYPE: Partial<Record<string, string>> = { revenue: 'numeric' };
/** Which way of counting a row tells of itself: nodes of another cannot write it (migrations 0065 and 0067). */
const COUNTING: Partial<Record<FactTable, number>> = { lead_tally: 3, attempt_tally: 2 };
const PLACE = ['organization_id', 'vertical_id', 'grain', 'cube', 'hour_id'];

/** Slots come and go: they lie in tables of their own. Those of pages are not kept: visits are counted by the hour as they come. */
const SLOTS = { lead_tally: 'lead_slot', attempt_tally: 'attempt_slot', latency_tally: 'latency_slot' } as const;
export const SLOTTED = Object.keys(SLOTS) as (keyof typeof SLOTS)[];
export const isSlotted = (table: FactTable): table is keyof typeof SLOTS => table in SLOTS;

/** Where a grain lies. */
export const tableOf = (table: FactTable, grain: Grain): string => (grain === 'slot' && isSlotted(table) ? SLOTS[table] : table);

/** All that is kept of some kind of facts in some grain (and what else lies there) as something to select from, one row for each of its keys' values; of a histogram the named sums alone. */
export function storedFacts(table: FactTable, grain: Grain, sums: readonly string[] = FACT_COLUMNS[table].sums): RawBuilder<unknown> {
  const folded = FOLDED[table];
  if (!folded) return sql.table(tableOf(table, grain));
  const { keys } = FACT_COLUMNS[table];
  const whole = [...PLACE, ...keys.filter((key) => key !== folded.key)].map((name) => `t.${name}`);
  const names = [folded.key, ...sums];
  const arrays = [folded.column, ...sums].map((name) => `t.${name}`);
  return sql.raw(`(select ${[...whole, ...names.map((name) => `u.${name}`)].join(', ')}
    from ${tableOf(table, grain)} t cross join lateral unnest(${arrays.join(', ')}) as u (${names.join(', ')}))`);
}

/** Keeps what `source` has: vertical_id, cube, hour_id, all keys and all sums. */
export function insertFacts(table: FactTable, grain: Grain, organizationId: string, source: RawBuilder<unknown>): RawBuilder<unknown> {
  const { keys, sums } = FACT_COLUMNS[table];
  const folded = FOLDED[table];
  const whole = keys.filter((key) => key !== folded?.key);
  const list = (of: readonly string[]) => sql.raw(of.join(', '));
  const folds = folded && [
    `array_agg(${folded.key} order by ${folded.key})::${folded.type}`,
    ...sums.map((name) => `array_agg(${name} order by ${folded.key})::${SUM_TYPE[name] ?? 'int'}[]`),
  ];
  const counting = COUNTING[table];
  const columns = [...PLACE, 'row_number', ...whole, ...(folded ? [folded.column] : []), ...sums, ...(counting ? ['counting'] : [])];
  return sql`insert into ${sql.table(tableOf(table, grain))} (${list(columns)})
    select ${organizationId}::uuid, vertical_id, ${grain}, cube, hour_id, row_number() over (partition by vertical_id, cube, hour_id),
      ${list([...whole, ...(folds ?? sums), ...(counting ? [String(counting)] : [])])}
    from ${source} as c ${folded ? sql`group by vertical_id, cube, hour_id, ${list(whole)}` : sql``}`;
}
