/**
 * Reads that may be a moment old go to a copy of the database, where there is one (DATABASE_REPLICA_URL): reports and logs then take nothing
 * from the leads. A copy that is away or far behind is left alone for a while, and the database itself is asked. Without a copy they have connections
 * of their own, which give way to the leads' where they can.
 */
import type pg from 'pg';
import { givingWay, LOOKING, NO_HELPERS } from './give-way.ts';
import { type Lend, lentDb, openTenants, type Tenants } from './tenant.ts';

export interface ReplicaOptions {
  /** Connections to it. */
  max: number;
  /** Once each time that it is left alone, with why. */
  onAway: (why: string) => void;
  now?: () => number;
  /** A copy that is further behind is left alone. */
  behindS?: number;
}

/** Older than this its figures would be missed. */
const BEHIND_S = 30;
const LOOK_EVERY_MS = 2_000;
/** So long it is not asked again. */
const AWAY_MS = 10_000;

/** Readers, and what is known of the copy that they read. */
export interface Readers extends Tenants {
  /** Their connections, to the copy where there is one. */
  pool: pg.Pool;
  /** Undefined without one, and while it is away. */
  behindS(): Promise<number | undefined>;
}

/** Who gives way is waited for longer than others are. */
const PATIENT = { statement_timeout: 60_000, connectionTimeoutMillis: 10_000, options: NO_HELPERS };

/** Readers of the database itself. */
export function openReaders(url: string, max: number): Readers {
  const own = openTenants(url, max, { onConnect: givingWay(LOOKING), ...PATIENT });
  return { of: own.of, pool: own.pool, behindS: async () => undefined, close: own.close };
}

/** Readers of a copy of what `primary` is connected to; who opened that closes it. */
export function preferReplica(primary: { lend: Lend }, replicaUrl: string, options: ReplicaOptions): Readers {
  const { now = Date.now, behindS = BEHIND_S } = options;
  const replica = openTenants(replicaUrl, options.max);
  let awayUntil = 0;
  let lookedAt = 0;

  async function lend(organizationId: string): Promise<pg.PoolClient> {
    if (now() < awayUntil) return primary.lend(organizationId);
    try {
      const client = await replica.lend(organizationId);
      if (now() - lookedAt < LOOK_EVERY_MS || (await isCurrent(client))) return client;
      client.release();
      leave(`it is more than ${behindS} s behind`);
    } catch (error) {
      leave((error as Error).message);
    }
    return primary.lend(organizationId);
  }

  function leave(why: string): void {
    awayUntil = now() + AWAY_MS;
    options.onAway(why);
  }

  /** What is no copy has nothing to be behind of; one that has all that was sent is current, however long nothing was. */
  async function isCurrent(client: pg.PoolClient): Promise<boolean> {
    const { rows } = await client.query<{ behind: number }>(BEHIND).catch((error: Error) => {
      client.release(error);
      throw error;
    });
    lookedAt = now();
    return rows[0]!.behind <= behindS;
  }

  return {
    of: (organizationId) => lentDb(() => lend(organizationId)),
    pool: replica.pool,
    behindS: () =>
      replica.pool.query<{ behind: number }>(BEHIND).then(
        ({ rows }) => rows[0]!.behind,
        () => undefined,
      ),
    close: () => replica.close(),
  };
}

const BEHIND = `select case when not pg_is_in_recovery() or pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() then 0
  else coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0) end::float8 as behind`;
