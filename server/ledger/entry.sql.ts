/**
 * What enters the ledger beside the sales that `write_batch` enters (db/migrations/0016-money.sql): an entry is written once, with the
 * balance of its party, in the transaction of what it tells of.
 */
import { sql } from 'kysely';
import type { EntryKind, PartyKind } from '#contract/ledger.ts';
import { formatMoney } from '#engine/money.ts';
import type { Instant, Money } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';

export interface Party {
  kind: PartyKind;
  id: string;
}

export interface Entry {
  party: Party;
  kind: EntryKind;
  /** What the party's account gains: a buyer's falls by what it buys, a publisher's rises by its payout. */
  amount: Money;
  /** Of a sale or its return. */
  sale?: { verticalId: string; tierId: string; leadId: string; saleIndex: number };
  note?: string;
}

/** Who entered it by hand. */
export interface EnteredBy {
  userId: string;
  userName: string;
}

export const houseOf = (organizationId: string): Party => ({ kind: 'house', id: organizationId });

/** Entries of one moment. Whoever also locks counters does so before, as every batch of leads does. */
export async function insertEntries(db: Db, organizationId: string, now: Instant, entries: Entry[], by?: EnteredBy): Promise<void> {
  const rows = entries.map(({ party, kind, amount, sale, note = '' }) => ({
    id: newId(now),
    party_kind: party.kind,
    party_id: party.id,
    kind,
    amount: formatMoney(amount),
    vertical_id: sale?.verticalId ?? null,
    tier_id: sale?.tierId ?? null,
    lead_id: sale?.leadId ?? null,
    sale_index: sale?.saleIndex ?? null,
    note,
    user_id: by?.userId ?? null,
    user_name: by?.userName ?? null,
  }));
  await sql`with entered as (
      insert into ledger_entry (organization_id, id, party_kind, party_id, kind, amount, vertical_id, tier_id, lead_id, sale_index, note, user_id, user_name)
        select ${organizationId}::uuid, e.* from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as e (id uuid, party_kind text, party_id uuid, kind text,
          amount numeric, vertical_id uuid, tier_id uuid, lead_id uuid, sale_index smallint, note text, user_id uuid, user_name text)
        returning party_kind, party_id, amount)
    insert into balance as b (organization_id, party_kind, party_id, amount)
      select ${organizationId}::uuid, party_kind, party_id, sum(amount) from entered group by 2, 3 order by 2, 3
      on conflict (organization_id, party_kind, party_id) do update set amount = b.amount + excluded.amount`.execute(db);
}

/** Ten-thousandths; 0 for who has no entries. */
export async function findBalance(db: Db, organizationId: string, party: Party): Promise<Money> {
  const row = await db
    .selectFrom('balance')
    .select(sql<string>`(amount * 10000)::bigint::text`.as('amount'))
    .where('organization_id', '=', organizationId)
    .where('party_kind', '=', party.kind)
    .where('party_id', '=', party.id)
    .executeTakeFirst();
  return Number(row?.amount ?? 0);
}
