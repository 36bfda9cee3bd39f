/** The line of the change log about somebody who saw a person's values unmasked: written before anything is shown. */
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { SignedIn } from '#server/session/session.sql.ts';

export interface Look {
  /** The lead, or the call that made none. */
  recordId: string;
  name: string;
  /** Why, in the words of who looks. */
  reason: string;
  /** At which call. */
  what: string;
  /** The person, masked. */
  consumer: string;
}

export async function noteLook(db: Db, person: SignedIn, ip: string, { recordId, name, reason, what, consumer }: Look): Promise<void> {
  await inTenant(db, person.organizationId, (tx) =>
    insertChange(tx, person, {
      address: networkOf(ip),
      model: 'personalValues',
      recordId,
      recordName: name,
      action: 'look',
      before: {},
      after: { reason, what, ...(consumer && { consumer }) },
      rollsBack: null,
    }),
  );
}
