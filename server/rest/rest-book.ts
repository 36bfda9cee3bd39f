/**
 * The tiers that rest, of all organizations, as this node knows them. Who asked for it is left alone by this node at once and by the
 * others as soon as they hear (NOTIFY); no lead waits for it to be written. A slow poll catches what a lost connection missed.
 */
import type { Instant } from '#engine/plan.ts';
import type { Rests } from '#engine/rest.ts';
import type { Db } from '#server/kit/database.ts';
import { type Listener, listen } from '#server/kit/listen.ts';
import { listRests, storeRest } from './rest.sql.ts';

export interface RestBook {
  /** Never touches the database. */
  of(organizationId: string): Rests;
  /** The buyer has just asked not to be called before `until`. */
  begin(organizationId: string, buyerTierId: string, until: Instant): void;
  /** Reads one organization again; resolves when this node goes by it. */
  reload(organizationId: string): Promise<void>;
  /** Writes what is left. */
  close(): Promise<void>;
}

const POLL_EVERY_MS = 5_000;
/** Answers that came together name times that lie a little apart: the first one is written. */
const SAME_REST_MS = 1_000;

export async function openRestBook({
  db,
  connectionString,
  onError,
}: {
  db: Db;
  connectionString: string;
  onError: (error: unknown) => void;
}): Promise<RestBook> {
  let known = new Map<string, Map<string, Instant>>();
  let reading: Promise<void> = Promise.resolve();
  const writing = new Set<Promise<void>>();

  // Readings follow each other, so that an older one never replaces a newer.
  function inTurn(read: () => Promise<void>): Promise<void> {
    reading = reading.catch(() => {}).then(read);
    return reading;
  }

  const reload = (organizationId: string) =>
    inTurn(async () => {
      const rows = await listRests(db, Date.now(), organizationId);
      known.set(organizationId, new Map(rows.map((row) => [row.buyerTierId, row.until])));
    });

  const reloadAll = () =>
    inTurn(async () => {
      const byOrganization = Map.groupBy(await listRests(db, Date.now()), (row) => row.organizationId);
      known = new Map([...byOrganization].map(([id, rows]) => [id, new Map(rows.map((row) => [row.buyerTierId, row.until]))]));
    });

  function begin(organizationId: string, buyerTierId: string, until: Instant): void {
    const tiers = known.get(organizationId) ?? new Map<string, Instant>();
    known.set(organizationId, tiers);
    const before = tiers.get(buyerTierId) ?? 0;
    if (until <= before) return;
    tiers.set(buyerTierId, until);
    if (until - before < SAME_REST_MS) return;
    const written: Promise<void> = storeRest(db, organizationId, buyerTierId, until)
      .catch(onError)
      .finally(() => writing.delete(written));
    writing.add(written);
  }

  const quietly = (work: Promise<unknown>) => void work.catch(onError);
  await reloadAll();
  const listener: Listener = listen(connectionString, { sluice_rest: (organizationId) => quietly(reload(organizationId)) }, () =>
    quietly(reloadAll()),
  );
  const poll = setInterval(() => quietly(reloadAll()), POLL_EVERY_MS);
  poll.unref();

  return {
    of: (organizationId) => ({ find: (buyerTierId) => known.get(organizationId)?.get(buyerTierId) }),
    begin,
    reload,
    async close() {
      clearInterval(poll);
      await listener.close();
      await Promise.all(writing);
      await reading.catch(() => {});
    },
  };
}

/** Leads of a past that is made up: nobody rests. */
export const NO_RESTS: Pick<RestBook, 'of' | 'begin'> = { of: () => ({ find: () => undefined }), begin: () => {} };
