/** One generic data call: who asks, in their tenant's transaction, with what is needed to seal and to log. */
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { parseAllowList } from '#server/delivery/outbound-address.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { announceConfiguration } from '#server/plan/configuration.sql.ts';
import { findKeys, type PlanBook } from '#server/plan/plan-book.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import type { Change } from './record-change.ts';
import type { SetUpConnections } from './set-up-connections.ts';

export interface RecordParts {
  /** For what is short: who is signed in, whose key it is. */
  db: Db;
  /** For the change itself. */
  setUp: SetUpConnections;
  config: Config;
  planBook: PlanBook;
}

export type RecordCall = <T>(request: FastifyRequest, use: (change: Change) => Promise<T>) => Promise<T>;

/** `enter`: who may call at all; members of a portal only where the caller lets them. */
export function openRecordCall({ db, setUp, config, planBook }: RecordParts, enter = requireSignedIn): RecordCall {
  const cookies = sessionCookies(config.appEnv);
  const outboundAllow = parseAllowList(config.outboundAllow.join(','));
  return async (request, use) => {
    requireOwnPage(request);
    const person = await enter(db, cookies, request);
    const keys = await findKeys(db, config.masterKey, planBook, person.organizationId);
    const routing = { isNew: false };
    const result = await setUp.inTenant(person.organizationId, async (tx) => {
      await sql`select set_config('sluice.person', ${person.userId}, true)`.execute(tx);
      routing.isNew = false;
      const done = await use({ tx, person, address: networkOf(request.ip), keys: () => keys, outboundAllow, routing });
      // Last of all: it locks the organization's row, for which every other change of the organization would wait.
      if (routing.isNew) await announceConfiguration(tx, person.organizationId);
      return done;
    });
    // Whoever changed something finds it at work in the next call to this node; a plan that cannot be read now is read again by itself.
    if (routing.isNew) await planBook.reload(person.organizationId).catch(() => {});
    return result;
  };
}
