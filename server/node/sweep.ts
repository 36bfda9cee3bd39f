/**
 * Takes away rows whose time is over, so that what only counts or remembers does not grow for ever. One node at a time, a
 * slice of a table at a time: a slice is a range of the table's own pages, so that it costs the same however large the table is.
 */
import type pg from 'pg';
import { LONGEST_SPAN_YEARS } from '#contract/report-limits.ts';
import { type ChangeSeal, sealChanges } from '#server/change-log/seal-changes.ts';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { type RequestNews, tellRequests } from '#server/portal/tell-requests.ts';
import { expireRegistrations } from '#server/registration/expire-registrations.ts';
import { applyRetention } from '#server/retention/apply-retention.ts';
import { expirePending } from '#server/settlement/expire-pending.ts';
import { dropOldMonths } from './drop-old-months.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** `write_batch` may hand a fingerprint to another lead only so long after it expired. */
const IDEMPOTENCY_GRACE_MS = 15 * 60_000;
const COUNTER_KEPT_MS = 35 * DAY_MS;
/** A window may be made longer, and then looks back at what was claimed under a shorter one. */
const CLAIM_KEPT_AT_LEAST_MS = 400 * DAY_MS;
/** A window longer than this is a slip of somebody's finger. */
const FOR_EVER_MS = 36_500 * DAY_MS;

interface Rule {
  /** Says when a row was last of use. */
  column: string;
  /** How long after that it is kept. */
  keptMs: (client: pg.ClientBase) => Promise<number>;
  /** Rows that are not kept beyond that moment. */
  unless?: string;
  /** A statement in the same breath, which sees the rows as `gone`. */
  beside?: string;
}

const RULES = {
  // Nobody asks afterwards whose turn it was to probe a breaker.
  counter: { column: 'resets_at', keptMs: async () => COUNTER_KEPT_MS, unless: `period = 'probe'` },
  duplicate_claim: { column: 'claimed_at', keptMs: claimsKeptMs },
  idempotency: { column: 'expires_at', keptMs: async () => IDEMPOTENCY_GRACE_MS },
  // A used or expired link is told apart from one that never was, for a while.
  one_time_token: { column: 'expires_at', keptMs: async () => 30 * DAY_MS },
  mail: { column: 'created_at', keptMs: async () => 30 * DAY_MS },
  // A breaker looks back a day at most, and an hour is grace.
  breaker_minute: { column: 'minute', keptMs: async () => 25 * HOUR_MS },
  // The link to a result is good for half a year; one that is still waiting then was forgotten.
  replay: { column: 'created_at', keptMs: async () => 180 * DAY_MS },
  // Who was given a link that ended is still told for a while.
  eligibility_token: { column: 'expires_at', keptMs: async () => 90 * DAY_MS },
  // Its warning looks back a day.
  unmapped_value: { column: 'last_at', keptMs: async () => 7 * DAY_MS },
  throttle: { column: 'ends_at', keptMs: async () => 0 },
  session: { column: 'expires_at', keptMs: async () => 0 },
  suppression_entry: {
    column: 'expires_at',
    keptMs: async () => 0,
    beside: `update suppression_list l set entry_count = entry_count - g.gone from (select organization_id, list_id, count(*)::int as gone from gone group by 1, 2) g
      where l.organization_id = g.organization_id and l.id = g.list_id`,
  },
  // Its parts and errors go with it.
  job: { column: 'ended_at', keptMs: async () => 90 * DAY_MS },
  // Nobody sends a form again after so long.
  entry_call: { column: 'entered_at', keptMs: async () => 30 * DAY_MS },
  // Whoever was not told by then hears of it no more.
  webhook_call: { column: 'made_at', keptMs: async () => 30 * DAY_MS },
  // Its page tells a month; two years can be looked up.
  card_day: { column: 'day', keptMs: async () => 731 * DAY_MS },
  // A report asks for ten years at most.
  page_hour: { column: 'hour_at', keptMs: async () => LONGEST_SPAN_YEARS * 366 * DAY_MS },
  // What was reported of it goes with it.
  payment: { column: 'attempted_at', keptMs: async () => LONGEST_SPAN_YEARS * 366 * DAY_MS },
  payment_hour: { column: 'hour_at', keptMs: async () => LONGEST_SPAN_YEARS * 366 * DAY_MS },
  // Long after its Undo.
  saved_view: { column: 'removed_at', keptMs: async () => DAY_MS },
  // Kept for some days and no longer.
  export_part: { column: 'kept_until', keptMs: async () => 0 },
  // What is known of a file as long as of its job, or of its run.
  export_file: { column: 'created_at', keptMs: async () => 90 * DAY_MS },
  export_run: { column: 'ended_at', keptMs: async () => 90 * DAY_MS },
  // A run can be made anew as long as it is known.
  export_held_over: { column: 'taken_at', keptMs: async () => 90 * DAY_MS },
  // What came of it stands in the change log.
  change_request: { column: 'decided_at', keptMs: async () => 731 * DAY_MS },
  former_sub_domain: { column: 'given_up_at', keptMs: async () => 90 * DAY_MS },
} satisfies Record<string, Rule>;

