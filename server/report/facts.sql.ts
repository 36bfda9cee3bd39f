/**
 * What reports count, from the rows themselves: one truth of what "sold" or "attempts" means. The roller keeps an hour of it
 * (roll-reports.ts), reports read it where nothing is kept yet (read-facts.sql.ts). Test leads are left out. A return counts
 * where its lead counts.
 */
import { type RawBuilder, sql } from 'kysely';
import { idFloor, idInstant } from '#server/kit/ids.ts';
import { FACT_COLUMNS, type FactTable, OUTCOMES, TIME_UNKNOWN, VERTICAL_KEY } from './cubes.ts';
import type { Span } from './split-span.ts';

/** A part of one hour, or all of it: leads that were made at or after `from` and before `to`. Milliseconds since the epoch. */
export interface Piece {
  hour: number;
  from: number;
  to: number;
}

/**
 * How a transaction that counts rows is to go about it. The planner takes one hour of leads for one row, however many they are (of ids it knows no distances),
 * and would join them to their results one by one with all of that hour: 20 times as long at 3,000 leads an hour, and more the more there are. Sums of many
 * keys at once are kept in memory, not sorted first, and compiling a statement would take longer than running it.
 */
export const FOR_COUNTING = sql`select set_config('enable_nestloop', 'off', true), set_config('work_mem', '64MB', true), set_config('jit', 'off', true), set_config('enable_sort', 'off', true)`;

export interface FactsWanted {
  /** All of them where it is left out. */
  verticalIds?: readonly string[];
  /** What rows differ in beside the hour; all of the table and the vertical where they are left out. */
  keys?: readonly string[];
  /** By column: a lead or buyer tier that is of another is not read. Of other columns whoever asks narrows what there is. */
  filters?: Partial<Record<string, string>>;
  /** Of attempts: of groups, filters and what did not sell nothing is asked. */
  isOfSales?: boolean;
  /** Of times: of the sales that calls came to nothing is asked. */
  isOfCalls?: boolean;
}

/** A select of hour_id, the keys and the sums, one row for each that differs in a key. */
export function factsOf(table: FactTable, organizationId: string, pieces: readonly Piece[], wanted: FactsWanted = {}): RawBuilder<unknown> {
  const runs = runsOf(pieces).map((run) => factsOfRun(table, organizationId, run, wanted));
  return runs.length === 1
    ? runs[0]!
    : sql.join(
        runs.map((run) => sql`select * from (${run}) as run`),
        sql` union all `,
      );
}

/** Pieces that lie far apart are read apart: what is between them is nobody's concern. So many runs at most. */
const MOST_RUNS = 12;
const FAR_APART_MS = 6 * 3_600_000;

export const runsOf = (pieces: readonly Piece[]): Piece[][] => cutAtGaps(pieces, FAR_APART_MS, MOST_RUNS);

/** Pieces so near each other are read as one, and so many apart at most: each costs the planner some time. */
const NEAR_MS = 20_000;
const MOST_RANGES = 40;

const rangesOf = (pieces: readonly Piece[]): Span[] =>
  cutAtGaps(pieces, NEAR_MS, MOST_RANGES).map((run) => ({ from: run[0]!.from, to: Math.max(...run.map(({ to }) => to)) }));

/** In order of time, cut where more than so long lies between two: at the longest, into so many at most. */
function cutAtGaps(pieces: readonly Piece[], leastMs: number, most: number): Piece[][] {
  const inOrder = pieces.toSorted((a, b) => a.from - b.from);
  const gaps = inOrder.map((piece, at) => (at === 0 ? 0 : piece.from - inOrder[at - 1]!.to));
  const far = [...gaps.keys()].filter((at) => gaps[at]! > leastMs);
  const cut = new Set(far.sort((a, b) => gaps[b]! - gaps[a]!).slice(0, most - 1));
  const runs: Piece[][] = [];
  for (const [at, piece] of inOrder.entries()) {
    if (at === 0 || cut.has(at)) runs.push([piece]);
    else runs.at(-1)!.push(piece);
  }
  return runs;
}

