/** What a buyer may still spend, where somebody counts. Money is ten-thousandths. */
import { fundsCounter } from '#engine/funds.ts';
import { parseMoney } from '#engine/money.ts';
import type { Money } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';

export interface Funds {
  /** What it may owe: nothing, where it pays in advance. */
  limit: Money;
  /** What posts under way, and held leads, may still cost it. */
  reserved: Money;
}

/** Undefined where nobody counts. */
export async function findFunds(db: Db, organizationId: string, buyerId: string): Promise<Funds | undefined> {
  const row = await db
    .selectFrom('buyer as b')
    .leftJoin('counter as c', (join) =>
      join.onRef('c.organization_id', '=', 'b.organization_id').on('c.counter', '=', fundsCounter(buyerId)),
    )
    .select(['b.billing', 'b.credit_limit', 'c.used'])
    .where('b.organization_id', '=', organizationId)
    .where('b.id', '=', buyerId)
    .executeTakeFirst();
  if (!row || row.billing === 'none') return undefined;
  return { limit: row.billing === 'credit' ? parseMoney(row.credit_limit ?? '0')! : 0, reserved: row.used ?? 0 };
}
