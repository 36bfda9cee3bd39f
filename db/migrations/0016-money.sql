-- Money that adds up: a ledger, returns, the settling of held leads, what a buyer may still spend (decision 0018).

create function uuid7_at(instant timestamptz) returns uuid language sql volatile strict parallel safe as $$
  select (left(uuid7_floor(instant)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid
$$;
comment on function uuid7_at is 'A new UUID version 7 that sorts by the instant.';

-- Every movement of money, once, never changed. An amount is what the party's account gains by it: a buyer's falls by what it buys, a
-- publisher's rises by its payout, the house (whose id is the organization's) earns the margin. So the entries of a sale, a return or an
-- adjustment come to nothing together; a payment comes from outside, or goes there. The id tells when.
create table ledger_entry (
  organization_id uuid not null,
  id uuid not null,
  party_kind text not null check (party_kind in ('buyer', 'publisher', 'house')),
  party_id uuid not null,
  kind text not null check (kind in ('revenue', 'payout', 'margin', 'return', 'adjustment', 'payment')),
  amount numeric(13, 4) not null,
  -- Of a sale and its return: where it was made, by which tier of the party (of the publisher, for the house).
  vertical_id uuid,
  tier_id uuid,
  lead_id uuid,
  sale_index smallint,
  -- Of what somebody entered by hand.
  note text not null default '' check (char_length(note) <= 500),
  user_id uuid,
  user_name text,
  primary key (organization_id, id)
) partition by range (id);
create index ledger_entry_of_party on ledger_entry (organization_id, party_kind, party_id, id);
create index ledger_entry_return on ledger_entry (organization_id, vertical_id, id) where kind = 'return';
select wall_off('ledger_entry');
revoke update, delete on ledger_entry from sluice_tenant;

-- What the entries of a party come to, kept by the transactions that enter them.
create table balance (
  organization_id uuid not null,
  party_kind text not null,
  party_id uuid not null,
  amount numeric(19, 4) not null,
  primary key (organization_id, party_kind, party_id)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000);
select wall_off('balance');

-- A sale the buyer gave back; the sale itself stays as it was.
create table lead_return (
  organization_id uuid not null,
  lead_id uuid not null,
  sale_index smallint not null,
  vertical_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  publisher_id uuid not null,
  reason text not null check (char_length(reason) between 1 and 100),
  note text not null default '' check (char_length(note) <= 500),
  -- What the buyer gets back, what the publisher gives back, and the rest, which the house bears.
  revenue numeric(13, 4) not null check (revenue > 0),
  payout numeric(13, 4) not null,
  margin numeric(13, 4) not null,
  via text not null check (via in ('console', 'csv', 'api')),
  user_id uuid,
  user_name text,
  returned_at timestamptz not null,
  primary key (organization_id, lead_id, sale_index),
  check (payout + margin = revenue)
) partition by range (lead_id);
select wall_off('lead_return');
revoke update, delete on lead_return from sluice_tenant;

-- Buyers name a sale by their own reference.
create index sale_buyer_ref on sale (organization_id, buyer_id, buyer_ref) where buyer_ref is not null;

alter table organization
  add column return_reasons text[] not null default '{Wrong number,Not reachable,Duplicate,Fake or false details,Outside the criteria,Did not ask for it}'
    check (cardinality(return_reasons) between 1 and 30),
  add column return_days int not null default 14 check (return_days between 0 and 365);
alter table buyer_tier
  -- Null: the organization's.
  add column return_days int check (return_days between 0 and 365),
  -- A pending sale that nobody hears of for so long was none.
  add column pending_hours int not null default 72 check (pending_hours between 1 and 2160),
  -- A new one makes the address for postbacks another.
  add column postback_epoch int not null default 0;
alter table publisher_tier add column returns_reduce_payout boolean not null default true;

-- Keys with which a buyer returns leads.
create table return_key (
  organization_id uuid not null,
  id uuid not null,
  buyer_id uuid not null,
  -- SHA-256 of the key; the key itself is shown once and kept nowhere.
  key_hash bytea not null,
  prefix text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, key_hash),
  foreign key (organization_id, buyer_id) references buyer (organization_id, id)
);
select wall_off('return_key');