function factsOfRun(
  table: FactTable,
  organizationId: string,
  pieces: readonly Piece[],
  { verticalIds, keys = [VERTICAL_KEY, ...FACT_COLUMNS[table].keys], filters = {}, isOfSales = false, isOfCalls = false }: FactsWanted,
): RawBuilder<unknown> {
  const ids = (of: keyof Piece) => sql`${pieces.map((piece) => idFloor(piece[of]))}::uuid[]`;
  // Pieces tell the planner nothing; their bounds tell it how few rows there are, and what lies between them is not read.
  const ranges = rangesOf(pieces);
  const bounds = { from: idFloor(ranges[0]!.from), to: idFloor(ranges.at(-1)!.to) };
  const leads = sql`piece as (select * from unnest(${ids('hour')}, ${ids('from')}, ${ids('to')}) as p (hour_id, from_id, to_id)),
    l as (select p.hour_id, p.from_id, p.to_id, l.organization_id, l.id, l.vertical_id, l.campaign_id, l.publisher_id, l.publisher_tier_id, l.sub_id, l.state, l.mode, l.ping_id
      from piece p join lead l on l.organization_id = ${organizationId} and l.id >= p.from_id and l.id < p.to_id
      where not l.test and l.id >= ${bounds.from}::uuid and l.id < ${bounds.to}::uuid${isInOneOf('l.id', ranges)}${verticalIds ? sql` and ${isOneOf('l.vertical_id', verticalIds)}` : sql``}${ofLeads(filters)})`;
  const ofLead = within(bounds, ranges);
  const ofTier = ofTiers(filters, organizationId);
  if (table === 'lead_tally') return leadFacts(keys, leads, ofLead, organizationId, bounds);
  if (table === 'page_tally') return pageFacts(leads, ofLead, organizationId, verticalIds);
  return table === 'attempt_tally'
    ? attemptFacts(keys, leads, ofLead, ofTier, organizationId, bounds, isOfSales)
    : latencyFacts(keys, leads, ofLead, ofTier, bounds, isOfCalls);
}

const NARROWED_LEADS = ['campaign_id', 'publisher_id', 'publisher_tier_id', 'sub_id', 'state'];
const ofLeads = (filters: Partial<Record<string, string>>): RawBuilder<unknown> =>
  sql.join(
    NARROWED_LEADS.filter((column) => filters[column] !== undefined).map(
      (column) => sql` and ${sql.ref(`l.${column}`)} = ${filters[column]}`,
    ),
    sql``,
  );

/** What is said of a buyer tier, by an expression that is its id. */
type OfTier = (id: string) => RawBuilder<unknown>;
const ofTiers =
  ({ buyer_tier_id, buyer_id }: Partial<Record<string, string>>, organizationId: string): OfTier =>
  (id) =>
    sql`${buyer_tier_id === undefined ? sql`` : sql` and ${sql.raw(id)} = ${buyer_tier_id}::uuid`}${
      buyer_id === undefined
        ? sql``
        : sql` and ${sql.raw(id)} in (select n.id from buyer_tier n where n.organization_id = ${organizationId} and n.buyer_id = ${buyer_id}::uuid)`
    }`;

/** One is asked for as one: so the planner takes its index. */
export const isOneOf = (column: string, ids: readonly string[]): RawBuilder<unknown> =>
  ids.length === 1 ? sql`${sql.ref(column)} = ${ids[0]}` : sql`${sql.ref(column)} = any(${ids}::uuid[])`;

/** Rows beside a lead. */
type OfLead = (alias: string) => RawBuilder<unknown>;
const within =
  (bounds: { from: string; to: string }, ranges: readonly Span[]): OfLead =>
  (alias) =>
    sql`${sql.ref(`${alias}.organization_id`)} = l.organization_id and ${sql.ref(`${alias}.lead_id`)} = l.id
    and ${sql.ref(`${alias}.lead_id`)} >= ${bounds.from}::uuid and ${sql.ref(`${alias}.lead_id`)} < ${bounds.to}::uuid${isInOneOf(`${alias}.lead_id`, ranges)}`;