export type SweptTable = keyof typeof RULES;
export const SWEPT_TABLES = Object.keys(RULES) as SweptTable[];

/** Pages of 8 KiB: a slice is 1 MiB, and one run looks at no more than 64 MiB of a table. */
const BOUNDS = { slicePages: 128, slices: 64 };
const EVERY_MS = 60_000;

/** Where the next run goes on, by table: a page. */
export type SweepPlace = Map<SweptTable, number>;

/** Sweeps from `place` on. Returns how many rows went, by table; undefined when another node is sweeping. */
export async function sweep(
  pool: pg.Pool,
  now: number,
  place: SweepPlace = new Map(),
  bounds = BOUNDS,
): Promise<Record<SweptTable, number> | undefined> {
  const client = await pool.connect();
  let failed: Error | undefined;
  try {
    const lock = await client.query(`select pg_try_advisory_lock(hashtext('sluice sweep')) as mine`);
    if (!lock.rows[0].mine) return undefined;
    const gone = {} as Record<SweptTable, number>;
    for (const table of SWEPT_TABLES) gone[table] = await sweepTable(client, table, now, place, bounds);
    await client.query(`select pg_advisory_unlock(hashtext('sluice sweep'))`);
    return gone;
  } catch (error) {
    failed = error as Error;
    throw error;
  } finally {
    // A connection that failed may still hold the lock: it is closed, not kept.
    client.release(failed);
  }
}

async function sweepTable(
  client: pg.ClientBase,
  table: SweptTable,
  now: number,
  place: SweepPlace,
  bounds: typeof BOUNDS,
): Promise<number> {
  const { column, keptMs, unless, beside }: Rule = RULES[table];
  const isOver = `(${column} < $3 or (${unless ?? 'false'} and ${column} < $4))`;
  const before = new Date(now - (await keptMs(client)));
  const size = await client.query(`select ceil(pg_relation_size($1::regclass) / current_setting('block_size')::numeric)::int as pages`, [
    table,
  ]);
  const pages = size.rows[0].pages as number;
  let page = place.get(table) ?? 0;
  if (page >= pages) page = 0;
  let gone = 0;
  for (let slice = 0; slice < bounds.slices && page < pages; slice++, page += bounds.slicePages) {
    const also = beside ? `, also as (${beside})` : '';
    const swept = `with gone as (delete from ${table} where ctid >= $1::tid and ctid < $2::tid and ${isOver} returning *)${also} select count(*)::int as gone from gone`;
    const taken = await client.query(swept, [`(${page},0)`, `(${page + bounds.slicePages},0)`, before, new Date(now)]);
    gone += taken.rows[0].gone;
  }
  place.set(table, page);
  return gone;
}

async function claimsKeptMs(client: pg.ClientBase): Promise<number> {
  const found = await client.query(
    `select max((duplicate ->> 'windowDays')::numeric)::float8 as days from (select duplicate from publisher_tier union all select duplicate from buyer_tier) rules
      where jsonb_typeof(duplicate -> 'windowDays') = 'number'`,
  );
  return Math.min(Math.max(CLAIM_KEPT_AT_LEAST_MS, (found.rows[0].days ?? 0) * DAY_MS), FOR_EVER_MS);
}

export function sweepRegularly(
  {
    pool,
    db,
    planBook,
    mailer,
    addresses,
    sealed,
  }: RequestNews & { pool: pg.Pool; planBook: PlanBook; sealed: (seal: ChangeSeal) => void },
  onError: (error: unknown) => void,
  metrics: Counting = NO_COUNTING,
): { close(): Promise<void> } {
  const place: SweepPlace = new Map();
  const told = (error: unknown): ChangeSeal[] => {
    onError(error);
    return [];
  };
  let running: Promise<unknown> | undefined;
  const timer = setInterval(() => {
    running ??= sweep(pool, Date.now(), place)
      .then(async (gone) => {
        metrics.add('sluice_sweeps_total', { outcome: gone ? 'done' : 'left' });
        if (!gone) return;
        // What is not sealed this time is the next; nothing else waits for it.
        for (const seal of await sealChanges(pool, planBook, Date.now()).catch(told)) sealed(seal);
        metrics.add(
          'sluice_swept_rows_total',
          {},
          Object.values(gone).reduce((sum, one) => sum + one, 0),
        );
        await expireRegistrations(db, Date.now());
        await expirePending(db, planBook, Date.now());
        await tellRequests({ db, planBook, mailer, addresses }, Date.now());
        await dropOldMonths(pool, Date.now());
        metrics.add('sluice_retention_leads_total', {}, await applyRetention(db, planBook, Date.now()));
      })
      .catch((error) => {
        metrics.add('sluice_sweeps_total', { outcome: 'failed' });
        onError(error);
      })
      .finally(() => {
        running = undefined;
      });
  }, EVERY_MS);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await running;
    },
  };
}
