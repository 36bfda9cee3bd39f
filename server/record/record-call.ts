/** One generic data call: who asks, in their tenant's transaction, with what is needed to seal and to log. */
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import { networkOf } from '#server/kit/caller.ts';
import type { Config } from '#server/kit/config.ts';
import { type OrganizationKeys, unwrapKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import type { Change } from './record-change.ts';

export interface RecordParts {
  db: Db;
  config: Config;
  planBook: PlanBook;
}

export type RecordCall = <T>(request: FastifyRequest, use: (change: Change) => Promise<T>) => Promise<T>;

export function openRecordCall({ db, config, planBook }: RecordParts): RecordCall {
  const cookies = sessionCookies(config.appEnv);
  return async (request, use) => {
    requireOwnPage(request);
    const person = await requireSignedIn(db, cookies, request);
    const keys = await keysOf(person);
    const routing = { isNew: false };
    const result = await inTenant(db, person.organizationId, async (tx) => {
      await sql`select set_config('sluice.person', ${person.userId}, true)`.execute(tx);
      return use({ tx, person, address: networkOf(request.ip), keys: () => keys, routing });
    });
    // Whoever changed something finds it at work in the next call to this node; a plan that cannot be read now is read again by itself.
    if (routing.isNew) await planBook.reload(person.organizationId).catch(() => {});
    return result;
  };

  /** An organization that was registered a moment ago may not be in the plan book yet. */
  async function keysOf({ organizationId }: SignedIn): Promise<OrganizationKeys> {
    const known = planBook.find(organizationId)?.keys;
    if (known) return known;
    const row = await db.selectFrom('organization').select('data_key').where('id', '=', organizationId).executeTakeFirstOrThrow();
    return unwrapKeys(config.masterKey, organizationId, row.data_key);
  }
}
