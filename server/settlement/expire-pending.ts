/** A pending sale that nobody hears of within the tier's time was none. */
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { inTenant } from '#server/kit/tenant.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { settleLead } from './settle-lead.ts';
import { type ExpiredLead, listExpired } from './settlement.sql.ts';

/** So many are read at once. */
const PAGE = 500;

/**
 * Those of the organizations that this node has in its plan book. Returns how many ended; one that cannot be settled keeps no other, and is
 * thrown about at the end. For the installation's own role.
 */
export async function expirePending(db: Db, planBook: Pick<PlanBook, 'list'>, now: number, pageSize = PAGE): Promise<number> {
  const organizations = new Map(planBook.list().map((one) => [one.organizationId, one]));
  let ended = 0;
  const failures: unknown[] = [];
  let after: ExpiredLead | undefined;
  do {
    const page = await listExpired(db, [...organizations.keys()], now, after, pageSize);
    for (const { organization_id: organizationId, lead_id: leadId, buyer_tier_id: buyerTierId } of page) {
      const changer = { organizationId, userId: organizationId, firstName: 'Time limit', lastName: '', email: '' };
      const order = { leadId, buyerTierId, outcome: 'notBought', via: 'expiry', changer, address: '' } as const;
      try {
        await inTenant(db, organizationId, (tx) => settleLead(tx, organizations.get(organizationId)!, order, now));
        ended += 1;
      } catch (error) {
        // Somebody settled it a moment ago.
        if (!(error instanceof HttpError)) failures.push(error);
      }
    }
    after = page.length < pageSize ? undefined : page.at(-1);
  } while (after);
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} pending sales could not be ended.`);
  return ended;
}
