/** Buyers that can pay for nothing more, or soon will. */
import { sql } from 'kysely';
import type { Warning } from '#contract/warning.ts';
import type { BuyerTierPlan } from '#engine/compiled.ts';
import { fundsCounter } from '#engine/funds.ts';
import { formatMoney } from '#engine/money.ts';
import type { Money } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

/** Near: four fifths of a limit are owed, or of what was there after the last payment are spent. */
const NEAR_SHARE = 5;

export async function listFunds(db: Db, { organizationId, plan }: OrganizationPlan, tiers: BuyerTierPlan[]): Promise<Warning[]> {
  const limited = tiers.filter(
    ({ config }) => config.fundsLimit !== undefined && config.status === 'active' && config.buyerStatus === 'active',
  );
  const byBuyer = Map.groupBy(limited, ({ config }) => config.buyerId);
  if (byBuyer.size === 0) return [];
  const ids = [...byBuyer.keys()];
  const [accounts, reserved] = await Promise.all([readAccounts(db, organizationId, ids), readReserved(db, organizationId, ids)]);
  return [...byBuyer].flatMap(([buyerId, own]): Warning[] => {
    const { config } = own[0]!;
    const [limit, account] = [config.fundsLimit!, accounts.get(buyerId) ?? { balance: 0, full: 0 }];
    const left = limit + account.balance - (reserved.get(buyerId) ?? 0);
    const full = limit > 0 ? limit : account.full;
    const shared = { subjectId: buyerId, tierIds: own.map((tier) => tier.config.id) };
    const money = (amount: Money) => `${plan.currency} ${formatMoney(amount)}`;
    // Whoever bids may bid the least there is.
    const cheapest = Math.min(...own.map((tier) => (tier.config.price.kind === 'fixed' ? tier.config.price.price : 1)));
    if (left < cheapest)
      return [{ ...shared, kind: 'fundsShort', mark: 'No balance', text: shortText(config.buyerName, left, limit, money) }];
    if (left * NEAR_SHARE > full) return [];
    const text =
      limit > 0
        ? `${config.buyerName}: owes ${money(limit - left)} of ${money(limit)} it may owe.`
        : `${config.buyerName}: ${money(left)} is left of its balance.`;
    return [{ ...shared, kind: 'fundsLow', mark: 'Low balance', text }];
  });
}

function shortText(name: string, left: Money, limit: Money, money: (amount: Money) => string): string {
  if (limit > 0) return `${name}: owes ${money(limit - left)} of ${money(limit)} it may owe, too much for one more lead.`;
  return left <= 0
    ? `${name}: nothing is left of its balance, so it gets no leads.`
    : `${name}: ${money(left)} is left of its balance, too little for one more lead.`;
}

/** `full`: what the account stood at after the last payment that came in, which is the balance less what came since. */
async function readAccounts(db: Db, organizationId: string, ids: string[]): Promise<Map<string, { balance: Money; full: Money }>> {
  const { rows } = await sql<{ party_id: string; balance: string; full: string }>`
    select b.party_id, (b.amount * 10000)::bigint::text as balance,
      ((b.amount - coalesce((select sum(e.amount) from ledger_entry e
        where e.organization_id = b.organization_id and e.party_kind = 'buyer' and e.party_id = b.party_id and e.id > p.id), 0)) * 10000)::bigint::text as full
    from balance b
    left join lateral (select e.id from ledger_entry e
      where e.organization_id = b.organization_id and e.party_kind = 'buyer' and e.party_id = b.party_id and e.kind = 'payment' and e.amount > 0
      order by e.id desc limit 1) as p on true
    where b.organization_id = ${organizationId} and b.party_kind = 'buyer' and b.party_id = any(${ids}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.party_id, { balance: Number(row.balance), full: Number(row.full) }]));
}

async function readReserved(db: Db, organizationId: string, ids: string[]): Promise<Map<string, Money>> {
  const rows = await db
    .selectFrom('counter')
    .select(['scope_id', 'used'])
    .where('organization_id', '=', organizationId)
    .where('counter', 'in', ids.map(fundsCounter))
    .execute();
  return new Map(rows.map((row) => [row.scope_id, row.used]));
}