-- What became of a lead that a buyer may have bought: said once.
create table settlement (
  organization_id uuid not null,
  lead_id uuid not null,
  buyer_tier_id uuid not null,
  outcome text not null check (outcome in ('bought', 'notBought')),
  price numeric(13, 4),
  via text not null check (via in ('person', 'postback', 'expiry')),
  user_id uuid,
  user_name text,
  settled_at timestamptz not null,
  primary key (organization_id, lead_id, buyer_tier_id)
) partition by range (lead_id);
select wall_off('settlement');
revoke update, delete on settlement from sluice_tenant;
create index reservation_unknown on reservation (organization_id, unknown_since) where unknown_since is not null;
create index late_answer_accepted on late_answer (organization_id, lead_id) where outcome = 'accepted';

-- How a buyer that will answer later calls the lead.
create table held_reference (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  reference text not null,
  lead_id uuid not null,
  primary key (organization_id, buyer_tier_id, reference, lead_id)
) partition by range (lead_id);
select wall_off('held_reference');

alter table buyer
  add column billing text not null default 'none' check (billing in ('none', 'prepaid', 'credit')),
  -- What it may owe, where it buys on credit.
  add column credit_limit numeric(13, 4) check (credit_limit > 0);

create or replace function ensure_month_partitions(month date) returns void language plpgsql as $$
declare
  parent text;
  first_day timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  next_day timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
  foreach parent in array array['lead', 'lead_lookup', 'lead_result', 'sale', 'attempt', 'late_answer', 'api_call', 'change_log', 'service_call',
    'ledger_entry', 'lead_return', 'settlement', 'held_reference'] loop
    partition_name := parent || '_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
    if to_regclass(partition_name) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        partition_name, parent, uuid7_floor(first_day), uuid7_floor(next_day));
    end if;
  end loop;
end $$;

