/**
 * Connections that only calls of the set-up take. One of them may wait for another, or work for long: the intake of leads, sign-ins and
 * readiness have connections of their own, and no organization takes more than a few of these from the others.
 */
import type { Transaction } from 'kysely';
import type pg from 'pg';
import type { Database } from '#db/types.ts';
import { openDb, openPool } from '#server/kit/database.ts';
import { type Gate, GateFull, openGate } from '#server/kit/gate.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { inTenant } from '#server/kit/tenant.ts';

export interface SetUpConnections {
  /** As inTenant. Throws 409 `set_up_busy` when somebody holds for long what is needed, 429 `set_up_crowded` when too many calls wait. */
  inTenant<T>(organizationId: string, use: (tx: Transaction<Database>) => Promise<T>): Promise<T>;
  /** For whoever counts them. */
  pool: pg.Pool;
  close(): Promise<void>;
}

const CONNECTIONS = 8;
const OF_ONE_ORGANIZATION = 3;
const WAITING_MOST = 100;
/** A change takes milliseconds; only an import holds what it added and refers to for longer. */
const LOCK_TIMEOUT_MS = 3_000;
const LOCK_NOT_AVAILABLE = '55P03';

export function openSetUpConnections(connectionString: string): SetUpConnections {
  const pool = openPool(connectionString, CONNECTIONS, { options: `-c lock_timeout=${LOCK_TIMEOUT_MS}` });
  const db = openDb(pool);
  const gates = new Map<string, Gate>();
  const gateOf = (organizationId: string): Gate => {
    const gate = gates.get(organizationId) ?? openGate(OF_ONE_ORGANIZATION, WAITING_MOST);
    gates.set(organizationId, gate);
    return gate;
  };
  return {
    async inTenant(organizationId, use) {
      try {
        return await gateOf(organizationId).enter(() => inTenant(db, organizationId, use));
      } catch (error) {
        throw inWords(error);
      }
    },
    pool,
    close: () => pool.end(),
  };
}

function inWords(error: unknown): unknown {
  if (error instanceof GateFull)
    return new HttpError(429, 'set_up_crowded', 'Too many set-up calls of your organization wait already. Try again in a moment.', {
      retryAfterSeconds: 2,
    });
  if ((error as { code?: string }).code === LOCK_NOT_AVAILABLE)
    return new HttpError(409, 'set_up_busy', 'Somebody is changing this part of the set-up right now. Try again in a moment.', {
      retryAfterSeconds: 2,
    });
  return error;
}
