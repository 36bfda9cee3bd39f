-- write_batch (0004) with one line changed: whether a lead has ended is looked up by its key. As an anti-join it was planned while
-- lead_result was still small, and read the organization's whole history for every batch ever after.

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
        where x.reason = 'interrupted';
    if cardinality(s_result) > 0 then
      insert into sale (organization_id, lead_id, sale_index, vertical_id, buyer_id, buyer_tier_id, publisher_id, test, revenue, payout, margin, bid, post_price_differs, buyer_ref)
        select p_org, r_lead[n.r], n.i, r_vertical[n.r], n.buyer, n.tier, r_publisher[n.r], r_test[n.r], n.revenue, n.payout, n.margin, n.bid, n.differs, s_ref ->> (n.o::int - 1)
        from unnest(s_result, s_index, s_buyer, s_tier, s_revenue, s_payout, s_margin, s_bid, s_differs) with ordinality
          as n (r, i, buyer, tier, revenue, payout, margin, bid, differs, o)
        on conflict do nothing;
    end if;
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
  end if;
end $$;