-- Every month that has sales, and those to come, have entries too.
select ensure_month_partitions(to_date(right(c.relname, 7), 'YYYY_MM'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'sale'::regclass;

-- Older sales, as if they had been entered when they were made.
insert into ledger_entry (organization_id, id, party_kind, party_id, kind, amount, vertical_id, tier_id, lead_id, sale_index)
  select s.organization_id, uuid7_at(r.finished_at), e.party_kind, e.party_id, e.kind, e.amount, s.vertical_id, e.tier_id, s.lead_id, s.sale_index
  from sale s
  join lead_result r on r.organization_id = s.organization_id and r.lead_id = s.lead_id
  cross join lateral (values ('buyer', s.buyer_id, 'revenue', -s.revenue, s.buyer_tier_id),
    ('publisher', s.publisher_id, 'payout', s.payout, r.publisher_tier_id), ('house', s.organization_id, 'margin', s.margin, r.publisher_tier_id))
    as e (party_kind, party_id, kind, amount, tier_id)
  where not s.test;
insert into balance (organization_id, party_kind, party_id, amount)
  select organization_id, party_kind, party_id, sum(amount) from ledger_entry group by 1, 2, 3;

-- write_batch (0005), with sales that enter the ledger.
create or replace function write_batch(
  p_org uuid, p_node uuid, p_now timestamptz, p_retry boolean, p_blob bytea,
  -- new leads
  p_lead uuid[], p_region uuid[], p_vertical uuid[], p_campaign uuid[], p_publisher uuid[], p_tier uuid[], p_sub text[], p_mode text[], p_test boolean[], p_ping uuid[],
  p_print uuid[], p_payload uuid[], p_expires timestamptz[], p_fields_at int[], p_fields_len int[],
  p_lookup uuid[], p_lookup_lead uuid[],
  -- bookings, and posts to tiers that have nothing to book
  p_counters text[], p_scopes uuid[], p_measures text[], p_periods text[], p_resets timestamptz[], p_print_scopes uuid[], p_prints uuid[], p_ops jsonb,
  p_intent_lead uuid[], p_intent_subject uuid[],
  -- results
  r_lead uuid[], r_vertical uuid[], r_campaign uuid[], r_publisher uuid[], r_tier uuid[], r_test boolean[], r_status text[], r_reason text[],
  r_revenue numeric[], r_payout numeric[], r_margin numeric[], r_sales int[], r_attempts int[], r_duplicate uuid[], r_elapsed real[], r_buyers real[], r_store real[],
  r_finished timestamptz[], r_verdicts jsonb, r_explained_at int[], r_explained_len int[], r_wires_at int[], r_wires_len int[],
  -- sales and attempts name their result by its place in the arrays above
  s_result int[], s_index int[], s_buyer uuid[], s_tier uuid[], s_revenue numeric[], s_payout numeric[], s_margin numeric[], s_bid numeric[], s_differs boolean[], s_ref jsonb,
  a_result int[], a_index int[], a_buyer uuid[], a_tier uuid[], a_group uuid[], a_leg text[], a_outcome text[], a_answer text[], a_started timestamptz[],
  a_elapsed real[], a_connect real[], a_wait real[], a_read real[], a_bid numeric[], a_price numeric[], a_status int[],
  t_group uuid[], t_tier uuid[], t_count int[], t_at timestamptz[],
  u_lead uuid[], u_tier uuid[]
) returns table (kind text, op int, granted boolean, blocked int, used bigint, earlier_lead uuid, earlier_at timestamptz, lead_id uuid, holder uuid, payload_hash uuid)
language plpgsql as $$
#variable_conflict use_column
declare
  v_count int;
  -- New leads whose fingerprint another lead holds, and those leads.
  v_lost uuid[];
  v_holder uuid[];
  v_payload uuid[];
  -- Leads whose result this batch wrote.
  v_ended uuid[];
begin
  if cardinality(p_lead) > 0 then
    insert into idempotency as k (organization_id, publisher_tier_id, fingerprint, payload_hash, lead_id, expires_at)
      select p_org, n.t, n.f, n.p, n.l, n.e from unnest(p_tier, p_print, p_payload, p_lead, p_expires) as n (t, f, p, l, e)
      on conflict (organization_id, publisher_tier_id, fingerprint) do update
        set payload_hash = excluded.payload_hash, lead_id = excluded.lead_id, expires_at = excluded.expires_at
        where k.expires_at < p_now
          and (k.expires_at < p_now - interval '15 minutes'
            or exists (select from lead_result r where r.organization_id = k.organization_id and r.lead_id = k.lead_id));
    get diagnostics v_count = row_count;
    -- Only a batch that did not win all its fingerprints asks whose they are. Each is looked up by its key (limit keeps it so).
    if v_count < cardinality(p_lead) then
      select array_agg(n.l), array_agg(k.lead_id), array_agg(k.payload_hash) into v_lost, v_holder, v_payload
        from unnest(p_tier, p_print, p_lead) as n (t, f, l)
        cross join lateral (select i.lead_id, i.payload_hash from idempotency i
          where i.organization_id = p_org and i.publisher_tier_id = n.t and i.fingerprint = n.f limit 1) as k
        where k.lead_id <> n.l;
      return query
        select 'h', null::int, null::boolean, null::int, null::bigint, null::uuid, null::timestamptz, n.l, n.h, n.p from unnest(v_lost, v_holder, v_payload) as n (l, h, p);
    end if;
    insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, mode, test, ping_id, node_id, fields)
      select p_org, n.id, n.region, n.vertical, n.campaign, n.publisher, n.tier, n.sub, n.mode, n.test, n.ping, p_node, substring(p_blob from n.at for n.len)
      from unnest(p_lead, p_region, p_vertical, p_campaign, p_publisher, p_tier, p_sub, p_mode, p_test, p_ping, p_fields_at, p_fields_len)
        as n (id, region, vertical, campaign, publisher, tier, sub, mode, test, ping, at, len)
      where v_lost is null or n.id <> all (v_lost)
      on conflict do nothing;
    insert into lead_lookup (organization_id, value_hash, lead_id)
      select p_org, n.h, n.l from unnest(p_lookup, p_lookup_lead) as n (h, l) where v_lost is null or n.l <> all (v_lost) on conflict do nothing;
  end if;

  if p_ops is not null then
    return query
      select 'r', b.op, b.granted, b.blocked, b.used, b.earlier_lead, b.earlier_at, null::uuid, null::uuid, null::uuid
      from book(p_org, p_node, p_now, p_counters, p_scopes, p_measures, p_periods, p_resets, p_print_scopes, p_prints, v_lost, p_retry, p_ops) as b;
  end if;
  if cardinality(p_intent_lead) > 0 then
    insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at)
      select p_org, n.l, n.s, 'post', p_node, p_now from unnest(p_intent_lead, p_intent_subject) as n (l, s)
      where (v_lost is null or n.l <> all (v_lost))
        and (select r.lead_id from lead_result r where r.organization_id = p_org and r.lead_id = n.l limit 1) is null
      on conflict do nothing;
  end if;

  if cardinality(r_lead) > 0 then
    -- A node that was taken for dead may come back with the truth: it replaces `interrupted`, and nothing else is ever replaced.
    with ended as (
    insert into lead_result as x (organization_id, lead_id, vertical_id, campaign_id, publisher_tier_id, test, status, reason, revenue, payout, margin,
        sale_count, attempt_count, duplicate_of, elapsed_ms, buyers_ms, store_ms, finished_at, verdicts, explained, wires)
      select p_org, n.lead, n.vertical, n.campaign, n.tier, n.test, n.status, n.reason, n.revenue, n.payout, n.margin, n.sales, n.attempts, n.duplicate,
        n.elapsed, n.buyers, n.store, n.finished, r_verdicts -> (n.i::int - 1), substring(p_blob from n.explained_at for n.explained_len),
        case when n.wires_len > 0 then substring(p_blob from n.wires_at for n.wires_len) end
      from unnest(r_lead, r_vertical, r_campaign, r_tier, r_test, r_status, r_reason, r_revenue, r_payout, r_margin, r_sales, r_attempts, r_duplicate,
          r_elapsed, r_buyers, r_store, r_finished, r_explained_at, r_explained_len, r_wires_at, r_wires_len) with ordinality
        as n (lead, vertical, campaign, tier, test, status, reason, revenue, payout, margin, sales, attempts, duplicate, elapsed, buyers, store, finished,
          explained_at, explained_len, wires_at, wires_len, i)
      on conflict (organization_id, lead_id) do update set status = excluded.status, reason = excluded.reason, revenue = excluded.revenue,
        payout = excluded.payout, margin = excluded.margin, sale_count = excluded.sale_count, attempt_count = excluded.attempt_count,
        elapsed_ms = excluded.elapsed_ms, buyers_ms = excluded.buyers_ms, store_ms = excluded.store_ms, finished_at = excluded.finished_at,
        verdicts = excluded.verdicts, explained = excluded.explained, wires = excluded.wires
        where x.reason = 'interrupted'
      returning x.lead_id)
    select coalesce(array_agg(lead_id), '{}') into v_ended from ended;
    if cardinality(a_result) > 0 then
      insert into attempt as x (organization_id, lead_id, attempt_index, vertical_id, buyer_id, buyer_tier_id, group_id, test, leg, outcome, answer, started_at,
          elapsed_ms, connect_ms, wait_ms, read_ms, bid, price, status_code)
        select p_org, r_lead[n.r], n.i, r_vertical[n.r], n.buyer, n.tier, n.grp, r_test[n.r], n.leg, n.outcome, n.answer, n.started, n.elapsed, n.connect, n.wait, n.read, n.bid, n.price, n.status
        from unnest(a_result, a_index, a_buyer, a_tier, a_group, a_leg, a_outcome, a_answer, a_started, a_elapsed, a_connect, a_wait, a_read, a_bid, a_price, a_status)
          as n (r, i, buyer, tier, grp, leg, outcome, answer, started, elapsed, connect, wait, read, bid, price, status)
        on conflict (organization_id, lead_id, attempt_index) do update set buyer_id = excluded.buyer_id, buyer_tier_id = excluded.buyer_tier_id,
          group_id = excluded.group_id, leg = excluded.leg, outcome = excluded.outcome, answer = excluded.answer, started_at = excluded.started_at,
          elapsed_ms = excluded.elapsed_ms, connect_ms = excluded.connect_ms, wait_ms = excluded.wait_ms, read_ms = excluded.read_ms,
          bid = excluded.bid, price = excluded.price, status_code = excluded.status_code
          where x.answer = 'unknown';
    end if;
    -- Posts that booked nothing are over with the lead, but for answers that are outstanding; bookings end by their own operations.
    if cardinality(u_lead) > 0 then
      update reservation v set unknown_since = p_now from unnest(u_lead, u_tier) as n (l, s)
        where v.organization_id = p_org and v.lead_id = n.l and v.subject_id = n.s and v.purpose = 'post';
      -- The note of a post that booked nothing may have been lost with a connection; a held lead is never without what says so.
      insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, reserved_at, unknown_since)
        select p_org, n.l, n.s, 'post', p_node, p_now, p_now from unnest(u_lead, u_tier) as n (l, s)
        where exists (select from lead_result r where r.organization_id = p_org and r.lead_id = n.l and r.status = 'held')
        on conflict do nothing;
    end if;
    delete from reservation v
      where v.organization_id = p_org and v.lead_id = any (r_lead) and v.claims = '[]' and v.fingerprints = '{}'
        and not exists (select from unnest(u_lead, u_tier) as n (l, s) where n.l = v.lead_id and n.s = v.subject_id);
    if cardinality(t_group) > 0 then
      insert into group_turn as x (organization_id, group_id, buyer_tier_id, turns, last_turn_at)
        select p_org, n.g, n.b, n.c, n.a from unnest(t_group, t_tier, t_count, t_at) as n (g, b, c, a)
        on conflict (organization_id, group_id, buyer_tier_id) do update
          set turns = x.turns + excluded.turns, last_turn_at = greatest(x.last_turn_at, excluded.last_turn_at);
    end if;
    -- Last, because every sale of a party waits for its balance: what a batch holds for the least time is taken at the end. Only the result that
    -- stands has sales: a node that comes back after its lead was settled by somebody changes nothing.
    if cardinality(s_result) > 0 then
      with sold as (
        insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, bid, post_price_differs, buyer_ref)
          select p_org, r_lead[n.r], n.i, r_vertical[n.r], n.buyer, n.tier, r_publisher[n.r], r_test[n.r], n.revenue, n.payout, n.margin, n.bid, n.differs, s_ref ->> (n.o::int - 1)
          from unnest(s_result, s_index, s_buyer, s_tier, s_revenue, s_payout, s_margin, s_bid, s_differs) with ordinality
            as n (r, i, buyer, tier, revenue, payout, margin, bid, differs, o)
          where r_lead[n.r] = any (v_ended)
          on conflict do nothing
          returning lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin),
      entered as (
        insert into ledger_entry (organization_id, id, party_kind, party_id, kind, amount, vertical_id, tier_id, lead_id, sale_index)
          select p_org, uuid7_at(n.finished), e.party_kind, e.party_id, e.kind, e.amount, s.vertical_id, e.tier_id, s.lead_id, s.sale_index
          from sold s
          join unnest(r_lead, r_tier, r_finished) as n (lead, tier, finished) on n.lead = s.lead_id
          cross join lateral (values ('buyer', s.buyer_id, 'revenue', -s.revenue, s.buyer_tier_id),
            ('publisher', s.publisher_id, 'payout', s.payout, n.tier), ('house', p_org, 'margin', s.margin, n.tier))
            as e (party_kind, party_id, kind, amount, tier_id)
          where not s.test
          returning party_kind, party_id, amount)
      insert into balance as b (organization_id, party_kind, party_id, amount)
        select p_org, party_kind, party_id, sum(amount) from entered group by 2, 3 order by 2, 3
        on conflict (organization_id, party_kind, party_id) do update set amount = b.amount + excluded.amount;
    end if;
  end if;
