/** What buyers bid and what they paid, by buyer tier: of sales at another price, from their rows (`sale_other_price`); how many came of a bid is counted. */
import { type RawBuilder, sql } from 'kysely';
import type { BidPriceAnswer } from '#contract/report.ts';
import { addMoney, formatMoney, parseSum } from '#engine/money.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { atOtherPrice, money } from '#server/lead/lead-list.sql.ts';
import { viewSpan } from './build-report.ts';
import { type Look, lookAtFacts, type ReportScope } from './read-facts.sql.ts';
import { columnsOf, matching, type ReportFilters } from './report.sql.ts';
import { namerOf } from './report-names.sql.ts';
import type { Span } from './split-span.ts';

type Prices = BidPriceAnswer['total'];
type AtOtherPrice = Omit<Prices, 'wins'>;

/** Filters: of leads, of a buyer or its tier, of a publisher. */
export async function readBidPrices(db: Db, scope: ReportScope, span: Span, filters: ReportFilters): Promise<BidPriceAnswer> {
  return lookAtFacts(db, scope, async (look) => {
    const wins = await readWins(look, span, filters);
    const sold = await readAtOtherPrice(look, span, filters);
    const nameOf = await namerOf(look.db, scope.organizationId, 'buyerTier', [...sold.keys()]);
    const tiers = [...sold].map(([id, prices]) => ({ buyerTier: { _id: id, name: nameOf(id) }, wins: wins.get(id) ?? 0, ...prices }));
    return {
      status: true as const,
      ...{ asOf: new Date().toISOString(), span: viewSpan(span) },
      total: { wins: sum([...wins.values()]), ...totalOf([...sold.values()]) },
      tiers: tiers.sort((a, b) => b.otherPrice - a.otherPrice || (a.buyerTier.name < b.buyerTier.name ? -1 : 1)),
    };
  });
}

const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);

function totalOf(prices: readonly AtOtherPrice[]): AtOtherPrice {
  const count = (of: 'otherPrice' | 'lower') => sum(prices.map((one) => one[of]));
  const amount = (of: 'bid' | 'paid' | 'difference') => formatMoney(addMoney(...prices.map((one) => parseSum(one[of]))));
  return {
    ...{ otherPrice: count('otherPrice'), lower: count('lower') },
    ...{ bid: amount('bid'), paid: amount('paid'), difference: amount('difference') },
  };
}

async function readWins(look: Look, span: Span, filters: ReportFilters): Promise<Map<string, number>> {
  const keys = ['buyer_tier_id', ...columnsOf(filters)];
  const source = look.facts({ table: 'attempt_tally', span, filters, isTimeless: true, keys, sums: ['wins'] });
  const { rows } = await sql<{ buyer_tier_id: string; wins: number }>`
    select buyer_tier_id, sum(wins)::int8 as wins from (${source}) as f where ${matching(filters)} group by 1`.execute(look.db);
  return new Map(rows.map(({ buyer_tier_id, wins }) => [buyer_tier_id, wins]));
}

/** What only a lead knows. */
const OF_LEADS = ['campaign_id', 'publisher_tier_id', 'state'];

async function readAtOtherPrice(
  { db, scope: { organizationId, verticalId } }: Look,
  { from, to }: Span,
  filters: ReportFilters,
): Promise<Map<string, AtOtherPrice>> {
  const within = (alias: string, id: string) =>
    sql`${sql.ref(`${alias}.organization_id`)} = ${organizationId} and ${sql.ref(`${alias}.${id}`)} >= ${idFloor(from)}::uuid and ${sql.ref(`${alias}.${id}`)} < ${idFloor(to)}::uuid`;
  const isOfLead = Object.keys(filters).some((column) => OF_LEADS.includes(column));
  // So few are looked up one by one, whatever is best for counting.
  if (isOfLead) await sql`select set_config('enable_nestloop', 'on', true)`.execute(db);
  const narrowed = Object.entries(filters).map(([column, value]): RawBuilder<unknown> => {
    const name = sql.ref(`${OF_LEADS.includes(column) ? 'l' : 's'}.${column}`);
    return column === 'state' ? sql`${name} = ${value}` : sql`${name} = ${value}::uuid`;
  });
  const { rows } = await sql<{ buyer_tier_id: string; other_price: number; lower: number; bid: string; paid: string; difference: string }>`
    select s.buyer_tier_id, count(*)::int8 as other_price, (count(*) filter (where s.revenue < s.bid))::int8 as lower,
      sum(s.bid)::numeric(19, 4) as bid, sum(s.revenue)::numeric(19, 4) as paid, sum(s.revenue - s.bid)::numeric(19, 4) as difference
    from sale s${isOfLead ? sql` join lead l on ${within('l', 'id')} and l.id = s.lead_id` : sql``}
    where ${sql.join([within('s', 'lead_id'), sql`s.vertical_id = ${verticalId} and not s.test`, atOtherPrice('s'), ...narrowed], sql` and `)}
    group by 1`.execute(db);
  return new Map(
    rows.map(({ buyer_tier_id, other_price, lower, bid, paid, difference }) => [
      buyer_tier_id,
      { otherPrice: other_price, lower, bid: money(bid), paid: money(paid), difference: money(difference) },
    ]),
  );
}
