/** A month of leads as they would stand after the engine had routed them, made fast: six buyer tiers called for each, a third of them sold. */
import type pg from 'pg';
import { US_STATES } from '#engine/state.ts';
import { keyedHash, type OrganizationKeys, sealJson } from '#server/kit/crypto.ts';
import { newId } from '#server/kit/ids.ts';
import type { World } from '#test/harness/world.ts';

export const TIERS = 10;
export const PUBLISHER_TIERS = 8;
export const ATTEMPTS = 6;
export const PAGES = 5;
const SLICE = 20_000;

export interface Span {
  from: number;
  to: number;
}

export const emailOf = (serial: number): string => `past${serial}@example.com`;
export const phoneOf = (serial: number): string => `+1212${String(2_000_000 + serial).padStart(7, '0')}`;

/** At all hours alike, from all states; each consumer comes once, sealed and to be looked up as intake would leave them. */
export async function fillHistory(pool: pg.Pool, world: World, keys: OrganizationKeys, leads: number, span: Span): Promise<void> {
  const client = await pool.connect();
  await client.query('set statement_timeout = 0');
  for (const at of [span.from, span.to]) await client.query('select ensure_month_partitions($1)', [new Date(at)]);
  await client.query(
    `create temp table tier as select row_number() over (order by id) - 1 as n, id, buyer_id from buyer_tier;
     create temp table seat as select n, case n when 0 then $1::uuid else gen_random_uuid() end as publisher_tier_id from generate_series(0, ${PUBLISHER_TIERS - 1}) n;
     create temp table made (i int, id uuid, fields bytea, publisher_tier_id uuid, is_sold boolean)`.replace(
      '$1',
      `'${world.publisherTierId}'`,
    ),
  );
  await client.query(
    `create temp table page as select row_number() over () - 1 as n, gen_random_uuid() as id from generate_series(1, ${PAGES});
     insert into landing_page (organization_id, id, vertical_id, publisher_tier_id, name, url)
       select '${world.organizationId}', id, '${world.verticalId}', '${world.publisherTierId}', 'Page ' || n, 'https://loans.example/' || n from page;`,
  );
  await client.query(
    `insert into page_hour (organization_id, page_id, hour_at, views, submits)
      select $1, p.id, h, 40, 6 from page p cross join generate_series($2::timestamptz, $3::timestamptz - interval '1 hour', interval '1 hour') h`,
    [world.organizationId, new Date(span.from), new Date(span.to)],
  );
  const step = (span.to - span.from) / leads;
  for (let begin = 0; begin < leads; begin += SLICE) {
    const serials = Array.from({ length: Math.min(SLICE, leads - begin) }, (_, at) => begin + at);
    const ids = serials.map((serial) => newId(span.from + serial * step));
    const sealed = serials.map((serial, at) =>
      sealJson(keys, 'lead.fields', ids[at]!, { fields: fieldsOf(serial), unknown: {}, invalid: {}, inbound: {} }),
    );
    const looked = serials.flatMap((serial) => [emailOf(serial), phoneOf(serial)].map((text) => keyedHash(keys, 'lookup', text)));
    await client.query('begin');
    await client.query('truncate made');
    await client.query(
      `insert into made select i, id, fields, publisher_tier_id, i % 3 = 0 from unnest($1::int[], $2::uuid[], $3::bytea[]) as x (i, id, fields)
        join seat on n = i % ${PUBLISHER_TIERS}`,
      [serials, ids, sealed],
    );
    await client.query('insert into lead_lookup select $1, hash, id from unnest($2::uuid[], $3::uuid[]) as x (hash, id)', [
      world.organizationId,
      looked,
      ids.flatMap((id) => [id, id]),
    ]);
    await storeSlice(client, world);
    await client.query('commit');
  }
  await fillPayments(client, world);
  await client.query('analyze');
  client.release();
}

/** A payment for every second sale, of three processors, four moves and five reasons, by cards of 2,000 BINs. */
async function fillPayments(client: pg.PoolClient, { organizationId, verticalId }: World): Promise<void> {
  await client.query(
    `create temp table processor as select n, gen_random_uuid() as id from generate_series(0, 2) n;
     insert into payment_processor (organization_id, id, vertical_id, name) select '${organizationId}', id, '${verticalId}', 'Processor ' || n from processor;`,
  );
  await client.query(
    `insert into payment (organization_id, id, vertical_id, processor_id, transaction_hash, transaction_id, attempted_at, result, amount, currency, reason, bin, move,
        lead_id, campaign_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id)
      select $1, uuid7_at(x.at), $2, p.id, gen_random_uuid(), x.h::text, x.at, case when x.h % 5 = 0 then 'declined' else 'approved' end, 25, 'USD',
        case when x.h % 5 = 0 then 'Reason ' || x.h % 5 else '' end, (400000 + x.h % 2000)::text, x.h % 4, x.lead_id, x.campaign_id, x.publisher_id, x.publisher_tier_id,
        x.buyer_id, x.buyer_tier_id
      from (select s.*, l.campaign_id, l.publisher_tier_id, uuid7_instant(s.lead_id) as at, abs(hashtext(s.lead_id::text)) as h
        from sale s join lead l on l.organization_id = s.organization_id and l.id = s.lead_id) x
      join processor p on p.n = x.h % 3 where x.h % 2 = 0`,
    [organizationId, verticalId],
  );
  const parties = ['campaign_id', 'publisher_id', 'publisher_tier_id', 'buyer_id', 'buyer_tier_id'];
  const nobody = parties.map((name) => `'00000000-0000-0000-0000-000000000000'::uuid as ${name}`);
  for (const told of [
    ["'wide' as cube", "'' as bin", 'reason', ...parties],
    ["'bin' as cube", 'bin', "'' as reason", ...nobody],
  ])
    await client.query(
      `insert into payment_hour (organization_id, vertical_id, hour_at, processor_id, move, currency, cube, bin, reason, ${parties.join(', ')},
          attempts, approved, declined, refunds, chargebacks, approved_sum, refunded_sum, charged_back_sum)
        select organization_id, vertical_id, date_trunc('hour', attempted_at), processor_id, move, currency, ${told.join(', ')},
          count(*), count(*) filter (where result = 'approved'), count(*) filter (where result = 'declined'), 0, 0,
          coalesce(sum(amount) filter (where result = 'approved'), 0), 0, 0
        from payment group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14`,
    );
}