end $$;

-- book (0002), with counters of period 'funds': such a counter holds what posts under way may cost the buyer; what it owes stands in its
-- balance, and both together may not pass the limit.
create or replace function book(
  p_org uuid, p_node uuid, p_now timestamptz,
  p_counters text[], p_scopes uuid[], p_measures text[], p_periods text[], p_resets timestamptz[],
  p_print_scopes uuid[], p_prints uuid[], p_lost uuid[], p_retry boolean, p_ops jsonb
) returns table (op int, granted boolean, blocked int, used bigint, earlier_lead uuid, earlier_at timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  v_count int := coalesce(cardinality(p_counters), 0);
  v_prints int := coalesce(cardinality(p_prints), 0);
  v_used bigint[];
  v_before bigint[];
  v_holder uuid[];
  v_held_at timestamptz[];
  v_dirty boolean[];
  v_op jsonb;
  v_at int;
  v_claim jsonb;
  v_place int;
  v_over bigint[];
  v_print int;
  v_since timestamptz;
  v_lead uuid;
  v_effect int := -1;
  v_done boolean := false;
begin
  if v_count > 0 then
    select array_agg(c.u) into v_used from (
      select used as u from counter where organization_id = p_org and counter = any (p_counters) order by counter for update) c;
    if coalesce(cardinality(v_used), 0) < v_count then
      insert into counter (organization_id, counter, scope_id, measure, period, resets_at)
        select p_org, n.c, n.s, n.m, n.p, n.r from unnest(p_counters, p_scopes, p_measures, p_periods, p_resets) as n (c, s, m, p, r)
        order by n.c on conflict do nothing;
      select array_agg(c.u) into v_used from (
        select used as u from counter where organization_id = p_org and counter = any (p_counters) order by counter for update) c;
    end if;
    -- What a buyer owes by its balance is used up as well.
    for v_place in 1 .. v_count loop
      if p_periods[v_place] = 'funds' then
        v_used[v_place] := v_used[v_place] - coalesce((select (b.amount * 10000)::bigint from balance b
          where b.organization_id = p_org and b.party_kind = 'buyer' and b.party_id = p_scopes[v_place]), 0);
      end if;
    end loop;
    v_before := v_used;
    v_over := array_fill(0::bigint, array[v_count]);
  end if;

  if v_prints > 0 then
    for v_at in 1 .. v_prints loop
      perform pg_advisory_xact_lock(hashtextextended(p_prints[v_at]::text || p_print_scopes[v_at]::text, 0));
    end loop;
    select array_agg(d.lead_id order by n.i), array_agg(d.claimed_at order by n.i) into v_holder, v_held_at
      from unnest(p_print_scopes, p_prints) with ordinality as n (s, f, i)
      -- limit keeps it a look-up by key, whatever the planner thinks of the table's size.
      left join lateral (select c.lead_id, c.claimed_at from duplicate_claim c
        where c.organization_id = p_org and c.scope_id = n.s and c.fingerprint = n.f limit 1) as d on true;
    v_dirty := array_fill(false, array[v_prints]);
  end if;

  v_at := -1;
  for v_op in select value from jsonb_array_elements(p_ops) loop
    v_at := v_at + 1;
    v_lead := (v_op ->> 'l')::uuid;

    if v_op ->> 'k' <> 'r' then
      -- Only who finds the reservation may give back or settle: a second release, or one raced by a recovery, changes nothing.
      delete from reservation where organization_id = p_org and lead_id = v_lead and subject_id = (v_op ->> 's')::uuid and purpose = v_op ->> 'p';
      if found then
        for v_claim in select value from jsonb_array_elements(v_op -> 'c') loop
          v_place := (v_claim ->> 0)::int;
          if p_periods[v_place] <> 'funds' then
            v_used[v_place] := greatest(0, v_used[v_place] + (v_claim ->> 1)::bigint);
          -- What is sold counts on until this transaction ends: from then on it stands in the balance.
          elsif v_op ->> 'k' = 's' then
            v_over[v_place] := v_over[v_place] + (v_claim ->> 1)::bigint;
          else
            v_used[v_place] := v_used[v_place] + (v_claim ->> 1)::bigint;
          end if;
        end loop;
        for v_print in select value::int from jsonb_array_elements_text(v_op -> 'd') loop
          if v_holder[v_print] = v_lead then
            v_holder[v_print] := null;
            v_held_at[v_print] := null;
            v_dirty[v_print] := true;
          end if;
        end loop;
      end if;
      continue;
    end if;

    if (v_op ->> 'e')::int <> v_effect then
      v_effect := (v_op ->> 'e')::int;
      v_done := false;
    end if;
    continue when v_done;
    continue when v_lead = any (p_lost);

    op := v_at;
    granted := true;
    -- The batch is sent again after a commit whose answer was lost: what it booked then stands.
    if p_retry and exists (select from reservation
        where organization_id = p_org and lead_id = v_lead and subject_id = (v_op ->> 's')::uuid and purpose = v_op ->> 'p') then
      v_done := (v_op ->> 'f')::boolean;
      return next;
      continue;
    end if;
    blocked := null;
    used := null;
    earlier_lead := null;
    earlier_at := null;

    for v_claim in select value from jsonb_array_elements(v_op -> 'c') loop
      if v_used[(v_claim ->> 0)::int] + greatest((v_claim ->> 2)::bigint, 1) > (v_claim ->> 1)::bigint then
        granted := false;
        blocked := (v_claim ->> 0)::int;
        used := v_used[blocked];
        exit;
      end if;
    end loop;

    if granted and v_op ? 'd' then
      v_since := to_timestamp((v_op ->> 'q')::double precision / 1000.0);
      for v_print in select value::int from jsonb_array_elements_text(v_op -> 'd') loop
        if v_held_at[v_print] >= v_since and v_holder[v_print] <> v_lead then
          granted := false;
          earlier_lead := v_holder[v_print];
          earlier_at := v_held_at[v_print];
          exit;
        end if;
      end loop;
    end if;

    if granted then
      for v_claim in select value from jsonb_array_elements(v_op -> 'c') loop
        v_used[(v_claim ->> 0)::int] := v_used[(v_claim ->> 0)::int] + (v_claim ->> 2)::bigint;
      end loop;
      if (v_op ->> 't')::boolean then
        for v_print in select value::int from jsonb_array_elements_text(v_op -> 'd') loop
          v_holder[v_print] := v_lead;
          v_held_at[v_print] := p_now;
          v_dirty[v_print] := true;
        end loop;
      end if;
      if v_op ? 'h' then
        insert into reservation (organization_id, lead_id, subject_id, purpose, node_id, claims, fingerprints, reserved_at)
          values (p_org, v_lead, (v_op ->> 's')::uuid, v_op ->> 'p', p_node, v_op -> 'h',
            coalesce((select array_agg(p_prints[value::int]) from jsonb_array_elements_text(v_op -> 'd') where (v_op ->> 'b')::boolean), '{}'), p_now);
      end if;
      v_done := (v_op ->> 'f')::boolean;
    end if;
    return next;
  end loop;

  if v_count > 0 then
    update counter set used = counter.used + n.u - n.b + n.o from unnest(p_counters, v_used, v_before, v_over) as n (c, u, b, o)
      where organization_id = p_org and counter.counter = n.c and n.u - n.b + n.o <> 0;
  end if;
  if v_prints > 0 then
    insert into duplicate_claim (organization_id, scope_id, fingerprint, lead_id, claimed_at)
      select p_org, n.s, n.f, n.l, n.t from unnest(p_print_scopes, p_prints, v_holder, v_held_at, v_dirty) as n (s, f, l, t, d)
      where n.d and n.l is not null
      on conflict (organization_id, scope_id, fingerprint) do update set lead_id = excluded.lead_id, claimed_at = excluded.claimed_at;
    delete from duplicate_claim using unnest(p_print_scopes, p_prints, v_holder, v_dirty) as n (s, f, l, d)
      where organization_id = p_org and scope_id = n.s and fingerprint = n.f and n.d and n.l is null;
  end if;
end $$;