/** Which an index finds each by itself. */
const isInOneOf = (column: string, ranges: readonly Span[]): RawBuilder<unknown> =>
  ranges.length === 1
    ? sql``
    : sql` and (${sql.join(
        ranges.map(({ from, to }) => sql`(${sql.ref(column)} >= ${idFloor(from)}::uuid and ${sql.ref(column)} < ${idFloor(to)}::uuid)`),
        sql` or `,
      )})`;

/**
 * What became of a lead, in the words of console §3. One that nobody bought counts by the best that a buyer said: a no before a time-out
 * before an error; where none was asked it was filtered. Open: under way, or a buyer may have it and has not said.
 */
const LEAD_OUTCOME = sql`case
    when l.mode = 'ping' then case when r.status = 'bid' then 'bid' else 'noBid' end
    when r.status = 'sold' then 'sold'
    when r.status is null or r.status = 'held' then 'open'
    when r.status = 'error' then 'terrors'
    when r.reason = 'publisher-tier-filter-failed' then 'filtered'
    when r.status in ('invalid', 'duplicate', 'rejected') then 'rejected'
    when r.verdicts @> '[{"o":"rejected"}]' then 'rejected'
    when r.verdicts @> '[{"o":"timeouts"}]' then 'timeouts'
    when r.verdicts @> '[{"o":"terrors"}]' then 'terrors'
    when r.verdicts @> '[{"o":"filtered"}]' then 'filtered'
    else 'rejected' end`;

const counted = (outcomes: readonly string[], of = '') =>
  sql.raw(outcomes.map((one) => `(count(*) filter (where ${of}outcome = '${one}'))::int as ${one}`).join(', '));

/** What to select first, and to group by. */
const grouped = (keys: readonly string[], toSql: (key: string) => string) => ({
  columns: sql.raw(['hour_id', ...keys].map(toSql).join(', ')),
  places: sql.raw(['hour_id', ...keys].map((_, at) => at + 1).join(', ')),
});

function leadFacts(
  keys: readonly string[],
  leads: RawBuilder<unknown>,
  ofLead: OfLead,
  organizationId: string,
  bounds: { from: string; to: string },
): RawBuilder<unknown> {
  const { columns, places } = grouped(keys, (key) => `o.${key}`);
  return sql`with ${leads}
    select ${columns}, (count(*) filter (where not is_ping))::int as attempts, ${counted([...OUTCOMES, 'open'])},
      (count(*) filter (where is_ping))::int as pings, (count(*) filter (where outcome = 'bid'))::int as bids,
      coalesce(sum(revenue), 0) as revenue, coalesce(sum(payout), 0) as payout, coalesce(sum(margin), 0) as margin,
      coalesce(sum(returned), 0)::int as returned, coalesce(sum(returned_revenue), 0) as returned_revenue,
      coalesce(sum(returned_payout), 0) as returned_payout, coalesce(sum(returned_margin), 0) as returned_margin
    from (select l.vertical_id, l.hour_id, l.campaign_id, l.publisher_id, l.publisher_tier_id, l.sub_id, v.variant_id, l.state,
        coalesce(r.reason, '') as reason, l.mode = 'ping' as is_ping, ${LEAD_OUTCOME} as outcome, r.revenue, r.payout, r.margin,
        x.returned, x.revenue as returned_revenue, x.payout as returned_payout, x.margin as returned_margin
      from l
      left join lead_result r on ${ofLead('r')}
      left join lead_variant v on ${ofLead('v')}
      left join (select b.lead_id, count(*) as returned, sum(b.revenue) as revenue, sum(b.payout) as payout, sum(b.margin) as margin
        from lead_return b where b.organization_id = ${organizationId} and b.lead_id >= ${bounds.from}::uuid and b.lead_id < ${bounds.to}::uuid
        group by b.lead_id) x on x.lead_id = l.id and r.status = 'sold') as o
    group by ${places}`;
}

/** What is added up of a tier's pings and sales. Where it is not told it is null, which no sum minds. */
const ADDED = {
  ...{ pings: 'int', bids: 'int', wins: 'int', sales: 'int', revenue: 'numeric', payout: 'numeric', margin: 'numeric', returned: 'int' },
  ...{ returned_revenue: 'numeric', returned_payout: 'numeric', returned_margin: 'numeric', links: 'int', followed: 'int' },
} as const;
type Added = keyof typeof ADDED;
const ADDED_NAMES = Object.keys(ADDED) as Added[];
const added = (told: Partial<Record<Added, string>>) => sql.raw(ADDED_NAMES.map((name) => told[name] ?? `null::${ADDED[name]}`).join(', '));
const OF_LEAD = ['vertical_id', 'campaign_id', 'publisher_id', 'publisher_tier_id', 'state'];

