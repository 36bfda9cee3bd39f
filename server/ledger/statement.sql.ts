/** A company's account over a span of time, straight from its entries: ids sort by time, so a span of time is a span of ids. */
import { sql } from 'kysely';
import type { EntryKind } from '#contract/ledger.ts';
import type { Instant } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { money } from '#server/lead/lead-list.sql.ts';
import type { Party } from './entry.sql.ts';

export interface Span {
  from: Instant;
  to: Instant;
}

/** What the account stood at then: its balance less what came since. One look, so that what is entered meanwhile is in both or in neither. */
export async function readOpening(db: Db, organizationId: string, party: Party, { from }: Span): Promise<string> {
  const { rows } = await sql<{ opening: string }>`
    select (coalesce((select b.amount from balance b where b.organization_id = ${organizationId} and b.party_kind = ${party.kind} and b.party_id = ${party.id}), 0)
        - coalesce((select sum(e.amount) from ledger_entry e where ${ofParty(organizationId, party)} and e.id >= ${idFloor(from)}), 0))::numeric(19, 4) as opening`.execute(
    db,
  );
  return money(rows[0]!.opening);
}

export interface GroupRow {
  kind: 'revenue' | 'payout' | 'return';
  tierId: string;
  tierName: string;
  count: number;
  amount: string;
}

/** Sales and returns by tier, sales first. */
export async function listGroups(db: Db, organizationId: string, party: Party, span: Span): Promise<GroupRow[]> {
  const tier = sql.table(party.kind === 'buyer' ? 'buyer_tier' : 'publisher_tier');
  const { rows } = await sql<GroupRow>`
    select e.kind, e.tier_id as "tierId", coalesce(t.name, '') as "tierName", count(*)::int as count, sum(e.amount)::numeric(19, 4) as amount
      from ledger_entry e left join ${tier} t on t.organization_id = e.organization_id and t.id = e.tier_id
      where ${ofParty(organizationId, party)} and ${within(span)} and e.kind in ('revenue', 'payout', 'return')
      group by 1, 2, 3 order by e.kind = 'return', 3, 2`.execute(db);
  return rows.map((row) => ({ ...row, amount: money(row.amount) }));
}

export interface EntryRow {
  id: string;
  kind: EntryKind;
  amount: string;
  tier_name: string | null;
  lead_id: string | null;
  note: string;
  user_name: string | null;
}

/** Entries in order of time, from behind `after` on. */
export async function listEntries(
  db: Db,
  organizationId: string,
  party: Party,
  span: Span,
  more: { kinds?: EntryKind[]; after?: string; limit?: number } = {},
): Promise<EntryRow[]> {
  const tier = sql.table(party.kind === 'buyer' ? 'buyer_tier' : 'publisher_tier');
  const { rows } = await sql<EntryRow>`
    select e.id, e.kind, e.amount, t.name as tier_name, e.lead_id, e.note, e.user_name
      from ledger_entry e left join ${tier} t on t.organization_id = e.organization_id and t.id = e.tier_id
      where ${ofParty(organizationId, party)} and ${within(span)}
        ${more.after ? sql`and e.id > ${more.after}` : sql``} ${more.kinds ? sql`and e.kind = any(${more.kinds})` : sql``}
      order by e.id limit ${more.limit ?? null}`.execute(db);
  return rows.map((row) => ({ ...row, amount: money(row.amount) }));
}

const ofParty = (organizationId: string, { kind, id }: Party) =>
  sql`e.organization_id = ${organizationId} and e.party_kind = ${kind} and e.party_id = ${id}`;
const within = ({ from, to }: Span) => sql`e.id >= ${idFloor(from)} and e.id < ${idFloor(to)}`;
