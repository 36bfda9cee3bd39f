/** Breakers as they are kept: the state of a tier in `breaker`, its calls by the minute in `breaker_minute`, by which throttles go as well. */
import { sql } from 'kysely';
import {
  type BreakerState,
  type CountedCall,
  countedOf,
  lookBackFrom,
  minuteOf,
  nextState,
  type OpenBreaker,
  type Tally,
  tallyOf,
} from '#engine/breaker.ts';
import type { BreakerConfig, ThrottleConfig } from '#engine/plan.ts';
import { isSlow, nextThrottled, type ThrottleTally } from '#engine/throttle.ts';
import type { Db } from '#server/kit/database.ts';
import { deleteThrottled, insertThrottled, listThrottled } from './throttle.sql.ts';

/** Calls of one tier that have ended since it was counted last. */
export interface EndedCalls {
  breaker: BreakerConfig | undefined;
  throttle: ThrottleConfig | undefined;
  calls: CountedCall[];
}

interface StateRow {
  opened_at: Date | null;
  open_until: Date | null;
  since: Date | null;
  calls: number | null;
  failures: number | null;
  look_back_minutes: number | null;
  failed_probes: number;
}

export function readOpen(row: StateRow): OpenBreaker | undefined {
  if (!row.opened_at || !row.open_until || !row.since) return undefined;
  return {
    openedAt: row.opened_at.getTime(),
    openUntil: row.open_until.getTime(),
    since: row.since.getTime(),
    calls: row.calls ?? 0,
    failures: row.failures ?? 0,
    lookBackMinutes: row.look_back_minutes ?? 0,
    failedProbes: row.failed_probes,
  };
}

/** Breakers that are not closed, of one organization or of all. */
export async function listOpen(db: Db, organizationId?: string) {
  let select = db.selectFrom('breaker').selectAll().where('open_until', 'is not', null);
  if (organizationId) select = select.where('organization_id', '=', organizationId);
  const rows = await select.execute();
  return rows.flatMap((row) => {
    const open = readOpen(row);
    return open ? [{ organizationId: row.organization_id, buyerTierId: row.buyer_tier_id, open }] : [];
  });
}

/** Somebody who was told is not told again so soon, should the breaker close and open again. */
const QUIET_MS = 3_600_000;

/**
 * Counts what ended, by tier, and opens or closes what has to be: one transaction, in which each tier is locked, so that what several
 * nodes count at once adds up. `tell` runs in it where somebody has to hear of an opening. True when a state changed; all nodes are told.
 */
export async function storeCalls(
  db: Db,
  organizationId: string,
  ended: Map<string, EndedCalls>,
  now: number,
  tell: (tx: Db, buyerTierId: string, open: OpenBreaker) => Promise<void>,
): Promise<boolean> {
  const tiers = [...ended].sort(([a], [b]) => (a < b ? -1 : 1)).map(([id, one]) => ({ id, ...one }));
  return db.transaction().execute(async (tx) => {
    const ids = tiers.map(({ id }) => id);
    const kept = await lockStates(tx, organizationId, ids);
    const tallies = await addCalls(tx, organizationId, tiers, kept, now);
    let changed = await throttleTiers(tx, organizationId, tiers, tallies, now);
    for (const { id, breaker: config, calls } of tiers) {
      if (!config) continue;
      const { state, toldAt } = kept.get(id)!;
      const next = nextState(config, state, calls, tallies.get(id)?.breaker ?? { calls: 0, failures: 0 }, now);
      if (next === state) continue;
      changed = true;
      const isNews = !state.open && next.open !== undefined && toldAt < now - QUIET_MS;
      await writeState(tx, organizationId, id, next, isNews ? now : undefined);
      if (next.open && isNews) await tell(tx, id, next.open);
    }
    if (changed) await announce(tx, organizationId);
    return changed;
  });
}

interface KeptState {
  state: BreakerState;
  toldAt: number;
}

async function lockStates(tx: Db, organizationId: string, ids: string[]): Promise<Map<string, KeptState>> {
  const read = () =>
    tx
      .selectFrom('breaker')
      .selectAll()
      .where('organization_id', '=', organizationId)
      .where('buyer_tier_id', 'in', ids)
      .orderBy('buyer_tier_id')
      .forUpdate()
      .execute();
  let rows = await read();
  if (rows.length < ids.length) {
    const values = ids.map((buyer_tier_id) => ({ organization_id: organizationId, buyer_tier_id }));
    await tx
      .insertInto('breaker')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
    rows = await read();
  }
  return new Map(
    rows.map((row) => [
      row.buyer_tier_id,
      { state: { open: readOpen(row), countedFrom: row.counted_from.getTime() }, toldAt: row.told_at?.getTime() ?? 0 },
    ]),
  );
}

/** Of the look-back of its breaker, and of that of its throttle. */
interface Tallies {
  breaker: Tally | undefined;
  throttle: ThrottleTally | undefined;
}

