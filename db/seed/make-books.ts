/** What came after the sales of the past: leads that were given back, and companies that were paid or paid, by the same books as every day. */
import { sql } from 'kysely';
import { parseSum } from '#engine/money.ts';
import { DAY_MS } from '#engine/zone.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { idFloor } from '#server/kit/ids.ts';
import { insertEntries } from '#server/ledger/entry.sql.ts';
import { findSales } from '#server/return/return.sql.ts';
import { returnLead } from '#server/return/return-lead.ts';
import type { InsertedOrganization } from './insert-world.ts';

interface Past {
  from: number;
  until: number;
}

/** Of 1,000 sold leads. */
const RETURNED = 30;
const HOUR_MS = 3_600_000;
const WEEK_MS = 7 * DAY_MS;
/** After its end a week is paid; the last one is open still. */
const PAID_AFTER_MS = 2 * DAY_MS;

export async function makeBooks(db: Db, organizations: InsertedOrganization[], past: Past): Promise<void> {
  for (const { id } of organizations) {
    await returnLeads(db, id, past);
    for (let end = past.from + WEEK_MS; end + PAID_AFTER_MS < past.until; end += WEEK_MS) await payWeek(db, id, end);
  }
}

/** The same ones in every demo world of one past, some hours or days after the sale. */
async function returnLeads(db: Db, organizationId: string, { until }: Past): Promise<void> {
  const { reasons } = await db
    .selectFrom('organization')
    .select('return_reasons as reasons')
    .where('id', '=', organizationId)
    .executeTakeFirstOrThrow();
  const chance = sql<number>`('x' || substr(md5(lead_id::text || sale_index), 1, 6))::bit(24)::int`;
  const chosen = await db
    .selectFrom('sale')
    .select(['lead_id', 'sale_index', chance.as('chance')])
    .where('organization_id', '=', organizationId)
    .where('test', '=', false)
    .where(sql<boolean>`${chance} % 1000 < ${RETURNED}`)
    .orderBy('lead_id')
    .execute();
  for (const { lead_id: leadId, sale_index: saleIndex, chance: number } of chosen) {
    const [sold] = await findSales(db, organizationId, { leadId, saleIndex });
    const at = sold!.soldAt + (6 + (number % 60)) * HOUR_MS;
    if (at > until) continue;
    const order = { reason: reasons[number % reasons.length]!, note: '', via: number % 2 ? ('api' as const) : ('csv' as const) };
    await db
      .transaction()
      .execute((tx) => returnLead(tx, organizationId, sold!, order, at))
      .catch((error) => {
        // Some buyer has fewer days than that.
        if (!(error instanceof HttpError)) throw error;
      });
  }
}

/** Whoever owed something at the end of the week has paid it two days later. */
async function payWeek(db: Db, organizationId: string, end: number): Promise<void> {
  const open = await db
    .selectFrom('ledger_entry')
    .select(['party_kind', 'party_id', sql<string>`sum(amount)::text`.as('sum')])
    .where('organization_id', '=', organizationId)
    .where('party_kind', 'in', ['buyer', 'publisher'])
    .where('id', '<', idFloor(end))
    .groupBy(['party_kind', 'party_id'])
    .having(sql`sum(amount)`, '<>', '0')
    .execute();
  const note = `Bank transfer, week to ${new Date(end).toISOString().slice(0, 10)}`;
  const entries = open.map(({ party_kind, party_id, sum }) => ({
    party: { kind: party_kind as 'buyer' | 'publisher', id: party_id },
    kind: 'payment' as const,
    amount: -parseSum(sum),
    note,
  }));
  await insertEntries(db, organizationId, end + PAID_AFTER_MS, entries);
}