const fieldsOf = (serial: number): Record<string, string> => ({
  first_name: 'Ada',
  email: emailOf(serial),
  phone: phoneOf(serial),
  state: Object.keys(US_STATES)[Math.floor(serial / 7) % Object.keys(US_STATES).length]!,
  zip: '01234',
  monthly_income: String(2000 + (serial % 5000)),
});

async function storeSlice(client: pg.PoolClient, world: World): Promise<void> {
  await client.query(
    'insert into lead_page (organization_id, lead_id, page_id) select $1, m.id, p.id from made m join page p on p.n = m.i % $2',
    [world.organizationId, PAGES],
  );
  const { organizationId, regionId, verticalId, campaignId, publisherId } = world;
  const own = [organizationId, verticalId];
  await client.query(
    `insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, state, mode, test, node_id, fields)
      select $1, id, $3, $2, $4, $5, publisher_tier_id, 'sub ' || i % 5, ($6::text[])[1 + i / 7 % cardinality($6::text[])], 'full', false, $1, fields from made`,
    [...own, regionId, campaignId, publisherId, Object.keys(US_STATES)],
  );
  await client.query(
    `insert into lead_result (organization_id, lead_id, vertical_id, campaign_id, publisher_tier_id, test, status, reason, revenue, payout, margin, sale_count,
        attempt_count, elapsed_ms, buyers_ms, store_ms, finished_at, verdicts, explained)
      select $1, m.id, $2, $3, m.publisher_tier_id, false, case when is_sold then 'sold' else 'unsold' end, case when is_sold then null else 'buyer-all-tier-failed' end,
        case when is_sold then 20 else 0 end, case when is_sold then 16 else 0 end, case when is_sold then 4 else 0 end, is_sold::int, ${ATTEMPTS}, 50, 40, 1, uuid7_instant(m.id),
        (select jsonb_agg(jsonb_build_object('t', t.id, 'g', t.id, 'o',
            case (t.n - m.i % ${TIERS} + ${TIERS}) % ${TIERS} when 1 then 'timeouts' when ${ATTEMPTS - 1} then case when m.is_sold then 'sold' else 'rejected' end
              when ${ATTEMPTS} then 'filtered' when 0 then 'rejected' when 2 then 'rejected' when 3 then 'rejected' when 4 then 'rejected' else 'notReached' end, 'k', 7)) from tier t), ''
      from made m`,
    [...own, campaignId],
  );
  await client.query(
    `insert into attempt (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at, elapsed_ms)
      select $1, m.id, a, $2, t.buyer_id, t.id, t.id, false, 'post',
        case when a = 1 then 'timeouts' when a = ${ATTEMPTS - 1} and is_sold then 'sold' else 'rejected' end,
        'x', uuid7_instant(m.id), 20 + (hashtext(m.id::text || a) & 4095)
      from made m cross join generate_series(0, ${ATTEMPTS - 1}) a join tier t on t.n = (m.i + a) % ${TIERS}`,
    own,
  );
  await client.query(
    `insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, post_price_differs)
      select $1, m.id, 0, $2, t.buyer_id, t.id, $3, false, 20, 16, 4, false from made m join tier t on t.n = (m.i + ${ATTEMPTS - 1}) % ${TIERS} where is_sold`,
    [...own, publisherId],
  );
  await client.query(
    `insert into redirect (organization_id, lead_id, sale_index, vertical_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id, given_at, expires_at, url, followed_at)
      select $1, m.id, 0, $2, $3, m.publisher_tier_id, t.buyer_id, t.id, uuid7_instant(m.id), uuid7_instant(m.id), '',
        case when m.i % 4 > 0 then uuid7_instant(m.id) + (m.i % 60) * interval '1 second' end
      from made m join tier t on t.n = (m.i + ${ATTEMPTS - 1}) % ${TIERS} where is_sold`,
    [...own, publisherId],
  );
}
