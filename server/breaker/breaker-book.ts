/**
 * The breakers and throttles of all organizations as this node knows them, and the calls it counts for them. What ended is gathered for a moment and
 * counted beside the leads: none of them waits for it. A change reaches all nodes by NOTIFY; a slow poll catches what a lost connection
 * missed.
 */
import type { Breakers, CountedCall, OpenBreaker } from '#engine/breaker.ts';
import { type BreakerWatch, watchLead } from '#engine/breaker-watch.ts';
import type { Throttled, Throttles } from '#engine/throttle.ts';
import type { Db } from '#server/kit/database.ts';
import { type Listener, listen } from '#server/kit/listen.ts';
import type { BuyerSeat } from '#server/plan/configuration.sql.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { type EndedCalls, listOpen, storeCalls } from './breaker.sql.ts';
import { listThrottled } from './throttle.sql.ts';

export interface BreakerBook {
  /** Never touches the database. */
  of(organizationId: string): Breakers;
  throttlesOf(organizationId: string): Throttles;
  /** Hears what one lead has to tell of its calls; tiers without a breaker and a throttle are not counted. */
  watch(organization: OrganizationPlan): BreakerWatch;
  /** Reads one organization again; resolves when this node goes by it. */
  reload(organizationId: string): Promise<void>;
  /** Counts what is left. */
  close(): Promise<void>;
}

export interface BreakerBookOptions {
  db: Db;
  connectionString: string;
  /** Somebody has to hear that a breaker opened; within the transaction that opens it. */
  tell: (tx: Db, organizationId: string, buyerTierId: string, open: OpenBreaker) => Promise<void>;
  onError: (error: unknown) => void;
}

const GATHER_MS = 100;
const POLL_EVERY_MS = 5_000;

export async function openBreakerBook({ db, connectionString, tell, onError }: BreakerBookOptions): Promise<BreakerBook> {
  let known = new Map<string, Map<string, OpenBreaker>>();
  let throttled = new Map<string, Map<string, Throttled>>();
  let gathered = new Map<string, Map<string, EndedCalls>>();
  let timer: NodeJS.Timeout | undefined;
  let counting: Promise<void> | undefined;
  let reading: Promise<void> = Promise.resolve();

  // Readings follow each other, so that an older one never replaces a newer.
  function inTurn(read: () => Promise<void>): Promise<void> {
    reading = reading.catch(() => {}).then(read);
    return reading;
  }

  const reload = (organizationId: string) =>
    inTurn(async () => {
      const rows = await listOpen(db, organizationId);
      if (rows.length === 0) known.delete(organizationId);
      else known.set(organizationId, new Map(rows.map((row) => [row.buyerTierId, row.open])));
      const slowed = await listThrottled(db, organizationId);
      throttled.set(organizationId, new Map(slowed.map((row) => [row.buyerTierId, row.throttled])));
    });

  const reloadAll = () =>
    inTurn(async () => {
      const byOrganization = Map.groupBy(await listOpen(db), (row) => row.organizationId);
      known = new Map([...byOrganization].map(([id, rows]) => [id, new Map(rows.map((row) => [row.buyerTierId, row.open]))]));
      const slowed = Map.groupBy(await listThrottled(db), (row) => row.organizationId);
      throttled = new Map([...slowed].map(([id, rows]) => [id, new Map(rows.map((row) => [row.buyerTierId, row.throttled]))]));
    });

  function gather(organizationId: string, { id: buyerTierId, breaker, throttle }: BuyerSeat, call: CountedCall): void {
    const tiers = gathered.get(organizationId) ?? new Map<string, EndedCalls>();
    gathered.set(organizationId, tiers);
    const calls = tiers.get(buyerTierId)?.calls ?? [];
    calls.push(call);
    tiers.set(buyerTierId, { breaker, throttle, calls });
    schedule();
  }

  function schedule(): void {
    if (timer || counting) return;
    timer = setTimeout(() => {
      timer = undefined;
      counting = countAll().finally(() => {
        counting = undefined;
        if (gathered.size > 0) schedule();
      });
    }, GATHER_MS);
  }

  /** What cannot be counted is forgotten: while the database is away no lead is taken, and a breaker opens by the calls after that. */
  async function countAll(): Promise<void> {
    const ended = gathered;
    gathered = new Map();
    for (const [organizationId, tiers] of ended) {
      try {
        const changed = await storeCalls(db, organizationId, tiers, Date.now(), (tx, buyerTierId, open) =>
          tell(tx, organizationId, buyerTierId, open),
        );
        if (changed) await reload(organizationId);
      } catch (error) {
        onError(error);
      }
    }
  }

  const quietly = (work: Promise<unknown>) => void work.catch(onError);
  await reloadAll();
  const listener: Listener = listen(connectionString, { sluice_breaker: (organizationId) => quietly(reload(organizationId)) }, () =>
    quietly(reloadAll()),
  );
  const poll = setInterval(() => quietly(reloadAll()), POLL_EVERY_MS);
  poll.unref();

  return {
    of: (organizationId) => ({ find: (buyerTierId) => known.get(organizationId)?.get(buyerTierId) }),
    throttlesOf: (organizationId) => ({ find: (buyerTierId) => throttled.get(organizationId)?.get(buyerTierId) }),
    watch: ({ organizationId, buyerWires }) =>
      watchLead((buyerTierId, call) => {
        const seat = buyerWires.get(buyerTierId);
        if (seat?.breaker || seat?.throttle) gather(organizationId, seat, call);
      }),
    reload,
    async close() {
      clearInterval(poll);
      await listener.close();
      clearTimeout(timer);
      await counting;
      clearTimeout(timer);
      await countAll();
      await reading.catch(() => {});
    },
  };
}

/** Leads of a past that is made up: nothing opens, nothing is counted. */
export const NO_BREAKERS: Pick<BreakerBook, 'of' | 'throttlesOf' | 'watch'> = {
  of: () => ({ find: () => undefined }),
  throttlesOf: () => ({ find: () => undefined }),
  watch: () => watchLead(() => {}),
};