/** Adds to this minute; returns what each tier's look-backs come to, where calls of it were counted. */
async function addCalls(
  tx: Db,
  organizationId: string,
  tiers: ({ id: string } & EndedCalls)[],
  kept: Map<string, KeptState>,
  now: number,
): Promise<Map<string, Tallies>> {
  const minute = new Date(minuteOf(now));
  const rows = tiers
    .map(({ id, throttle, calls }) => {
      const { state } = kept.get(id)!;
      const slow = throttle ? countedOf(state, calls).filter((call) => isSlow(throttle, call.elapsedMs)).length : 0;
      return { organization_id: organizationId, buyer_tier_id: id, minute, ...tallyOf(state, calls), slow };
    })
    .filter((row) => row.calls > 0);
  if (rows.length === 0) return new Map();
  await tx
    .insertInto('breaker_minute')
    .values(rows)
    .onConflict((conflict) =>
      conflict.columns(['organization_id', 'buyer_tier_id', 'minute']).doUpdateSet({
        calls: sql`breaker_minute.calls + excluded.calls`,
        failures: sql`breaker_minute.failures + excluded.failures`,
        slow: sql`breaker_minute.slow + excluded.slow`,
      }),
    )
    .execute();
  const counted = tiers.filter(({ id }) => rows.some((row) => row.buyer_tier_id === id));
  const spanOf = (of: 'breaker' | 'throttle') =>
    counted.flatMap(({ id, [of]: config }) => (config ? [{ id, from: lookBackFrom(config, now) }] : []));
  const [breakers, throttles] = [
    await sumCalls(tx, organizationId, spanOf('breaker')),
    await sumCalls(tx, organizationId, spanOf('throttle')),
  ];
  return new Map(counted.map(({ id }) => [id, { breaker: breakers.get(id), throttle: throttles.get(id) }]));
}

async function sumCalls(tx: Db, organizationId: string, spans: { id: string; from: number }[]): Promise<Map<string, ThrottleTally>> {
  if (spans.length === 0) return new Map();
  const sum = (column: 'calls' | 'failures' | 'slow') => sql<number>`sum(${sql.ref(column)})::int`.as(column);
  const sums = await tx
    .selectFrom('breaker_minute')
    .select(['buyer_tier_id', sum('calls'), sum('failures'), sum('slow')])
    .where('organization_id', '=', organizationId)
    .where((eb) => eb.or(spans.map(({ id, from }) => eb.and([eb('buyer_tier_id', '=', id), eb('minute', '>=', new Date(from))]))))
    .groupBy('buyer_tier_id')
    .execute();
  return new Map(sums.map(({ buyer_tier_id, ...tally }) => [buyer_tier_id, tally]));
}

/** True where a throttle began or ended. */
async function throttleTiers(
  tx: Db,
  organizationId: string,
  tiers: ({ id: string } & EndedCalls)[],
  tallies: Map<string, Tallies>,
  now: number,
): Promise<boolean> {
  const own = tiers.filter(({ throttle }) => throttle);
  if (own.length === 0) return false;
  const before = new Map((await listThrottled(tx, organizationId)).map((row) => [row.buyerTierId, row.throttled]));
  let changed = false;
  for (const { id, throttle } of own) {
    const tally = tallies.get(id)?.throttle;
    const next = tally ? nextThrottled(throttle!, before.get(id), tally, now) : before.get(id);
    if (next === before.get(id)) continue;
    changed = true;
    if (next) await insertThrottled(tx, organizationId, id, next);
    else await deleteThrottled(tx, organizationId, id);
  }
  return changed;
}

async function writeState(tx: Db, organizationId: string, buyerTierId: string, { open, countedFrom }: BreakerState, toldAt?: number) {
  const at = (instant: number | undefined) => (instant === undefined ? null : new Date(instant));
  await tx
    .updateTable('breaker')
    .set({
      counted_from: new Date(countedFrom),
      opened_at: at(open?.openedAt),
      open_until: at(open?.openUntil),
      since: at(open?.since),
      calls: open?.calls ?? null,
      failures: open?.failures ?? null,
      look_back_minutes: open?.lookBackMinutes ?? null,
      failed_probes: open?.failedProbes ?? 0,
      ...(toldAt !== undefined && { told_at: new Date(toldAt) }),
    })
    .where('organization_id', '=', organizationId)
    .where('buyer_tier_id', '=', buyerTierId)
    .execute();
  if (!open) await forgetCalls(tx, organizationId, buyerTierId);
}

async function forgetCalls(tx: Db, organizationId: string, buyerTierId: string): Promise<void> {
  await tx.deleteFrom('breaker_minute').where('organization_id', '=', organizationId).where('buyer_tier_id', '=', buyerTierId).execute();
}

/** Locks the breaker of a tier and says whether it is open; undefined where it is closed. */
export async function findOpen(tx: Db, organizationId: string, buyerTierId: string): Promise<OpenBreaker | undefined> {
  const row = await tx
    .selectFrom('breaker')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('buyer_tier_id', '=', buyerTierId)
    .forUpdate()
    .executeTakeFirst();
  return row && readOpen(row);
}

/** Closed, and counting from nothing: somebody has seen to it, or the tier has become another one. The next opening is news again. */
export async function resetBreaker(tx: Db, organizationId: string, buyerTierId: string): Promise<void> {
  await tx
    .updateTable('breaker')
    .set({
      ...{ opened_at: null, open_until: null, since: null, calls: null, failures: null, look_back_minutes: null, failed_probes: 0 },
      told_at: null,
      counted_from: new Date(),
    })
    .where('organization_id', '=', organizationId)
    .where('buyer_tier_id', '=', buyerTierId)
    .execute();
  await deleteThrottled(tx, organizationId, buyerTierId);
  await forgetCalls(tx, organizationId, buyerTierId);
  await announce(tx, organizationId);
}

/** Nodes hear of it when the transaction commits. */
async function announce(tx: Db, organizationId: string): Promise<void> {
  await sql`select pg_notify('sluice_breaker', ${organizationId})`.execute(tx);
}
