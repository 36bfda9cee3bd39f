/**
 * Two months of leads as they would stand after the engine had routed them, made fast: of ten leads one is a ping and one its post, one is of another vertical; a
 * twentieth is refused as a duplicate, the others are sent to seven buyer tiers, and a third of them is sold. Publishers have sub ids of their own, a few of which
 * bring most of the leads.
 */
import type pg from 'pg';
import { parseSum } from '#engine/money.ts';
import { US_STATES } from '#engine/state.ts';
import { keyedHash, type OrganizationKeys, sealJson } from '#server/kit/crypto.ts';
import { openDb } from '#server/kit/database.ts';
import { newId } from '#server/kit/ids.ts';
import type { StoredWire } from '#server/lead/intake.ts';
import { type CountedPayment, changeHours } from '#server/payment/payment-hour.sql.ts';
import type { World } from '#test/harness/world.ts';

export const TIERS = 10;
/** Calls of a lead that is not refused: six a lead in all. */
export const ATTEMPTS = 7;
export const PUBLISHERS = 20;
const PUBLISHER_TIERS = 40;
export const SUB_IDS = 5_000;
const PAGES = 5;
const SLICE = 20_000;
/** So many leads have the text of their calls kept: sealing all would be most of the time that the others take. */
const WIRED_EACH = 20;
const PINGED_FROM = 3;
const PAYMENTS_AT_ONCE = 1_000;

export interface Span {
  from: number;
  to: number;
}

export const emailOf = (serial: number): string => `past${serial}@example.com`;
export const phoneOf = (serial: number): string => `+1212${String(2_000_000 + serial).padStart(7, '0')}`;
/** One at most `serial` whose lead stands for itself, in the vertical that is looked at, with the text of its calls. */
export const findableSerial = (serial: number): number => serial - (serial % WIRED_EACH);

export interface History {
  /** Leads with the serials from `first` on, at all hours of the span alike. Returns how many of them are of the world's own vertical. */
  fill(first: number, leads: number, span: Span): Promise<number>;
  /** `each` payments for every second sale: of three processors, four moves and five reasons, by cards of 2,000 BINs. Returns how many. */
  fillPayments(each: number): Promise<number>;
  close(): void;
}

/** Each consumer comes once, sealed and to be looked up as intake would leave them. */
export async function openHistory(pool: pg.Pool, world: World, keys: OrganizationKeys): Promise<History> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await makeSeats(client, world);
  } catch (error) {
    client.release(error as Error);
    throw error;
  }
  return {
    async fill(first, leads, span) {
      let own = 0;
      await client.query(
        `select ensure_month_partitions((m at time zone 'UTC')::date) from generate_series(date_trunc('month', $1::timestamptz, 'UTC'), $2::timestamptz, interval '1 month') m`,
        [new Date(span.from), new Date(span.to)],
      );
      await client.query(
        `insert into page_hour (organization_id, page_id, hour_at, views, submits)
          select $1, p.id, h, 40, 6 from page p cross join generate_series($2::timestamptz, $3::timestamptz - interval '1 hour', interval '1 hour') h`,
        [world.organizationId, new Date(span.from), new Date(span.to)],
      );
      const step = (span.to - span.from) / leads;
      for (let begin = 0; begin < leads; begin += SLICE) {
        const count = Math.min(SLICE, leads - begin);
        const instants = Array.from({ length: count }, (_, at) => span.from + (begin + at) * step);
        await client.query('begin');
        await makeLeads(client, world, keys, first + begin, instants);
        own += (await client.query('select count(*)::int as n from made where vertical_id = $1', [world.verticalId])).rows[0].n;
        await storeSlice(client, world);
        await client.query('commit');
      }
      await client.query('analyze');
      return own;
    },
    fillPayments: (each) => fillPayments(client, world, each),
    close: () => client.release(true),
  };
}