/**
 * What came of a lead at a buyer tier is gathered from its verdict, its calls and its sale: one row a lead and tier, `tried`. A tier is tried when it has an outcome of
 * console §3; one that bid and lost was only asked. Pings and money stand beside that, as sums for each lead and tier would cost most of the time; a group or filter
 * they are told by those of `tried`. Pings count at the lead they were made for, which for a ping before a post is the ping. What is said carries its lead along, as far
 * as that is told apart: joined to it afterwards, a planner that knows nothing of either would compare all with all.
 */
function attemptFacts(
  keys: readonly string[],
  leads: RawBuilder<unknown>,
  ofLead: OfLead,
  ofTier: OfTier,
  organizationId: string,
  bounds: { from: string; to: string },
  isOfSales: boolean,
): RawBuilder<unknown> {
  const { columns, places } = grouped(keys, (key) => ATTEMPT_KEYS[key] ?? `t.${key}`);
  const list = (names: readonly string[]) => sql.raw(names.join(', '));
  const names = ['id', 'hour_id', ...OF_LEAD.filter((key) => keys.includes(key))];
  const lead = list(names.map((name) => `l.${name}`));
  const row = list([...names, 'buyer_tier_id']);
  const [isByGroup, isByFilter] = [keys.includes('group_id'), keys.includes('filter_key')];
  // Nobody asks for a group or filter but by its key.
  const only = (is: boolean, ...said: string[]) => (is ? said : []);
  const tried = list([...only(isByGroup, 'group_id'), 'outcome', ...only(isByFilter, 'filter_key')]);
  const said = (group: string, outcome: string, filter = 'null::int') =>
    list([...only(isByGroup, group), outcome, ...only(isByFilter, filter)]);
  const triedFacts = sql`open as materialized (
      -- What a call came to of which there is no verdict: the lead was interrupted. Of a ping, and of one that was not let into the tree, nothing was posted.
      select ${lead}, l.organization_id from l join lead_result r on ${ofLead('r')}
      where l.mode <> 'ping' and r.verdicts = '[]' and r.status not in ('invalid', 'rejected', 'duplicate')),
    said (${row}, ${tried}) as (
      select ${lead}, (t ->> 't')::uuid, ${said("t ->> 'g'", "t ->> 'o'", "(t ->> 'k')::int")}
      from l
      join lead_result r on ${ofLead('r')}
      cross join lateral jsonb_array_elements(r.verdicts) as t
      where l.mode <> 'ping' and t ->> 'o' <> 'notReached'${ofTier("(t ->> 't')::uuid")}
      union all
      select ${lead}, a.buyer_tier_id, ${said('a.group_id::text', 'a.outcome')}
      from open l join attempt a on ${ofLead('a')} where a.leg = 'post'${ofTier('a.buyer_tier_id')}
      union all
      select ${lead}, s.buyer_tier_id, ${said('null::text', "'sold'")}
      from l join sale s on ${ofLead('s')}${ofTier('s.buyer_tier_id')}${
        isByGroup
          ? sql`
      union all
      select ${lead}, a.buyer_tier_id, ${said('a.group_id::text', 'null::text')}
      from l join attempt a on ${ofLead('a')}${ofTier('a.buyer_tier_id')}`
          : sql``
      }),
    tried as (
      select ${row}, ${list([
        ...only(isByGroup, 'min(group_id collate "C")::uuid as group_id'),
        "coalesce(min(outcome) filter (where outcome = 'sold'), min(outcome), '') as outcome",
        ...only(isByFilter, 'coalesce(max(filter_key), 0)::smallint as filter_key'),
      ])}
      from said group by ${row}),`;
  const asked = sql`
      select ${lead}, a.buyer_tier_id, ${added({ pings: "(a.leg = 'ping')::int", bids: "(a.outcome = 'bid')::int" })}
      from l join attempt a on ${ofLead('a')} and (a.leg = 'ping' or a.outcome = 'bid')${ofTier('a.buyer_tier_id')}
      union all`;
  // Of a group or filter a ping and a sale are by what came of their tier.
  const besides =
    isByGroup || isByFilter
      ? sql`select ${list([...names, 'buyer_tier_id'].map((name) => `o.${name}`))}, ${list([
          ...only(isByGroup, 't.group_id'),
          'null::text',
          ...only(isByFilter, "case when t.outcome = 'filtered' then t.filter_key end"),
        ])}, ${list(ADDED_NAMES)} from beside o left join tried t on t.id = o.id and t.buyer_tier_id = o.buyer_tier_id`
      : sql`select ${row}, null::text, ${list(ADDED_NAMES)} from beside`;
  const sum = (name: Added) => `coalesce(sum(t.${name}), 0)${ADDED[name] === 'int' ? '::int' : ''} as ${name}`;
  return sql`with ${leads}, ${isOfSales ? sql`` : triedFacts}
    beside (${row}, ${list(ADDED_NAMES)}) as (${isOfSales ? sql`` : asked}
      select ${lead}, s.buyer_tier_id, ${added({
        ...{ wins: '(s.bid is not null)::int', sales: '1', revenue: 's.revenue', payout: 's.payout', margin: 's.margin' },
        ...{
          returned: '(x.lead_id is not null)::int',
          returned_revenue: 'x.revenue',
          returned_payout: 'x.payout',
          returned_margin: 'x.margin',
        },
        ...{ links: '(d.lead_id is not null)::int', followed: '(d.followed_at is not null)::int' },
      })}
      from l
      join sale s on ${ofLead('s')}${ofTier('s.buyer_tier_id')}
      left join lead_return x on ${ofLead('x')} and x.sale_index = s.sale_index
      left join redirect d on ${ofLead('d')} and d.sale_index = s.sale_index),
    t (${row}, ${tried}, ${list(ADDED_NAMES)}) as (${
      isOfSales
        ? sql``
        : sql`select ${row}, ${list([
            ...only(isByGroup, 'group_id'),
            'outcome',
            ...only(isByFilter, "case when outcome = 'filtered' then filter_key end"),
          ])}, ${added({})} from tried union all `
    }${besides})
    select ${columns}, (count(*) filter (where t.outcome <> ''))::int as attempts, ${counted(OUTCOMES, 't.')}, ${list(ADDED_NAMES.map(sum))}
    from t
    join buyer_tier b on b.organization_id = ${organizationId} and b.id = t.buyer_tier_id
    ${
      keys.includes('variant_id')
        ? sql`left join lead_variant v on v.organization_id = ${organizationId} and v.lead_id = t.id
      and v.lead_id >= ${bounds.from}::uuid and v.lead_id < ${bounds.to}::uuid`
        : sql``
    }
    group by ${places}`;
}

