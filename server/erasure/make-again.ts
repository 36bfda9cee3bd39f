/** Makes erasures again: those that a backup does not know, and each once more when leads that were under way have ended. */
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { type ErasePlace, erasePersonStep } from '#server/data-request/erase-person.ts';
import type { SoughtSpan } from '#server/data-request/find-person.sql.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { Tx } from '#server/record/record-model.ts';
import { endAgain, findAccepted, insertErasure } from './erasure.sql.ts';
import { type Erasure, erasesBefore } from './erasure.ts';
import { hashesOfFound } from './person-hashes.ts';

/**
 * Of the register, which the table lacks. It stands in the table when all of it is done: a node that dies in between begins anew. Answers how many
 * kept things were damaged and could not be searched.
 */
export async function makeAgain(db: Db, keys: OrganizationKeys, erasure: Erasure): Promise<number> {
  const tally: Record<string, number> =
    erasure.kind === 'erased' ? await eraseAll(db, keys, erasure, { before: erasesBefore(erasure) }) : {};
  await inTenant(db, erasure.organizationId, async (tx) => {
    await insertErasure(tx, erasure, true);
    await tell(tx, erasure, 'one person, after a backup was put back', tally);
  });
  return tally.unsearched ?? 0;
}

/** Refused calls of before were opened when it was asked for. */
const UNDER_WAY_MS = 3_600_000;

/** What was under way when it was asked for has ended by now. */
export async function goOverAgain(db: Db, keys: OrganizationKeys, erasure: Erasure): Promise<void> {
  const since = erasure.askedAt.getTime() - UNDER_WAY_MS;
  const accepted = (await findAccepted(db, erasure))?.getTime() ?? Number.POSITIVE_INFINITY;
  const before = Math.min(erasesBefore(erasure), accepted);
  const { erasedBefore: _, unmatched: __, ...tally } = await eraseAll(db, keys, erasure, { since, before });
  await inTenant(db, erasure.organizationId, async (tx) => {
    await endAgain(tx, erasure);
    if (Object.keys(tally).length > 0) await tell(tx, erasure, 'one person, gone over once more', tally);
  });
}

/** What stands beside leads first: it is known by their values, which are gone with them if a node dies in between. */
async function eraseAll(db: Db, keys: OrganizationKeys, erasure: Erasure, span: SoughtSpan): Promise<Record<string, number>> {
  const { organizationId, id, askedAt, sought, personHashes } = erasure;
  const found = await inTenant(db, organizationId, (tx) => hashesOfFound(tx, keys, sought));
  const known = [...new Set([...found.known, ...personHashes])];
  const erased = { organizationId, keys, sought: { ...sought, ...span }, known, mark: { at: askedAt, jobId: id } };
  const tally: Record<string, number> = {};
  const go = async (begin: ErasePlace, isEnd: (place: ErasePlace) => boolean) => {
    for (let place: ErasePlace | undefined = begin; place && !isEnd(place); ) {
      const from: ErasePlace = place;
      const step = await inTenant(db, organizationId, (tx) => erasePersonStep(tx, erased, from));
      for (const [word, count] of Object.entries(step.tally)) if (count > 0) tally[word] = (tally[word] ?? 0) + count;
      place = step.place;
    }
  };
  await go({ phase: 'calls' }, () => false);
  await go({ phase: 'leads' }, ({ phase }) => phase !== 'leads');
  return tally;
}

async function tell(tx: Tx, { organizationId, id }: Erasure, recordName: string, after: Record<string, number>): Promise<void> {
  const register = { organizationId, userId: organizationId, firstName: 'Register of erasures', lastName: '', email: '' };
  await insertChange(tx, register, {
    ...{ address: '', model: 'personalData', recordId: id, recordName, action: 'erase' },
    ...{ before: {}, after, rollsBack: null },
  });
}