/** Publishers with their tiers, three campaigns and one of another vertical, an A/B test, pages; and as tables of this connection who is called in which order. */
async function makeSeats(client: pg.PoolClient, world: World): Promise<void> {
  const { organizationId, regionId, verticalId, campaignId, publisherId, publisherTierId, tiers } = world;
  const own = `'${organizationId}'::uuid`;
  await client.query(
    `create temp table tier (n int, id uuid, buyer_id uuid, group_id uuid);
     create temp table place as select n, case n when 0 then '${campaignId}'::uuid else gen_random_uuid() end as campaign_id,
         case when n < 3 then '${verticalId}'::uuid else gen_random_uuid() end as vertical_id from generate_series(0, 3) n;
     create temp table sender as select n, case n when 0 then '${publisherId}'::uuid else gen_random_uuid() end as publisher_id from generate_series(0, ${PUBLISHERS - 1}) n;
     create temp table seat as select g.n, case g.n when 0 then '${publisherTierId}'::uuid else gen_random_uuid() end as publisher_tier_id, s.n as sender, s.publisher_id, p.campaign_id, p.vertical_id
       from generate_series(0, ${PUBLISHER_TIERS + 3}) g (n) join sender s on s.n = g.n % ${PUBLISHERS} join place p on p.n = case when g.n < ${PUBLISHER_TIERS} then g.n % 3 else 3 end;
     create temp table variant as select n, gen_random_uuid() as id, '${newId()}'::uuid as ab_test_id from generate_series(0, 1) n;
     create temp table page as select row_number() over () - 1 as n, gen_random_uuid() as id from generate_series(1, ${PAGES});
     create temp table made (i int, id uuid, ping_id uuid, mode text, is_sold boolean, is_refused boolean, vertical_id uuid, campaign_id uuid, publisher_id uuid, publisher_tier_id uuid,
       sub_id text, state text, fields bytea, wires bytea);`,
  );
  await client.query(
    'insert into tier select n - 1, id, buyer_id, group_id from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as t (id, buyer_id, group_id, n)',
    [tiers.map((one) => one.buyerTierId), tiers.map((one) => one.buyerId), tiers.map((one) => one.groupId)],
  );
  await client.query(
    `insert into vertical (organization_id, id, region_id, slug, uid, name, primary_field)
       select ${own}, vertical_id, '${regionId}', 'title', 'title-us', 'Title', 'email' from place where n = 3;
     insert into campaign (organization_id, id, vertical_id, name, margin)
       select ${own}, p.campaign_id, p.vertical_id, 'Campaign ' || p.n, c.margin from place p join campaign c on c.id = '${campaignId}' where p.n > 0;
     insert into publisher (organization_id, id, name, affiliate_id) select ${own}, publisher_id, 'Publisher ' || n, 'aff-' || n from sender where n > 0;
     insert into publisher_tier (organization_id, id, publisher_id, campaign_id, name, price_model)
       select ${own}, s.publisher_tier_id, s.publisher_id, s.campaign_id, 'Tier ' || s.n, t.price_model from seat s join publisher_tier t on t.id = '${publisherTierId}' where s.n > 0;
     insert into ab_test (organization_id, id, campaign_id, name, status, started_at, stopped_at)
       select ${own}, ab_test_id, '${campaignId}', 'Order', 'stopped', now(), now() from variant where n = 0;
     insert into ab_variant (organization_id, id, ab_test_id, position, name, share_percent) select ${own}, id, ab_test_id, n, 'Variant ' || n, 50 from variant;
     insert into landing_page (organization_id, id, vertical_id, publisher_tier_id, name, url)
       select ${own}, id, '${verticalId}', '${publisherTierId}', 'Page ' || n, 'https://loans.example/' || n from page;`,
  );
}