const ATTEMPT_KEYS: Record<string, string> = {
  variant_id: 'v.variant_id',
  buyer_id: 'b.buyer_id',
  filter_key: 'coalesce(t.filter_key, 0)::smallint as filter_key',
};

/** A ping is followed by its post within minutes; where a buyer's bid stood for days, its sale is told at the post alone. */
const PING_BEFORE_MS = 24 * 3_600_000;

/**
 * Calls and followed links by how long they took; and each sale at the slower of the calls that it took, the buyer's own bid before it among them, also where the publisher
 * had asked for that by a ping of its own: a shorter limit would have cut that call off, and lost the sale.
 */
function latencyFacts(
  keys: readonly string[],
  leads: RawBuilder<unknown>,
  ofLead: OfLead,
  ofTier: OfTier,
  bounds: { from: string; to: string },
  isOfCalls: boolean,
): RawBuilder<unknown> {
  const ofLeadAndVariant = sql.raw('l.vertical_id, l.hour_id, l.campaign_id, l.publisher_id, l.publisher_tier_id, v.variant_id, l.state');
  const { columns, places } = grouped(keys, (key) => key);
  const sales = sql`
      union all
      select ${ofLeadAndVariant}, c.group_id, s.buyer_id, s.buyer_tier_id, c.leg, '', latency_bucket(c.elapsed_ms), 0, 1, s.revenue
      from l join sale s on ${ofLead('s')}${ofTier('s.buyer_tier_id')}
      left join lead_variant v on ${ofLead('v')}
      cross join lateral (select * from (
          select distinct on (a.leg) a.group_id, a.leg, a.elapsed_ms from attempt a
            where a.organization_id = l.organization_id and a.lead_id = any(array[l.id, l.ping_id]) and a.buyer_tier_id = s.buyer_tier_id
              and a.lead_id >= ${idFloor(idInstant(bounds.from) - PING_BEFORE_MS)}::uuid and a.lead_id < ${bounds.to}::uuid
              and a.lead_id >= uuid7_floor(uuid7_instant(l.id) - ${sql.lit(PING_BEFORE_MS)} * interval '1 millisecond')
              and a.answer <> 'unknown' and (a.outcome = 'sold' or a.outcome = 'bid' and s.bid is not null)
            -- Of several bids the last is the one that was taken.
            order by a.leg, a.lead_id desc, a.attempt_index desc) as last
        order by elapsed_ms desc limit 1) as c`;
  return sql`with ${leads}
    select ${columns}, sum(calls)::int as calls, sum(sold)::int as sold, (count(*) filter (where outcome = 'timeouts'))::int as timeouts,
      (count(*) filter (where outcome = 'terrors'))::int as terrors, sum(revenue) as revenue
    from (
      select ${ofLeadAndVariant}, a.group_id, a.buyer_id, a.buyer_tier_id, a.leg, a.outcome,
        -- What was interrupted took nobody knows how long.
        case when a.answer = 'unknown' then ${sql.lit(TIME_UNKNOWN)}::smallint else latency_bucket(a.elapsed_ms) end as bucket,
        1 as calls, 0 as sold, 0::numeric as revenue
      from l join attempt a on ${ofLead('a')}${ofTier('a.buyer_tier_id')}
      left join lead_variant v on ${ofLead('v')}
      union all
      -- A link belongs to no group: whoever gave it, the consumer follows.
      select ${ofLeadAndVariant}, null::uuid, d.buyer_id, d.buyer_tier_id, 'redirect', 'followed',
        latency_bucket(greatest(0, extract(epoch from d.followed_at - d.given_at)::double precision * 1000)), 1, 0, 0::numeric
      from l join redirect d on ${ofLead('d')}${ofTier('d.buyer_tier_id')}
      left join lead_variant v on ${ofLead('v')}
      where d.followed_at is not null${isOfCalls ? sql`` : sales}) as told
    group by ${places}`;
}

