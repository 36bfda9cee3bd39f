/** The books as they must always be: every balance the sum of its entries, every sale and return even, whatever happened before. */
import type pg from 'pg';

export interface BookFault {
  what: string;
  row: unknown;
}

/** What is wrong in an organization's books; empty where they add up. */
export async function auditBooks(client: Pick<pg.Client, 'query'>, organizationId: string): Promise<BookFault[]> {
  const checks: Record<string, string> = {
    'a balance that is not the sum of its entries': `select * from (
      select coalesce(b.party_kind, e.party_kind) as kind, coalesce(b.party_id, e.party_id) as id, b.amount, e.sum
      from (select party_kind, party_id, amount from balance where organization_id = $1) b
      full join (select party_kind, party_id, sum(amount) from ledger_entry where organization_id = $1 group by 1, 2) e
        on e.party_kind = b.party_kind and e.party_id = b.party_id) x where x.amount is distinct from x.sum`,
    'a sale whose entries do not come to nothing, or are not its own': `select s.lead_id, s.sale_index, e.* from sale s
      left join lateral (select sum(amount) as total, count(*) as entries, sum(amount) filter (where party_kind = 'buyer') as paid,
          sum(amount) filter (where party_kind = 'publisher') as earned, sum(amount) filter (where party_kind = 'house') as kept
        from ledger_entry e where e.organization_id = s.organization_id and e.lead_id = s.lead_id and e.sale_index = s.sale_index and e.kind <> 'return') e on true
      where s.organization_id = $1 and case when s.test then e.entries <> 0
        else e.entries <> 3 or e.total <> 0 or e.paid <> -s.revenue or e.earned <> s.payout or e.kept <> s.margin end`,
    'a return whose entries do not come to nothing, or are not its own': `select x.lead_id, x.sale_index, e.* from lead_return x
      left join lateral (select sum(amount) as total, count(*) as entries, sum(amount) filter (where party_kind = 'buyer') as given
        from ledger_entry e where e.organization_id = x.organization_id and e.lead_id = x.lead_id and e.sale_index = x.sale_index and e.kind = 'return') e on true
      where x.organization_id = $1 and (e.entries <> 3 or e.total <> 0 or e.given <> x.revenue)`,
    'an entry of a sale that there is not': `select e.lead_id, e.kind from ledger_entry e where e.organization_id = $1 and e.lead_id is not null
      and not exists (select from sale s where s.organization_id = e.organization_id and s.lead_id = e.lead_id and s.sale_index = e.sale_index)`,
    'adjustments that do not come to nothing': `select sum(amount) from ledger_entry where organization_id = $1 and kind = 'adjustment' having sum(amount) <> 0`,
    'a result that is not the sum of its sales': `select r.lead_id, r.revenue, s.* from lead_result r
      left join lateral (select coalesce(sum(revenue), 0) as revenue, coalesce(sum(payout), 0) as payout, coalesce(sum(margin), 0) as margin, count(*) as sales
        from sale s where s.organization_id = r.organization_id and s.lead_id = r.lead_id) s on true
      where r.organization_id = $1 and (r.revenue, r.payout, r.margin, r.sale_count) is distinct from (s.revenue, s.payout, s.margin, s.sales)`,
  };
  const faults: BookFault[] = [];
  for (const [what, text] of Object.entries(checks))
    for (const row of (await client.query(text, [organizationId])).rows) faults.push({ what, row });
  return faults;
}