async function makeLeads(client: pg.PoolClient, world: World, keys: OrganizationKeys, first: number, instants: number[]): Promise<void> {
  const serials = instants.map((_, at) => first + at);
  const ids = instants.map((instant) => newId(instant));
  const sealed = serials.map((serial, at) => sealJson(keys, 'lead.fields', ids[at]!, storedOf(serial)));
  const wires = serials.map((serial, at) =>
    serial % WIRED_EACH === 0 ? sealJson(keys, 'lead_result.wires', ids[at]!, wiresOf(serial)) : null,
  );
  const looked = serials.flatMap((serial) =>
    isPing(serial) ? [] : [emailOf(serial), phoneOf(serial)].map((text) => keyedHash(keys, 'lookup', text)),
  );
  await client.query('truncate made');
  await client.query(
    `insert into made
      select i, id, case when i % 10 = 9 then ($3::uuid[])[nth - 1] end, case i % 10 when 8 then 'ping' when 9 then 'post' else 'full' end,
        i % 3 = 0 and i % 10 <> 8 and i % 20 <> 7, i % 20 = 7, s.vertical_id, s.campaign_id, s.publisher_id, s.publisher_tier_id,
        'p' || s.sender || '-' || floor(${SUB_IDS / PUBLISHERS} * power((hashtext(i::text) & 1048575) / 1048576.0, 3)), ($1::text[])[1 + i / 7 % cardinality($1::text[])], fields, wires
      from unnest($2::int[], $3::uuid[], $4::bytea[], $5::bytea[]) with ordinality as x (i, id, fields, wires, nth)
      -- A ping and its post are of one tier.
      join seat s on s.n = case when i % 10 = 3 then ${PUBLISHER_TIERS} + i / 10 % 4 else (i / 10 * 7 + least(i % 10, 8)) % ${PUBLISHER_TIERS} end`,
    [Object.keys(US_STATES), serials, ids, sealed, wires],
  );
  await client.query('insert into lead_lookup select $1, hash, id from unnest($2::uuid[], $3::uuid[]) as x (hash, id)', [
    world.organizationId,
    looked,
    serials.flatMap((serial, at) => (isPing(serial) ? [] : [ids[at]!, ids[at]!])),
  ]);
}

const isPing = (serial: number): boolean => serial % 10 === 8;

const fieldsOf = (serial: number): Record<string, string> => ({
  first_name: 'Ada',
  email: emailOf(serial),
  phone: phoneOf(serial),
  state: Object.keys(US_STATES)[Math.floor(serial / 7) % Object.keys(US_STATES).length]!,
  zip: '01234',
  monthly_income: String(2000 + (serial % 5000)),
});

const storedOf = (serial: number) => {
  const fields = fieldsOf(serial);
  const inbound = { method: 'POST', path: '/api/v1/leads', contentType: 'application/json', body: JSON.stringify(fields), ip: '192.0.2.1' };
  return { fields, unknown: {}, invalid: {}, inbound };
};