/** Views and submits belong to the hour in which they were counted, as a whole; of leads, bare pings are left out. */
function pageFacts(
  leads: RawBuilder<unknown>,
  ofLead: OfLead,
  organizationId: string,
  verticalIds: readonly string[] | undefined,
): RawBuilder<unknown> {
  return sql`with ${leads}
    select vertical_id, hour_id, page_id, sum(views)::int as views, sum(submits)::int as submits, sum(leads)::int as leads, sum(sold)::int as sold
    from (
      select l.vertical_id, l.hour_id, x.page_id, 0 as views, 0 as submits, 1 as leads, coalesce(r.status = 'sold', false)::int as sold
      from l
      join lead_page x on ${ofLead('x')}
      left join lead_result r on ${ofLead('r')}
      where l.mode <> 'ping'
      union all
      select o.vertical_id, p.hour_id, h.page_id, h.views, h.submits, 0, 0
      from piece p
      join page_hour h on h.organization_id = ${organizationId} and h.hour_at = uuid7_instant(p.hour_id)
      join (select id, vertical_id from landing_page where organization_id = ${organizationId}
        union all select id, vertical_id from card where organization_id = ${organizationId}) as o on o.id = h.page_id
      where p.hour_id >= p.from_id and p.hour_id < p.to_id${verticalIds ? sql` and ${isOneOf('o.vertical_id', verticalIds)}` : sql``}) as pages
    group by 1, 2, 3`;
}