const wiresOf = (serial: number): StoredWire[] =>
  Array.from({ length: ATTEMPTS }, (_, at) => ({
    request: {
      ...{ method: 'POST', url: 'https://buyer.example/post', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(fieldsOf(serial)),
    },
    response: {
      ...{ status: 200, headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(at < ATTEMPTS - 1 ? { result: 'rejected', reason: 'not wanted' } : { result: 'accepted', price: '20.00' }),
    },
    timing: { connectMs: 4, waitMs: 90, readMs: 1 } as never,
    warnings: [],
    reasons: at < ATTEMPTS - 1 ? ['not wanted'] : [],
  }));

/** The place of a tier in the order of a lead. A lead whose serial is a multiple of four asks the last that it calls by a ping first, in place of the one before. */
const PLACE = `(t.n - m.i % ${TIERS} + ${TIERS}) % ${TIERS}`;
const [LAST, BEFORE] = [ATTEMPTS - 1, ATTEMPTS - 2];

async function storeSlice(client: pg.PoolClient, world: World): Promise<void> {
  const { organizationId, regionId } = world;
  const own = `'${organizationId}'::uuid`;
  await client.query(
    `insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, state, mode, ping_id, test, node_id, fields)
      select ${own}, id, '${regionId}', vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, state, mode, ping_id, false, ${own}, fields from made`,
  );
  await client.query(
    `insert into lead_page (organization_id, lead_id, page_id) select ${own}, m.id, p.id from made m join page p on p.n = m.i % ${PAGES} where mode = 'full'`,
  );
  await client.query(
    `insert into lead_variant (organization_id, lead_id, ab_test_id, variant_id, consumer)
      select ${own}, m.id, v.ab_test_id, v.id, m.id from made m join variant v on v.n = m.i / 10 % 2 where m.campaign_id = '${world.campaignId}' and not is_refused`,
  );
  await client.query(
    `insert into lead_result (organization_id, lead_id, vertical_id, campaign_id, publisher_tier_id, test, status, reason, revenue, payout, margin, sale_count,
        attempt_count, elapsed_ms, buyers_ms, store_ms, finished_at, verdicts, explained, wires)
      select ${own}, m.id, m.vertical_id, m.campaign_id, m.publisher_tier_id, false,
        case when is_refused then 'duplicate' when mode = 'ping' then 'bid' when is_sold then 'sold' else 'unsold' end,
        case when is_refused then 'publisher-tier-lead-duplicate-failed' when mode = 'ping' or is_sold then null else 'buyer-all-tier-failed' end,
        case when is_sold then 20 else 0 end, case when is_sold then 16 else 0 end, case when is_sold then 4 else 0 end, is_sold::int,
        case when is_refused then 0 when mode = 'ping' then ${PINGED_FROM} else ${ATTEMPTS} end, 50, 40, 1, uuid7_instant(m.id),
        case when is_refused or mode = 'ping' then '[]' else (select jsonb_agg(jsonb_build_object('t', t.id, 'g', t.group_id, 'o',
          case ${PLACE} when 1 then 'timeouts' when ${LAST} then case when m.is_sold then 'sold' else 'rejected' end
            when ${ATTEMPTS} then 'filtered' when ${ATTEMPTS + 1} then case when m.i % 2 = 0 then 'filtered' else 'notReached' end when ${ATTEMPTS + 2} then 'notReached'
            when ${BEFORE} then case when m.i % 4 = 0 then 'notReached' else 'rejected' end else 'rejected' end, 'k', 5 + m.i % 4)) from tier t) end, '', wires
      from made m`,
  );
  const elapsed = '20 + (hashtext(m.id::text || a) & 4095)';
  await client.query(
    `insert into attempt (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at, elapsed_ms, bid)
      select ${own}, m.id, a, m.vertical_id, t.buyer_id, t.id, t.group_id, false, case when is_asked then 'ping' else 'post' end,
        case when is_asked then 'bid' when a = 1 then 'timeouts' when a = ${LAST} and is_sold then 'sold' else 'rejected' end, 'x', uuid7_instant(m.id), ${elapsed},
        case when is_asked then 20 end
      from made m cross join generate_series(0, ${LAST}) a cross join lateral (select a = ${BEFORE} and m.i % 4 = 0 as is_asked) asked
      join tier t on t.n = (m.i + case when is_asked then ${LAST} else a end) % ${TIERS}
      where not is_refused and mode <> 'ping'
      union all
      select ${own}, m.id, a, m.vertical_id, t.buyer_id, t.id, t.group_id, false, 'ping', 'bid', 'x', uuid7_instant(m.id), ${elapsed}, 20
      from made m cross join generate_series(0, ${PINGED_FROM - 1}) a join tier t on t.n = (m.i + 1 + ${LAST} + ${TIERS} - a) % ${TIERS} where mode = 'ping'`,
  );
  const buyer = `made m join tier t on t.n = (m.i + ${LAST}) % ${TIERS}`;
  const sold = `${buyer} where is_sold`;
  // A half of those that came of a ping before them pay less than was bid.
  await client.query(
    `insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, bid, post_price_differs)
      select ${own}, m.id, 0, m.vertical_id, t.buyer_id, t.id, m.publisher_id, false, 20, 16, 4, b.bid, coalesce(b.bid <> 20, false)
      from ${buyer} cross join lateral (select case when m.i % 8 = 0 then 22 when m.i % 4 = 0 or mode = 'post' then 20 end as bid) b where is_sold`,
  );
  await client.query(
    `insert into redirect (organization_id, lead_id, sale_index, vertical_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id, given_at, expires_at, url, followed_at)
      select ${own}, m.id, 0, m.vertical_id, m.publisher_id, m.publisher_tier_id, t.buyer_id, t.id, uuid7_instant(m.id), uuid7_instant(m.id), '',
        case when m.i % 4 > 0 then uuid7_instant(m.id) + (m.i % 60) * interval '1 second' end from ${sold}`,
  );
  // The house, the buyer and the publisher have each their entry of what was given back, on the day of the lead.
  await client.query(
    `with back as (insert into lead_return (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, reason, revenue, payout, margin, via, returned_at)
        select ${own}, m.id, 0, m.vertical_id, t.buyer_id, t.id, m.publisher_id, 'Not reachable', 20, 16, 4, 'api', uuid7_instant(m.id) from ${sold} and m.i % 31 = 0 returning *)
      insert into ledger_entry (organization_id, id, party_kind, party_id, kind, amount, vertical_id, lead_id, sale_index)
        select ${own}, uuid7_at(b.returned_at), p.kind, p.id, 'return', p.amount, b.vertical_id, b.lead_id, 0
        from back b cross join lateral (values ('buyer', b.buyer_id, b.revenue), ('publisher', b.publisher_id, -b.payout), ('house', ${own}, -b.margin)) as p (kind, id, amount)`,
  );
}

/** Counted by the hour as the product counts them. */
async function fillPayments(client: pg.PoolClient, { organizationId, verticalId }: World, each: number): Promise<number> {
  await client.query(
    `create temp table processor as select n, gen_random_uuid() as id from generate_series(0, 2) n;
     insert into payment_processor (organization_id, id, vertical_id, name) select '${organizationId}', id, '${verticalId}', 'Processor ' || n from processor;`,
  );
  await client.query(
    `insert into payment (organization_id, id, vertical_id, processor_id, transaction_hash, transaction_id, attempted_at, result, amount, refunded, currency, reason, bin, move,
        lead_id, campaign_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id)
      select $1, uuid7_at(x.at), $2, p.id, gen_random_uuid(), x.h::text, x.at, case when x.h % 7 < 2 then 'declined' when x.h % 50 = 2 then 'refunded' else 'approved' end, 25,
        case when x.h % 7 > 1 and x.h % 50 = 2 then 25 end, 'USD', case when x.h % 7 < 2 then 'Reason ' || x.h / 7 % 5 else '' end, (400000 + x.h % 2000)::text, x.h % 4,
        x.lead_id, x.campaign_id, x.publisher_id, x.publisher_tier_id, x.buyer_id, x.buyer_tier_id
      from (select s.*, l.campaign_id, l.publisher_tier_id, uuid7_instant(s.lead_id) as at, abs(hashtext(s.lead_id::text || n)) as h
        from sale s join lead l on l.organization_id = s.organization_id and l.id = s.lead_id cross join generate_series(1, $3) n
        where s.organization_id = $1 and s.vertical_id = $2 and hashtext(s.lead_id::text) % 2 = 0) x
      join processor p on p.n = x.h % 3`,
    [organizationId, verticalId, each],
  );
  const db = openDb({ connect: async () => ({ query: client.query.bind(client), release: () => {} }), end: async () => {} } as never);
  const { rows } = await client.query('select * from payment order by attempted_at');
  for (let begin = 0; begin < rows.length; begin += PAYMENTS_AT_ONCE) {
    const counted = rows.slice(begin, begin + PAYMENTS_AT_ONCE).map(
      (row): CountedPayment => ({
        ...{ verticalId: row.vertical_id, processorId: row.processor_id, attemptedAt: row.attempted_at.getTime(), result: row.result },
        ...{ amount: parseSum(row.amount), refunded: row.refunded === null ? undefined : parseSum(row.refunded), chargedBack: undefined },
        ...{ currency: row.currency, reason: row.reason, bin: row.bin, move: row.move, test: false },
        ...{ campaignId: row.campaign_id, publisherId: row.publisher_id, publisherTierId: row.publisher_tier_id },
        ...{ buyerId: row.buyer_id, buyerTierId: row.buyer_tier_id },
      }),
    );
    await changeHours(
      db,
      organizationId,
      counted.map((payment) => ({ payment, by: 1 })),
    );
  }
  return rows.length;
}
