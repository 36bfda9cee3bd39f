-- Written by `npm run db:describe` from the migrations; read it, do not edit it.

CREATE OR REPLACE FUNCTION public.book(p_org uuid, p_node uuid, p_now timestamp with time zone, p_counters text[], p_scopes uuid[], p_measures text[], p_periods text[], p_resets timestamp with time zone[], p_print_scopes uuid[], p_prints uuid[], p_lost uuid[], p_retry boolean, p_ops jsonb)
 RETURNS TABLE(op integer, granted boolean, blocked integer, used bigint, earlier_lead uuid, earlier_at timestamp with time zone)
 LANGUAGE plpgsql
AS $function$
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

    if v_op ->> 'p' = 'post' and (select r.lead_id from lead_result r where r.organization_id = p_org and r.lead_id = v_lead limit 1) is not null then
      raise exception 'A lead of this batch was ended by another node.' using errcode = 'SL001';
    end if;

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
end $function$;

CREATE OR REPLACE FUNCTION public.ensure_month_partitions(month date)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  parent text;
  first_day timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  next_day timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
  for parent in
    select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'p' and not c.relispartition and c.relname !~ '_[0-9]+$'
      order by c.relname
  loop
    partition_name := parent || '_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
    if to_regclass(partition_name) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        partition_name, parent, uuid7_floor(first_day), uuid7_floor(next_day));
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.ensure_week_partitions(week uuid)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_month date := date_trunc('month', uuid7_instant(week) at time zone 'UTC');
  v_table text;
begin
  if to_regclass('lead_tally_' || to_char(v_month, 'YYYY_MM')) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
  foreach v_table in array array['attempt_tally', 'latency_tally', 'lead_tally'] loop
    if to_regclass(v_table || '_' || to_char(v_month, 'YYYY_MM')) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)', v_table || '_' || to_char(v_month, 'YYYY_MM'), v_table,
        uuid7_floor(v_month::timestamp at time zone 'UTC'), uuid7_floor((v_month + interval '1 month')::timestamp at time zone 'UTC'));
    end if;
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.forget_return_notes(p_lead uuid)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'pg_catalog', 'public', 'pg_temp'
AS $function$
  update change_log set after = after || '{"note": "•••"}'
    where organization_id = current_setting('sluice.organization')::uuid and record_id = p_lead and model = 'leadReturn' and after ->> 'note' <> '';
$function$;

CREATE OR REPLACE FUNCTION public.hash_changes(p_org uuid, p_from uuid, p_to uuid, OUT entries integer, OUT hash text)
 RETURNS record
 LANGUAGE sql
 STABLE
AS $function$
  select count(*)::int, encode(sha256(convert_to(coalesce(string_agg(encode(sha256(convert_to(line, 'UTF8')), 'hex'), '' order by id), ''), 'UTF8')), 'hex')
    from (select c.id, jsonb_build_array(c.id, c.user_id, c.user_name, c.address, c.model, c.record_id, c.record_name, c.action, c.before,
        case when c.model = 'leadReturn' then c.after - 'note' else c.after end, c.rolls_back)::text as line
      from change_log c where c.organization_id = p_org and c.id >= p_from and c.id < p_to) as lines
$function$;

CREATE OR REPLACE FUNCTION public.latency_bucket(ms double precision)
 RETURNS smallint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select floor(8 * ln(case when ms < 1 then 1 else ms end) / ln(2::double precision))::smallint
$function$;

CREATE OR REPLACE FUNCTION public.mark_report(p_org uuid, p_leads uuid[])
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  v_before uuid;
  v_slots_from uuid;
  v_slots_before uuid;
begin
  if cardinality(p_leads) = 0 then return; end if;
  -- Who goes on from what it saw before would not see how far was counted meanwhile.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'Rows that reports count are changed in read committed transactions alone.';
  end if;
  perform pg_current_xact_id();
  select p.rolled_before, s.from_id, s.before_id into v_before, v_slots_from, v_slots_before
    from report_progress p left join report_slot_progress s on s.organization_id = p.organization_id where p.organization_id = p_org;
  -- Nearly always: every batch of leads comes by here.
  if v_before is null or greatest(v_before, v_slots_before) <= all (p_leads) then return; end if;
  insert into report_mark (organization_id, hour_id, id)
    select p_org, late.hour_id, gen_random_uuid()
    from (select distinct uuid7_hour(n.lead_id) as hour_id from unnest(p_leads) as n (lead_id) where n.lead_id < v_before) as late;
  insert into report_slot_mark (organization_id, slot_id, id)
    select p_org, late.slot_id, gen_random_uuid()
    from (select distinct uuid7_slot(n.lead_id) as slot_id from unnest(p_leads) as n (lead_id)
      where n.lead_id >= v_slots_from and n.lead_id < v_slots_before and n.lead_id <> uuid7_hour(n.lead_id)) as late;
end $function$;

CREATE OR REPLACE FUNCTION public.payment_sums_from()
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$select '-infinity'::timestamptz$function$;

CREATE OR REPLACE FUNCTION public.queue_webhooks(p_org uuid, p_lead uuid, p_event text, p_now timestamp with time zone)
 RETURNS void
 LANGUAGE sql
AS $function$
  insert into webhook_call (organization_id, id, webhook_id, lead_id, event, made_at, due_at)
    select p_org, uuid7_at(p_now), w.id, p_lead, p_event, p_now, p_now
    from lead l join webhook w on w.organization_id = l.organization_id and w.vertical_id = l.vertical_id
    where l.organization_id = p_org and l.id = p_lead and not l.test and w.status <> 'archived' and p_event = any(w.events)
$function$;

CREATE OR REPLACE FUNCTION public.uuid7_at(instant timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 PARALLEL SAFE STRICT
AS $function$
  select (left(uuid7_floor(instant)::text, 14) || '7' || substr(gen_random_uuid()::text, 16))::uuid
$function$;

CREATE OR REPLACE FUNCTION public.uuid7_floor(instant timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (lpad(to_hex(floor(extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$function$;

CREATE OR REPLACE FUNCTION public.uuid7_hour(id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select uuid7_floor(to_timestamp(floor(extract(epoch from uuid7_instant(id)) / 3600) * 3600))
$function$;

CREATE OR REPLACE FUNCTION public.uuid7_instant(id uuid)
 RETURNS timestamp with time zone
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
$function$;

CREATE OR REPLACE FUNCTION public.uuid7_slot(id uuid)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select uuid7_floor(to_timestamp(floor(extract(epoch from uuid7_instant(id)) / 10) * 10))
$function$;

CREATE OR REPLACE FUNCTION public.wall_off(tenant_table regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format(
    'create policy one_organization on %s to sluice_tenant using (organization_id = current_setting(''sluice.organization'')::uuid)', tenant_table);
  execute format('grant select, insert, update, delete on %s to sluice_tenant', tenant_table);
end $function$;

CREATE OR REPLACE FUNCTION public.write_batch(p_org uuid, p_node uuid, p_now timestamp with time zone, p_retry boolean, p_blob bytea, p_lead uuid[], p_region uuid[], p_vertical uuid[], p_campaign uuid[], p_publisher uuid[], p_tier uuid[], p_sub text[], p_mode text[], p_test boolean[], p_ping uuid[], p_print uuid[], p_payload uuid[], p_expires timestamp with time zone[], p_fields_at integer[], p_fields_len integer[], p_lookup uuid[], p_lookup_lead uuid[], p_counters text[], p_scopes uuid[], p_measures text[], p_periods text[], p_resets timestamp with time zone[], p_print_scopes uuid[], p_prints uuid[], p_ops jsonb, p_intent_lead uuid[], p_intent_subject uuid[], r_lead uuid[], r_vertical uuid[], r_campaign uuid[], r_publisher uuid[], r_tier uuid[], r_test boolean[], r_status text[], r_reason text[], r_revenue numeric[], r_payout numeric[], r_margin numeric[], r_sales integer[], r_attempts integer[], r_duplicate uuid[], r_elapsed real[], r_buyers real[], r_store real[], r_finished timestamp with time zone[], r_verdicts jsonb, r_explained_at integer[], r_explained_len integer[], r_wires_at integer[], r_wires_len integer[], s_result integer[], s_index integer[], s_buyer uuid[], s_tier uuid[], s_revenue numeric[], s_payout numeric[], s_margin numeric[], s_bid numeric[], s_differs boolean[], s_ref jsonb, a_result integer[], a_index integer[], a_buyer uuid[], a_tier uuid[], a_group uuid[], a_leg text[], a_outcome text[], a_answer text[], a_started timestamp with time zone[], a_elapsed real[], a_connect real[], a_wait real[], a_read real[], a_bid numeric[], a_price numeric[], a_status integer[], t_group uuid[], t_tier uuid[], t_count integer[], t_at timestamp with time zone[], u_lead uuid[], u_tier uuid[])
 RETURNS TABLE(kind text, op integer, granted boolean, blocked integer, used bigint, earlier_lead uuid, earlier_at timestamp with time zone, lead_id uuid, holder uuid, payload_hash uuid)
 LANGUAGE plpgsql
AS $function$
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
  perform mark_report(p_org, p_lead || r_lead);
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
    if exists (select from unnest(p_intent_lead) as n (l)
        where (select r.lead_id from lead_result r where r.organization_id = p_org and r.lead_id = n.l limit 1) is not null) then
      raise exception 'A lead of this batch was ended by another node.' using errcode = 'SL001';
    end if;
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
end $function$;

CREATE OR REPLACE FUNCTION public.write_batch(p_org uuid, p_node uuid, p_now timestamp with time zone, p_retry boolean, p_blob bytea, p_lead uuid[], p_region uuid[], p_vertical uuid[], p_campaign uuid[], p_publisher uuid[], p_tier uuid[], p_sub text[], p_state text[], p_mode text[], p_test boolean[], p_ping uuid[], p_print uuid[], p_payload uuid[], p_expires timestamp with time zone[], p_fields_at integer[], p_fields_len integer[], p_lookup uuid[], p_lookup_lead uuid[], p_counters text[], p_scopes uuid[], p_measures text[], p_periods text[], p_resets timestamp with time zone[], p_print_scopes uuid[], p_prints uuid[], p_ops jsonb, p_intent_lead uuid[], p_intent_subject uuid[], r_lead uuid[], r_vertical uuid[], r_campaign uuid[], r_publisher uuid[], r_tier uuid[], r_test boolean[], r_status text[], r_reason text[], r_revenue numeric[], r_payout numeric[], r_margin numeric[], r_sales integer[], r_attempts integer[], r_duplicate uuid[], r_elapsed real[], r_buyers real[], r_store real[], r_finished timestamp with time zone[], r_verdicts jsonb, r_explained_at integer[], r_explained_len integer[], r_wires_at integer[], r_wires_len integer[], s_result integer[], s_index integer[], s_buyer uuid[], s_tier uuid[], s_revenue numeric[], s_payout numeric[], s_margin numeric[], s_bid numeric[], s_differs boolean[], s_ref jsonb, a_result integer[], a_index integer[], a_buyer uuid[], a_tier uuid[], a_group uuid[], a_leg text[], a_outcome text[], a_answer text[], a_started timestamp with time zone[], a_elapsed real[], a_connect real[], a_wait real[], a_read real[], a_bid numeric[], a_price numeric[], a_status integer[], t_group uuid[], t_tier uuid[], t_count integer[], t_at timestamp with time zone[], u_lead uuid[], u_tier uuid[])
 RETURNS TABLE(kind text, op integer, granted boolean, blocked integer, used bigint, earlier_lead uuid, earlier_at timestamp with time zone, lead_id uuid, holder uuid, payload_hash uuid)
 LANGUAGE plpgsql
AS $function$
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
  perform mark_report(p_org, p_lead || r_lead);
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
    insert into lead (organization_id, id, region_id, vertical_id, campaign_id, publisher_id, publisher_tier_id, sub_id, state, mode, test, ping_id, node_id, fields)
      select p_org, n.id, n.region, n.vertical, n.campaign, n.publisher, n.tier, n.sub, n.state, n.mode, n.test, n.ping, p_node, substring(p_blob from n.at for n.len)
      from unnest(p_lead, p_region, p_vertical, p_campaign, p_publisher, p_tier, p_sub, p_state, p_mode, p_test, p_ping, p_fields_at, p_fields_len)
        as n (id, region, vertical, campaign, publisher, tier, sub, state, mode, test, ping, at, len)
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
    if exists (select from unnest(p_intent_lead) as n (l)
        where (select r.lead_id from lead_result r where r.organization_id = p_org and r.lead_id = n.l limit 1) is not null) then
      raise exception 'A lead of this batch was ended by another node.' using errcode = 'SL001';
    end if;
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
          and not exists (select from settlement d where d.organization_id = x.organization_id and d.lead_id = x.lead_id)
      returning x.lead_id)
    select coalesce(array_agg(lead_id), '{}') into v_ended from ended;
    -- What this batch wrote before a commit whose answer was lost stands with the same time.
    if cardinality(v_ended) < cardinality(r_lead) and exists (select from unnest(r_lead, r_finished) as n (lead, finished)
        join lead_result r on r.organization_id = p_org and r.lead_id = n.lead where n.lead <> all (v_ended) and r.finished_at <> n.finished) then
      raise exception 'A lead of this batch was ended by another node.' using errcode = 'SL001';
    end if;
    -- Asked anew, now that the results are ours: a settlement may have been stored while they were waited for.
    if cardinality(v_ended) > 0 and exists (select from settlement d where d.organization_id = p_org and d.lead_id = any (v_ended)) then
      raise exception 'A lead of this batch was settled meanwhile.' using errcode = 'SL001';
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
end $function$;

create table ab_test (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  name text not null,
  notes text not null default ''::text,
  status text not null default 'draft'::text,
  metric text not null default 'revenue'::text,
  minimum_effect numeric(6,2) not null default 10,
  planned_leads bigint,
  effect_scale numeric(13,4),
  started_at timestamp with time zone,
  started_by text,
  stopped_at timestamp with time zone,
  stopped_by text,
  leads integer,
  promoted_variant_id uuid,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaign(organization_id, id),
  CHECK (((status = ANY (ARRAY['draft'::text, 'archived'::text])) = (started_at IS NULL))),
  CHECK (((status = 'stopped'::text) = (stopped_at IS NOT NULL))),
  CHECK ((effect_scale > (0)::numeric)),
  CHECK ((metric = ANY (ARRAY['revenue'::text, 'margin'::text]))),
  CHECK ((minimum_effect > (0)::numeric)),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((planned_leads > 0)),
  CHECK ((status = ANY (ARRAY['draft'::text, 'running'::text, 'stopped'::text, 'archived'::text])))
);
CREATE INDEX ab_test_campaign ON public.ab_test USING btree (organization_id, campaign_id, id);
CREATE UNIQUE INDEX ab_test_running ON public.ab_test USING btree (organization_id, campaign_id) WHERE (status = 'running'::text);

create table ab_variant (
  organization_id uuid not null,
  id uuid not null,
  ab_test_id uuid not null,
  position integer not null,
  name text not null,
  share_percent integer not null,
  groups jsonb,
  groups_from text not null default ''::text,
  margin jsonb,
  floor numeric(13,4),
  price_percent numeric(7,4),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, ab_test_id) REFERENCES ab_test(organization_id, id),
  CHECK ((floor >= (0)::numeric)),
  CHECK (((price_percent >= (1)::numeric) AND (price_percent <= (500)::numeric))),
  CHECK (((share_percent >= 1) AND (share_percent <= 99)))
);
CREATE INDEX ab_variant_of_test ON public.ab_variant USING btree (organization_id, ab_test_id, "position");

create table answer_sample (
  organization_id uuid not null,
  id uuid not null,
  buyer_tier_id uuid not null,
  name text not null,
  leg text not null,
  answer bytea not null,
  expected bytea not null,
  status text not null default 'active'::text,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, buyer_tier_id) REFERENCES buyer_tier(organization_id, id),
  CHECK ((leg = ANY (ARRAY['ping'::text, 'post'::text]))),
  CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);
CREATE INDEX answer_sample_buyer_tier ON public.answer_sample USING btree (organization_id, buyer_tier_id);

create table api_call (
  organization_id uuid not null,
  id uuid not null,
  publisher_tier_id uuid not null,
  lead_id uuid,
  method text not null,
  path text not null,
  status_code smallint not null,
  code text not null,
  elapsed_ms real not null,
  wire bytea not null,
  key_prefix text,
  more integer not null default 0,
  PRIMARY KEY (organization_id, id),
  CHECK ((more >= 0))
) partition by RANGE (id);
CREATE INDEX api_call_lead ON public.api_call USING btree (organization_id, lead_id);

-- reference
create table app_user (
  id uuid not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  password_hash text,
  is_super_admin boolean not null default false,
  status text not null default 'active'::text,
  created_at timestamp with time zone not null default now(),
  email_confirmed_at timestamp with time zone,
  password_changed_at timestamp with time zone,
  mfa_secret bytea,
  mfa_enabled_at timestamp with time zone,
  mfa_last_step bigint not null default 0,
  last_page jsonb,
  reporting_time_zone text,
  credential_epoch integer not null default 0,
  request_mails boolean not null default true,
  UNIQUE (email),
  PRIMARY KEY (id),
  CHECK ((email = lower(email))),
  CHECK ((reporting_time_zone = ANY (ARRAY['UTC'::text, 'America/New_York'::text, 'Europe/London'::text]))),
  CHECK ((status = ANY (ARRAY['active'::text, 'disabled'::text])))
);

create table attempt (
  organization_id uuid not null,
  lead_id uuid not null,
  attempt_index smallint not null,
  vertical_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  group_id uuid not null,
  test boolean not null,
  leg text not null,
  outcome text not null,
  answer text not null,
  started_at timestamp with time zone not null,
  elapsed_ms real not null,
  connect_ms real,
  wait_ms real,
  read_ms real,
  bid numeric(13,4),
  price numeric(13,4),
  status_code smallint,
  PRIMARY KEY (organization_id, lead_id, attempt_index),
  CHECK ((leg = ANY (ARRAY['ping'::text, 'post'::text]))),
  CHECK ((outcome = ANY (ARRAY['sold'::text, 'rejected'::text, 'terrors'::text, 'timeouts'::text, 'bid'::text])))
) partition by RANGE (lead_id);
CREATE INDEX attempt_buyer_tier ON public.attempt USING btree (organization_id, buyer_tier_id, lead_id);

create table attempt_slot (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null,
  cube text not null,
  hour_id uuid not null,
  row_number integer not null,
  campaign_id uuid,
  publisher_id uuid,
  publisher_tier_id uuid,
  variant_id uuid,
  state text,
  group_id uuid,
  buyer_id uuid,
  buyer_tier_id uuid,
  filter_key smallint,
  attempts integer not null,
  sold integer not null,
  rejected integer not null,
  terrors integer not null,
  timeouts integer not null,
  filtered integer not null,
  pings integer not null,
  bids integer not null,
  wins integer not null,
  sales integer not null,
  revenue numeric(19,4) not null,
  payout numeric(19,4) not null,
  margin numeric(19,4) not null,
  returned integer not null,
  returned_revenue numeric(19,4) not null,
  returned_payout numeric(19,4) not null,
  returned_margin numeric(19,4) not null,
  links integer not null,
  followed integer not null,
  counting smallint not null,
  PRIMARY KEY (organization_id, vertical_id, grain, cube, hour_id, row_number),
  CHECK ((grain = 'slot'::text)),
  CHECK ((counting = 2)),
  CHECK ((cube = ANY (ARRAY['all'::text, 'state'::text, 'buyer'::text, 'place'::text, 'full'::text])))
);

create table attempt_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null,
  cube text not null,
  hour_id uuid not null,
  row_number integer not null,
  campaign_id uuid,
  publisher_id uuid,
  publisher_tier_id uuid,
  variant_id uuid,
  state text,
  group_id uuid,
  buyer_id uuid,
  buyer_tier_id uuid,
  filter_key smallint,
  attempts integer not null,
  sold integer not null,
  rejected integer not null,
  terrors integer not null,
  timeouts integer not null,
  filtered integer not null,
  pings integer not null,
  bids integer not null,
  wins integer not null,
  sales integer not null,
  revenue numeric(19,4) not null,
  payout numeric(19,4) not null,
  margin numeric(19,4) not null,
  returned integer not null,
  returned_revenue numeric(19,4) not null,
  returned_payout numeric(19,4) not null,
  returned_margin numeric(19,4) not null,
  links integer not null,
  followed integer not null,
  counting smallint not null,
  PRIMARY KEY (organization_id, vertical_id, grain, cube, hour_id, row_number),
  CHECK ((counting = 2)),
  CHECK ((cube = ANY (ARRAY['all'::text, 'state'::text, 'buyer'::text, 'place'::text, 'full'::text]))),
  CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'week'::text])))
) partition by RANGE (hour_id);

create table balance (
  organization_id uuid not null,
  party_kind text not null,
  party_id uuid not null,
  amount numeric(19,4) not null,
  PRIMARY KEY (organization_id, party_kind, party_id)
);

create table bank (
  organization_id uuid not null,
  id uuid not null,
  country text not null,
  code text not null,
  name text not null,
  move smallint not null default 4,
  notes text not null default ''::text,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  UNIQUE (organization_id, country, code),
  PRIMARY KEY (organization_id, id),
  CHECK (((code ~ '^\d{6}(\d{3})?$'::text) AND ((length(code) = 9) = (country = 'us'::text)))),
  CHECK ((country = ANY (ARRAY['us'::text, 'uk'::text]))),
  CHECK (((move >= 1) AND (move <= 4))),
  CHECK ((char_length(notes) <= 500))
);

create table bin_move (
  organization_id uuid not null,
  id uuid not null,
  bin_range_id uuid not null,
  campaign_id uuid,
  publisher_id uuid,
  combination smallint generated always as (
CASE
    WHEN (campaign_id IS NULL) THEN
    CASE
        WHEN (publisher_id IS NULL) THEN 4
        ELSE 3
    END
    ELSE
    CASE
        WHEN (publisher_id IS NULL) THEN 2
        ELSE 1
    END
END) stored,
  move smallint not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  UNIQUE NULLS NOT DISTINCT (organization_id, bin_range_id, campaign_id, publisher_id),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, bin_range_id) REFERENCES bin_range(organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaign(organization_id, id),
  FOREIGN KEY (organization_id, publisher_id) REFERENCES publisher(organization_id, id),
  CHECK (((move >= 1) AND (move <= 4)))
);

create table bin_range (
  organization_id uuid not null,
  id uuid not null,
  first_bin integer not null,
  last_bin integer not null,
  digits smallint not null,
  scheme text not null default ''::text,
  issuer text not null default ''::text,
  type text not null default ''::text,
  category text not null default ''::text,
  country text not null default ''::text,
  width smallint generated always as (length(((last_bin - first_bin))::text)) stored,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  UNIQUE (organization_id, width, first_bin, last_bin),
  PRIMARY KEY (organization_id, id),
  CHECK ((first_bin <= last_bin)),
  CHECK (((digits >= 6) AND (digits <= 8))),
  CHECK (((first_bin >= 0) AND (first_bin <= 99999999))),
  CHECK (((last_bin >= 0) AND (last_bin <= 99999999)))
);

create table breaker (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  counted_from timestamp with time zone not null default '1970-01-01 00:00:00+00'::timestamp with time zone,
  opened_at timestamp with time zone,
  open_until timestamp with time zone,
  since timestamp with time zone,
  calls integer,
  failures integer,
  look_back_minutes integer,
  failed_probes integer not null default 0,
  told_at timestamp with time zone,
  PRIMARY KEY (organization_id, buyer_tier_id),
  FOREIGN KEY (organization_id, buyer_tier_id) REFERENCES buyer_tier(organization_id, id),
  CHECK ((num_nulls(opened_at, open_until, since, calls, failures, look_back_minutes) = ANY (ARRAY[0, 6])))
);

create table breaker_minute (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  minute timestamp with time zone not null,
  calls integer not null,
  failures integer not null,
  slow integer not null default 0,
  PRIMARY KEY (organization_id, buyer_tier_id, minute)
);

create table buyer (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  caps jsonb not null default '[]'::jsonb,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  notes text not null default ''::text,
  billing text not null default 'none'::text,
  credit_limit numeric(13,4),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CHECK ((billing = ANY (ARRAY['none'::text, 'prepaid'::text, 'credit'::text]))),
  CHECK ((credit_limit > (0)::numeric)),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);

create table buyer_rest (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  rests_until timestamp with time zone not null,
  PRIMARY KEY (organization_id, buyer_tier_id),
  FOREIGN KEY (organization_id, buyer_tier_id) REFERENCES buyer_tier(organization_id, id)
);

create table buyer_tier (
  organization_id uuid not null,
  id uuid not null,
  buyer_id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  delivery text not null,
  price jsonb not null,
  floor numeric(13,4),
  post_price_rule text not null default 'take'::text,
  quality_factor numeric(6,3) not null default 1,
  filter jsonb,
  hours jsonb,
  pause_dates jsonb,
  caps jsonb not null default '[]'::jsonb,
  duplicate jsonb,
  time_limit_ms integer not null default 10000,
  after_timeout text not null default 'next'::text,
  endpoint jsonb not null,
  secrets bytea,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  third_party jsonb,
  third_party_service_id uuid generated always as (((third_party ->> 'serviceId'::text))::uuid) stored,
  breaker jsonb,
  notes text not null default ''::text,
  return_days integer,
  pending_hours integer not null default 72,
  postback_epoch integer not null default 0,
  suppression_lists uuid[] not null default '{}'::uuid[],
  tell_winning_price boolean not null default false,
  throttle jsonb,
  portal_returns boolean not null default false,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, buyer_id) REFERENCES buyer(organization_id, id),
  FOREIGN KEY (organization_id, third_party_service_id) REFERENCES service(organization_id, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK ((after_timeout = ANY (ARRAY['next'::text, 'hold'::text]))),
  CHECK ((delivery = ANY (ARRAY['post'::text, 'pingPost'::text]))),
  CHECK ((floor >= (0)::numeric)),
  CHECK ((char_length(notes) <= 500)),
  CHECK (((pending_hours >= 1) AND (pending_hours <= 2160))),
  CHECK ((post_price_rule = ANY (ARRAY['take'::text, 'refuse'::text, 'takeAndFlag'::text]))),
  CHECK ((quality_factor > (0)::numeric)),
  CHECK (((return_days >= 0) AND (return_days <= 365))),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text]))),
  CHECK (((time_limit_ms >= 50) AND (time_limit_ms <= 300000)))
);
CREATE INDEX buyer_tier_third_party ON public.buyer_tier USING btree (organization_id, third_party_service_id) WHERE (third_party_service_id IS NOT NULL);

create table campaign (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  margin jsonb not null,
  floor numeric(13,4),
  max_sales integer not null default 1,
  time_limit_ms integer not null default 30000,
  test_values jsonb,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  notes text not null default ''::text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK ((floor >= (0)::numeric)),
  CHECK (((max_sales >= 1) AND (max_sales <= 20))),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text]))),
  CHECK (((time_limit_ms >= 100) AND (time_limit_ms <= 300000)))
);

create table card (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  status text not null default 'active'::text,
  name text not null,
  title text not null default ''::text,
  company text not null default ''::text,
  email text not null default ''::text,
  phone text not null default ''::text,
  website text not null default ''::text,
  additional_information text not null default ''::text,
  social_media jsonb not null default '[]'::jsonb,
  design_key text not null default 'professional'::text,
  design_color_hash text not null default ''::text,
  avatar bytea,
  avatar_type text,
  avatar_at timestamp with time zone,
  has_lander boolean not null default false,
  publisher_tier_id uuid,
  lander_description text not null default ''::text,
  lander_fields text[] not null default '{}'::text[],
  consent_text text not null default ''::text,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, publisher_tier_id) REFERENCES publisher_tier(organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK ((design_color_hash ~ '^(#[0-9a-f]{6})?$'::text)),
  CHECK ((design_key = ANY (ARRAY['professional'::text, 'modern'::text, 'elegant'::text, 'vibrant'::text, 'natural'::text, 'custom'::text]))),
  CHECK ((char_length(lander_description) <= 20000)),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);
CREATE INDEX card_public ON public.card USING btree (id);

create table card_day (
  organization_id uuid not null,
  card_id uuid not null,
  day date not null,
  card_views integer not null default 0,
  lander_views integer not null default 0,
  submissions integer not null default 0,
  sold integer not null default 0,
  PRIMARY KEY (organization_id, card_id, day),
  FOREIGN KEY (organization_id, card_id) REFERENCES card(organization_id, id)
);

create table change_log (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  user_name text not null,
  address text not null default ''::text,
  model text not null,
  record_id uuid not null,
  record_name text not null,
  action text not null,
  before jsonb not null default '{}'::jsonb,
  after jsonb not null default '{}'::jsonb,
  rolls_back uuid,
  PRIMARY KEY (organization_id, id),
  CHECK ((action = ANY (ARRAY['add'::text, 'edit'::text, 'remove'::text, 'restore'::text, 'order'::text, 'publish'::text, 'look'::text, 'erase'::text])))
) partition by RANGE (id);
CREATE INDEX change_log_of_record ON public.change_log USING btree (organization_id, record_id, id);
CREATE INDEX change_log_rolled_back ON public.change_log USING btree (organization_id, rolls_back) WHERE (rolls_back IS NOT NULL);

create table change_request (
  organization_id uuid not null,
  id uuid not null,
  buyer_id uuid,
  publisher_id uuid,
  model text not null,
  record_id uuid not null,
  record_name text not null,
  sale_index smallint,
  vertical_id uuid,
  before jsonb not null,
  after jsonb not null,
  note text not null default ''::text,
  status text not null default 'open'::text,
  asked_by uuid not null,
  asked_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamp with time zone,
  answer text not null default ''::text,
  told_at timestamp with time zone,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, buyer_id) REFERENCES buyer(organization_id, id),
  FOREIGN KEY (organization_id, publisher_id) REFERENCES publisher(organization_id, id),
  CHECK ((char_length(answer) <= 500)),
  CHECK ((num_nonnulls(buyer_id, publisher_id) = 1)),
  CHECK (((model = 'leadReturn'::text) = (sale_index IS NOT NULL))),
  CHECK (((status = 'open'::text) = (decided_at IS NULL))),
  CHECK ((num_nonnulls(decided_by, decided_by_name, decided_at) = ANY (ARRAY[0, 3]))),
  CHECK ((model = ANY (ARRAY['buyer'::text, 'buyerTier'::text, 'publisherTier'::text, 'contact'::text, 'leadReturn'::text]))),
  CHECK ((char_length(note) <= 500)),
  CHECK ((status = ANY (ARRAY['open'::text, 'approved'::text, 'declined'::text, 'withdrawn'::text])))
);
CREATE INDEX change_request_buyer ON public.change_request USING btree (organization_id, buyer_id, id) WHERE (buyer_id IS NOT NULL);
CREATE INDEX change_request_of_return ON public.change_request USING btree (organization_id, record_id) WHERE (model = 'leadReturn'::text);
CREATE INDEX change_request_publisher ON public.change_request USING btree (organization_id, publisher_id, id) WHERE (publisher_id IS NOT NULL);
CREATE INDEX change_request_status ON public.change_request USING btree (organization_id, status, id);
CREATE INDEX change_request_untold ON public.change_request USING btree (organization_id, id) WHERE ((status = 'open'::text) AND (told_at IS NULL));
CREATE UNIQUE INDEX change_request_one_open ON public.change_request USING btree (organization_id, model, record_id, COALESCE((sale_index)::integer, '-1'::integer)) WHERE (status = 'open'::text);

create table change_seal (
  organization_id uuid not null,
  seal_no integer not null,
  through_id uuid not null,
  entries integer not null,
  digest uuid not null,
  sealed_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, seal_no),
  CHECK ((seal_no > 0))
);

create table contact (
  organization_id uuid not null,
  id uuid not null,
  publisher_id uuid,
  buyer_id uuid,
  first_name text not null,
  last_name text not null default ''::text,
  job text not null default ''::text,
  email text not null default ''::text,
  phone text not null default ''::text,
  notes text not null default ''::text,
  status text not null default 'active'::text,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, buyer_id) REFERENCES buyer(organization_id, id),
  FOREIGN KEY (organization_id, publisher_id) REFERENCES publisher(organization_id, id),
  CHECK ((num_nonnulls(publisher_id, buyer_id) = 1)),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);
CREATE INDEX contact_of_buyer ON public.contact USING btree (organization_id, buyer_id);
CREATE INDEX contact_of_publisher ON public.contact USING btree (organization_id, publisher_id);

create table counter (
  organization_id uuid not null,
  counter text not null,
  scope_id uuid not null,
  measure text not null,
  period text not null,
  used bigint not null default 0,
  resets_at timestamp with time zone,
  PRIMARY KEY (organization_id, counter)
);
CREATE INDEX counter_scope ON public.counter USING btree (organization_id, scope_id);

create table default_view (
  organization_id uuid not null,
  user_id uuid not null,
  vertical_id uuid not null,
  page text not null,
  view_id uuid not null,
  PRIMARY KEY (organization_id, user_id, vertical_id, page),
  FOREIGN KEY (organization_id, view_id) REFERENCES saved_view(organization_id, id) ON DELETE CASCADE
);

-- reference
create table demo_world (
  only_one boolean not null default true,
  organization_ids uuid[] not null,
  market_port integer not null,
  market_seed integer not null,
  started_at timestamp with time zone not null default now(),
  finished_at timestamp with time zone,
  PRIMARY KEY (only_one),
  CHECK (((market_port >= 1) AND (market_port <= 65535))),
  CHECK (only_one)
);

create table duplicate_claim (
  organization_id uuid not null,
  scope_id uuid not null,
  fingerprint uuid not null,
  lead_id uuid not null,
  claimed_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, scope_id, fingerprint)
);

create table eligibility_token (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  token_hash bytea not null,
  publisher_tier_ids uuid[] not null,
  created_by text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  used_at timestamp with time zone,
  UNIQUE (organization_id, token_hash),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CHECK ((cardinality(publisher_tier_ids) > 0))
);

create table entry_call (
  organization_id uuid not null,
  call_key uuid not null,
  asked jsonb not null,
  entered_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, call_key)
);

create table erased_person (
  organization_id uuid not null,
  value_hash uuid not null,
  erasure_id uuid not null,
  PRIMARY KEY (organization_id, value_hash)
);
CREATE INDEX erased_person_of_erasure ON public.erased_person USING btree (organization_id, erasure_id);

create table erasure (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  asked_at timestamp with time zone not null,
  value_hashes uuid[] not null,
  lead_ids uuid[] not null,
  vertical_ids uuid[] not null,
  person_hashes uuid[] not null,
  again_at timestamp with time zone,
  PRIMARY KEY (organization_id, id),
  CHECK ((kind = ANY (ARRAY['erased'::text, 'accepted'::text])))
);
CREATE INDEX erasure_again ON public.erasure USING btree (again_at) WHERE (again_at IS NOT NULL);
CREATE INDEX erasure_in_time ON public.erasure USING btree (id);

create table export_feed (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  schedule jsonb not null,
  content jsonb not null,
  destination jsonb not null,
  secrets bytea,
  send_empty boolean not null default false,
  send_changes boolean not null default false,
  notes text not null default ''::text,
  secret_epoch integer not null default 1,
  covered_to timestamp with time zone not null default now(),
  began_at timestamp with time zone not null default now(),
  failing_since timestamp with time zone,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);

create table export_file (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  format text not null,
  row_count bigint not null default 0,
  byte_count bigint not null default 0,
  unmasked boolean not null,
  created_at timestamp with time zone not null default now(),
  whole_at timestamp with time zone,
  kept_until timestamp with time zone not null,
  erased_at timestamp with time zone,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK ((format = ANY (ARRAY['csv'::text, 'jsonl'::text])))
);

create table export_held_over (
  organization_id uuid not null,
  feed_id uuid not null,
  lead_id uuid not null,
  missed_run uuid not null,
  taken_run uuid,
  taken_at timestamp with time zone,
  PRIMARY KEY (organization_id, feed_id, lead_id),
  FOREIGN KEY (organization_id, feed_id) REFERENCES export_feed(organization_id, id)
);
CREATE INDEX export_held_over_missed ON public.export_held_over USING btree (organization_id, missed_run);
CREATE INDEX export_held_over_open ON public.export_held_over USING btree (organization_id, feed_id, lead_id) WHERE (taken_run IS NULL);
CREATE INDEX export_held_over_taken ON public.export_held_over USING btree (organization_id, taken_run) WHERE (taken_run IS NOT NULL);

create table export_part (
  organization_id uuid not null,
  file_id uuid not null,
  part integer not null,
  body bytea not null,
  lead_ids uuid[] not null,
  kept_until timestamp with time zone not null,
  PRIMARY KEY (organization_id, file_id, part),
  FOREIGN KEY (organization_id, file_id) REFERENCES export_file(organization_id, id) ON DELETE CASCADE
);
CREATE INDEX export_part_leads ON public.export_part USING gin (lead_ids);

create table export_run (
  organization_id uuid not null,
  id uuid not null,
  feed_id uuid not null,
  from_at timestamp with time zone not null,
  to_at timestamp with time zone not null,
  state text not null default 'due'::text,
  is_built boolean not null default false,
  was_built boolean not null default false,
  due_at timestamp with time zone not null,
  tries smallint not null default 0,
  taken_until timestamp with time zone,
  place jsonb not null default '{}'::jsonb,
  row_count bigint not null default 0,
  byte_count bigint not null default 0,
  created_at timestamp with time zone not null default now(),
  last_at timestamp with time zone,
  ended_at timestamp with time zone,
  elapsed_ms real,
  failure text,
  remark text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, feed_id) REFERENCES export_feed(organization_id, id),
  CHECK ((state = ANY (ARRAY['due'::text, 'sent'::text, 'empty'::text, 'failed'::text])))
);
CREATE INDEX export_run_due ON public.export_run USING btree (organization_id, feed_id, due_at) WHERE (state = 'due'::text);
CREATE INDEX export_run_of_feed ON public.export_run USING btree (organization_id, feed_id, id);

create table field (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  position integer not null,
  field_name text not null,
  field_human_name text not null,
  type text not null,
  required boolean not null default false,
  min_char integer,
  max_char integer,
  min_value numeric,
  max_value numeric,
  pattern text,
  options text[],
  privacy_class text not null,
  in_ping boolean not null default false,
  searchable boolean not null default false,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  UNIQUE (organization_id, vertical_id, field_name),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK ((field_name ~ '^[a-zA-Z_][a-zA-Z0-9_]{0,62}$'::text)),
  CHECK ((privacy_class = ANY (ARRAY['P0'::text, 'P1'::text, 'P2'::text, 'P3'::text])))
);

-- reference
create table former_sub_domain (
  sub_domain text not null,
  held_for uuid not null,
  given_up_at timestamp with time zone not null default now(),
  PRIMARY KEY (sub_domain),
  FOREIGN KEY (held_for) REFERENCES organization(id) ON DELETE CASCADE
);

create table group_member (
  organization_id uuid not null,
  group_id uuid not null,
  buyer_tier_id uuid not null,
  position integer not null,
  weight integer,
  PRIMARY KEY (organization_id, group_id, buyer_tier_id),
  FOREIGN KEY (organization_id, buyer_tier_id) REFERENCES buyer_tier(organization_id, id),
  FOREIGN KEY (organization_id, group_id) REFERENCES tree_group(organization_id, id),
  CHECK ((weight > 0))
);

create table group_turn (
  organization_id uuid not null,
  group_id uuid not null,
  buyer_tier_id uuid not null,
  turns bigint not null default 0,
  last_turn_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, group_id, buyer_tier_id)
);

create table held_reference (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  reference text not null,
  lead_id uuid not null,
  PRIMARY KEY (organization_id, buyer_tier_id, reference, lead_id)
) partition by RANGE (lead_id);

-- reference
create table help_entry (
  kind text not null,
  key text not null,
  tags text[] not null default '{}'::text[],
  body jsonb not null,
  version integer not null,
  is_removed boolean not null default false,
  shipped jsonb,
  is_own boolean not null,
  changed_at timestamp with time zone not null default now(),
  changed_by text not null,
  PRIMARY KEY (kind, key),
  CHECK ((key ~ '^[a-z0-9][a-z0-9.-]{0,79}$'::text)),
  CHECK ((kind = ANY (ARRAY['prompt'::text, 'term'::text, 'question'::text, 'article'::text]))),
  CHECK ((version > 0))
);

-- reference
create table help_version (
  kind text not null,
  key text not null,
  version integer not null,
  tags text[] not null,
  body jsonb not null,
  is_removed boolean not null,
  changed_at timestamp with time zone not null,
  changed_by text not null,
  PRIMARY KEY (kind, key, version),
  FOREIGN KEY (kind, key) REFERENCES help_entry(kind, key)
);

create table idempotency (
  organization_id uuid not null,
  publisher_tier_id uuid not null,
  fingerprint uuid not null,
  payload_hash uuid not null,
  lead_id uuid not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, publisher_tier_id, fingerprint)
);
CREATE INDEX idempotency_expiry ON public.idempotency USING brin (expires_at);

create table job (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null default 'receiving'::text,
  name text not null,
  subject_id uuid,
  settings jsonb not null,
  person_id uuid not null,
  parts integer not null default 0,
  bytes bigint not null default 0,
  place jsonb not null default '{}'::jsonb,
  bytes_done bigint not null default 0,
  rows_done bigint not null default 0,
  tally jsonb not null default '{}'::jsonb,
  error_count integer not null default 0,
  failure text,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  lease_holder uuid,
  lease_until timestamp with time zone,
  heard_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  CHECK ((status = ANY (ARRAY['receiving'::text, 'waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX job_kind ON public.job USING btree (organization_id, kind, id);
CREATE INDEX job_open ON public.job USING btree (organization_id, id) WHERE (status = ANY (ARRAY['receiving'::text, 'waiting'::text, 'running'::text]));

create table job_error (
  organization_id uuid not null,
  job_id uuid not null,
  line bigint not null,
  message text not null,
  PRIMARY KEY (organization_id, job_id, line),
  FOREIGN KEY (organization_id, job_id) REFERENCES job(organization_id, id) ON DELETE CASCADE
);

create table job_part (
  organization_id uuid not null,
  job_id uuid not null,
  part integer not null,
  body bytea not null,
  PRIMARY KEY (organization_id, job_id, part),
  FOREIGN KEY (organization_id, job_id) REFERENCES job(organization_id, id) ON DELETE CASCADE
);

create table landing_page (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  publisher_tier_id uuid not null,
  status text not null default 'active'::text,
  name text not null,
  url text not null,
  notes text not null default ''::text,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, publisher_tier_id) REFERENCES publisher_tier(organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text]))),
  CHECK (((char_length(url) >= 1) AND (char_length(url) <= 500)))
);
CREATE INDEX landing_page_of_vertical ON public.landing_page USING btree (organization_id, vertical_id);

create table late_answer (
  organization_id uuid not null,
  lead_id uuid not null,
  attempt_index smallint not null,
  buyer_tier_id uuid not null,
  outcome text not null,
  price numeric(13,4),
  after_ms real not null,
  wire bytea not null,
  arrived_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, lead_id, attempt_index)
) partition by RANGE (lead_id);
CREATE INDEX late_answer_accepted ON public.late_answer USING btree (organization_id, lead_id) WHERE (outcome = 'accepted'::text);

create table latency_slot (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null,
  cube text not null,
  hour_id uuid not null,
  row_number integer not null,
  campaign_id uuid,
  publisher_id uuid,
  publisher_tier_id uuid,
  variant_id uuid,
  state text,
  group_id uuid,
  buyer_id uuid,
  buyer_tier_id uuid,
  leg text not null,
  buckets smallint[] not null,
  calls integer[] not null,
  sold integer[] not null,
  timeouts integer[] not null,
  terrors integer[] not null,
  revenue numeric(19,4)[] not null,
  PRIMARY KEY (organization_id, vertical_id, grain, cube, hour_id, row_number),
  CHECK ((grain = 'slot'::text)),
  CHECK ((cardinality(buckets) > 0)),
  CHECK ((cardinality(calls) = cardinality(buckets))),
  CHECK ((cardinality(sold) = cardinality(buckets))),
  CHECK ((cardinality(timeouts) = cardinality(buckets))),
  CHECK ((cardinality(terrors) = cardinality(buckets))),
  CHECK ((cardinality(revenue) = cardinality(buckets))),
  CHECK ((cube = ANY (ARRAY['all'::text, 'buyer'::text, 'state'::text, 'source'::text, 'place'::text, 'full'::text]))),
  CHECK ((leg = ANY (ARRAY['ping'::text, 'post'::text, 'redirect'::text])))
);

create table latency_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null,
  cube text not null,
  hour_id uuid not null,
  row_number integer not null,
  campaign_id uuid,
  publisher_id uuid,
  publisher_tier_id uuid,
  variant_id uuid,
  state text,
  group_id uuid,
  buyer_id uuid,
  buyer_tier_id uuid,
  leg text not null,
  buckets smallint[] not null,
  calls integer[] not null,
  sold integer[] not null,
  timeouts integer[] not null,
  terrors integer[] not null,
  revenue numeric(19,4)[] not null,
  PRIMARY KEY (organization_id, vertical_id, grain, cube, hour_id, row_number),
  CHECK ((cardinality(buckets) > 0)),
  CHECK ((cardinality(calls) = cardinality(buckets))),
  CHECK ((cardinality(sold) = cardinality(buckets))),
  CHECK ((cardinality(timeouts) = cardinality(buckets))),
  CHECK ((cardinality(terrors) = cardinality(buckets))),
  CHECK ((cardinality(revenue) = cardinality(buckets))),
  CHECK ((cube = ANY (ARRAY['all'::text, 'buyer'::text, 'state'::text, 'source'::text, 'place'::text, 'full'::text]))),
  CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'week'::text]))),
  CHECK ((leg = ANY (ARRAY['ping'::text, 'post'::text, 'redirect'::text])))
) partition by RANGE (hour_id);

create table lead (
  organization_id uuid not null,
  id uuid not null,
  region_id uuid not null,
  vertical_id uuid not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  sub_id text not null,
  mode text not null,
  test boolean not null,
  ping_id uuid,
  node_id uuid not null,
  fields bytea not null,
  state text not null default ''::text,
  PRIMARY KEY (organization_id, id),
  CHECK ((mode = ANY (ARRAY['full'::text, 'ping'::text, 'post'::text])))
) partition by RANGE (id);
CREATE INDEX lead_publisher_tier ON public.lead USING btree (organization_id, publisher_tier_id, id);
CREATE INDEX lead_vertical ON public.lead USING btree (organization_id, vertical_id, id);

create table lead_lookup (
  organization_id uuid not null,
  value_hash uuid not null,
  lead_id uuid not null,
  PRIMARY KEY (organization_id, value_hash, lead_id)
) partition by RANGE (lead_id);

create table lead_page (
  organization_id uuid not null,
  lead_id uuid not null,
  page_id uuid not null,
  PRIMARY KEY (organization_id, lead_id)
) partition by RANGE (lead_id);
CREATE INDEX lead_page_of_page ON public.lead_page USING btree (organization_id, page_id, lead_id);

create table lead_result (
  organization_id uuid not null,
  lead_id uuid not null,
  vertical_id uuid not null,
  campaign_id uuid not null,
  publisher_tier_id uuid not null,
  test boolean not null,
  status text not null,
  reason text,
  revenue numeric(19,4) not null,
  payout numeric(19,4) not null,
  margin numeric(19,4) not null,
  sale_count smallint not null,
  attempt_count smallint not null,
  duplicate_of uuid,
  elapsed_ms real not null,
  buyers_ms real not null,
  store_ms real not null,
  finished_at timestamp with time zone not null,
  verdicts jsonb not null,
  explained bytea not null,
  wires bytea,
  PRIMARY KEY (organization_id, lead_id),
  CHECK ((status = ANY (ARRAY['sold'::text, 'unsold'::text, 'invalid'::text, 'rejected'::text, 'duplicate'::text, 'held'::text, 'error'::text, 'bid'::text, 'noBid'::text])))
) partition by RANGE (lead_id);
CREATE INDEX lead_result_status ON public.lead_result USING btree (organization_id, vertical_id, status, lead_id);

create table lead_return (
  organization_id uuid not null,
  lead_id uuid not null,
  sale_index smallint not null,
  vertical_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  publisher_id uuid not null,
  reason text not null,
  note text not null default ''::text,
  revenue numeric(13,4) not null,
  payout numeric(13,4) not null,
  margin numeric(13,4) not null,
  via text not null,
  user_id uuid,
  user_name text,
  returned_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, lead_id, sale_index),
  CHECK (((payout + margin) = revenue)),
  CHECK ((char_length(note) <= 500)),
  CHECK (((char_length(reason) >= 1) AND (char_length(reason) <= 100))),
  CHECK ((revenue > (0)::numeric)),
  CHECK ((via = ANY (ARRAY['console'::text, 'csv'::text, 'api'::text, 'portal'::text])))
) partition by RANGE (lead_id);
CREATE INDEX lead_return_of_buyer ON public.lead_return USING btree (organization_id, buyer_id, returned_at);
CREATE INDEX lead_return_of_publisher ON public.lead_return USING btree (organization_id, publisher_id, returned_at);
CREATE INDEX lead_return_when ON public.lead_return USING btree (organization_id, vertical_id, returned_at);

create table lead_slot (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null,
  cube text not null,
  hour_id uuid not null,
  row_number integer not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  sub_id text,
  variant_id uuid,
  state text,
  reason text,
  attempts integer not null,
  sold integer not null,
  rejected integer not null,
  terrors integer not null,
  timeouts integer not null,
  filtered integer not null,
  open integer not null,
  pings integer not null,
  bids integer not null,
  revenue numeric(19,4) not null,
  payout numeric(19,4) not null,
  margin numeric(19,4) not null,
  returned integer not null,
  returned_revenue numeric(19,4) not null,
  returned_payout numeric(19,4) not null,
  returned_margin numeric(19,4) not null,
  counting smallint not null,
  PRIMARY KEY (organization_id, vertical_id, grain, cube, hour_id, row_number),
  CHECK ((grain = 'slot'::text)),
  CHECK ((counting = 3)),
  CHECK ((cube = ANY (ARRAY['source'::text, 'variant'::text, 'place'::text, 'sub'::text, 'full'::text])))
);

create table lead_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null,
  cube text not null,
  hour_id uuid not null,
  row_number integer not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  sub_id text,
  variant_id uuid,
  state text,
  reason text,
  attempts integer not null,
  sold integer not null,
  rejected integer not null,
  terrors integer not null,
  timeouts integer not null,
  filtered integer not null,
  open integer not null,
  pings integer not null,
  bids integer not null,
  revenue numeric(19,4) not null,
  payout numeric(19,4) not null,
  margin numeric(19,4) not null,
  returned integer not null,
  returned_revenue numeric(19,4) not null,
  returned_payout numeric(19,4) not null,
  returned_margin numeric(19,4) not null,
  counting smallint not null,
  PRIMARY KEY (organization_id, vertical_id, grain, cube, hour_id, row_number),
  CHECK ((counting = 3)),
  CHECK ((cube = ANY (ARRAY['source'::text, 'variant'::text, 'place'::text, 'sub'::text, 'full'::text]))),
  CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text, 'week'::text])))
) partition by RANGE (hour_id);

create table lead_variant (
  organization_id uuid not null,
  lead_id uuid not null,
  ab_test_id uuid not null,
  variant_id uuid not null,
  consumer uuid not null,
  PRIMARY KEY (organization_id, lead_id)
) partition by RANGE (lead_id);
CREATE INDEX lead_variant_of_test ON public.lead_variant USING btree (organization_id, ab_test_id, lead_id);

create table ledger_entry (
  organization_id uuid not null,
  id uuid not null,
  party_kind text not null,
  party_id uuid not null,
  kind text not null,
  amount numeric(13,4) not null,
  vertical_id uuid,
  tier_id uuid,
  lead_id uuid,
  sale_index smallint,
  note text not null default ''::text,
  user_id uuid,
  user_name text,
  PRIMARY KEY (organization_id, id),
  CHECK ((kind = ANY (ARRAY['revenue'::text, 'payout'::text, 'margin'::text, 'return'::text, 'adjustment'::text, 'payment'::text]))),
  CHECK ((char_length(note) <= 500)),
  CHECK ((party_kind = ANY (ARRAY['buyer'::text, 'publisher'::text, 'house'::text])))
) partition by RANGE (id);
CREATE INDEX ledger_entry_of_party ON public.ledger_entry USING btree (organization_id, party_kind, party_id, id);
CREATE INDEX ledger_entry_return ON public.ledger_entry USING btree (organization_id, vertical_id, id) WHERE (kind = 'return'::text);

create table loss_notice (
  organization_id uuid not null,
  lead_id uuid not null,
  buyer_tier_id uuid not null,
  group_id uuid not null,
  vertical_id uuid not null,
  bid numeric(13,4),
  winning numeric(13,4) not null,
  due_at timestamp with time zone not null,
  outcome text,
  started_at timestamp with time zone,
  elapsed_ms real,
  connect_ms real,
  wait_ms real,
  read_ms real,
  status_code smallint,
  wire bytea,
  PRIMARY KEY (organization_id, lead_id, buyer_tier_id),
  CHECK ((outcome = ANY (ARRAY['told'::text, 'refused'::text, 'error'::text, 'timeout'::text, 'dropped'::text])))
) partition by RANGE (lead_id);

-- reference
create table mail (
  id uuid not null,
  kind text not null,
  recipient text not null,
  content bytea,
  created_at timestamp with time zone not null default now(),
  send_after timestamp with time zone not null default now(),
  tries integer not null default 0,
  sent_at timestamp with time zone,
  gave_up_at timestamp with time zone,
  PRIMARY KEY (id)
);
CREATE INDEX mail_to_send ON public.mail USING btree (send_after) WHERE ((sent_at IS NULL) AND (gave_up_at IS NULL));

-- reference
create table migration (
  name text not null,
  checksum text not null,
  applied_at timestamp with time zone not null default now(),
  PRIMARY KEY (name)
);

-- reference
create table node (
  id uuid not null,
  started_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  last_migration text not null default ''::text,
  version text not null default ''::text,
  host text not null default ''::text,
  leads_ended bigint not null default 0,
  leads_under_way integer not null default 0,
  PRIMARY KEY (id)
);

-- reference
create table one_time_token (
  token_hash bytea not null,
  purpose text not null,
  user_id uuid not null,
  organization_id uuid,
  team_member_id uuid,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  credential_epoch integer,
  session_id uuid,
  session_expires_at timestamp with time zone,
  proof jsonb not null default '{}'::jsonb,
  PRIMARY KEY (token_hash),
  FOREIGN KEY (organization_id) REFERENCES organization(id) ON DELETE CASCADE,
  FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE,
  FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  CHECK ((purpose = ANY (ARRAY['activation'::text, 'password-reset'::text, 'mfa-reset'::text, 'invitation'::text, 'hand-over'::text])))
);
CREATE INDEX one_time_token_of_session ON public.one_time_token USING btree (session_id) WHERE (session_id IS NOT NULL);
CREATE INDEX one_time_token_of_user ON public.one_time_token USING btree (user_id, purpose);

-- reference
create table organization (
  id uuid not null,
  name text not null,
  sub_domain text not null,
  time_zone text not null default 'America/New_York'::text,
  currency text not null default 'USD'::text,
  status text not null default 'active'::text,
  data_key bytea not null,
  configuration_version bigint not null default 1,
  created_at timestamp with time zone not null default now(),
  legal_footer text not null default ''::text,
  logo bytea,
  logo_type text,
  light_logo bytea,
  light_logo_type text,
  restricted_user_ids uuid[] not null default '{}'::uuid[],
  preferences jsonb not null default '{}'::jsonb,
  logo_version text generated always as ("left"(md5(logo), 12)) stored,
  light_logo_version text generated always as ("left"(md5(light_logo), 12)) stored,
  return_reasons text[] not null default '{"Wrong number","Not reachable",Duplicate,"Fake or false details","Outside the criteria","Did not ask for it"}'::text[],
  return_days integer not null default 14,
  refuses_erased boolean not null default false,
  UNIQUE (sub_domain),
  PRIMARY KEY (id),
  CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CHECK ((char_length(legal_footer) <= 5000)),
  CHECK ((octet_length(light_logo) <= (512 * 1024))),
  CHECK ((light_logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/gif'::text, 'image/bmp'::text, 'image/webp'::text]))),
  CHECK ((octet_length(logo) <= (512 * 1024))),
  CHECK ((logo_type = ANY (ARRAY['image/png'::text, 'image/jpeg'::text, 'image/gif'::text, 'image/bmp'::text, 'image/webp'::text]))),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 200))),
  CHECK (((return_days >= 0) AND (return_days <= 365))),
  CHECK (((cardinality(return_reasons) >= 1) AND (cardinality(return_reasons) <= 30))),
  CHECK ((status = ANY (ARRAY['active'::text, 'suspended'::text]))),
  CHECK ((sub_domain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'::text))
);

create table organization_key (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  key_hash bytea not null,
  hint text not null,
  created_at timestamp with time zone not null default now(),
  revoked_at timestamp with time zone,
  PRIMARY KEY (organization_id, id)
);
CREATE INDEX organization_key_hash ON public.organization_key USING btree (key_hash);

create table page_hour (
  organization_id uuid not null,
  page_id uuid not null,
  hour_at timestamp with time zone not null,
  views integer not null default 0,
  submits integer not null default 0,
  PRIMARY KEY (organization_id, page_id, hour_at)
);
CREATE INDEX page_hour_when ON public.page_hour USING btree (organization_id, hour_at);

create table page_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null,
  cube text not null,
  hour_id uuid not null,
  row_number integer not null,
  page_id uuid not null,
  views integer not null,
  submits integer not null,
  leads integer not null,
  sold integer not null,
  PRIMARY KEY (organization_id, vertical_id, grain, cube, hour_id, row_number),
  CHECK ((cube = 'page'::text)),
  CHECK ((grain = ANY (ARRAY['hour'::text, 'day'::text])))
) partition by RANGE (hour_id);

create table payment (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  processor_id uuid not null,
  transaction_hash uuid not null,
  transaction_id text not null,
  attempted_at timestamp with time zone not null,
  result text not null,
  amount numeric(13,4) not null,
  refunded numeric(13,4),
  charged_back numeric(13,4),
  currency text not null,
  reason text not null default ''::text,
  bin text not null default ''::text,
  move smallint not null default 0,
  lead_id uuid,
  test boolean not null default false,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  UNIQUE (organization_id, processor_id, transaction_hash),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, processor_id) REFERENCES payment_processor(organization_id, id),
  CHECK ((bin ~ '^(\d{6,8})?$'::text)),
  CHECK ((char_length(currency) = 3)),
  CHECK (((move >= 0) AND (move <= 4))),
  CHECK ((char_length(reason) <= 120)),
  CHECK ((result = ANY (ARRAY['approved'::text, 'declined'::text, 'refunded'::text, 'chargeback'::text]))),
  CHECK ((char_length(transaction_id) <= 200))
);
CREATE INDEX payment_of_lead ON public.payment USING btree (organization_id, lead_id) WHERE (lead_id IS NOT NULL);
CREATE INDEX payment_of_time ON public.payment USING btree (organization_id, vertical_id, attempted_at, id);

create table payment_hour (
  organization_id uuid not null,
  vertical_id uuid not null,
  cube text not null,
  hour_at timestamp with time zone not null,
  processor_id uuid not null,
  move smallint not null,
  bin text not null,
  reason text not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  currency text not null,
  attempts integer not null,
  approved integer not null,
  declined integer not null,
  refunds integer not null,
  chargebacks integer not null,
  approved_sum numeric(19,4) not null,
  refunded_sum numeric(19,4) not null,
  charged_back_sum numeric(19,4) not null,
  PRIMARY KEY (organization_id, vertical_id, cube, hour_at, processor_id, move, bin, reason, campaign_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id, currency),
  CHECK ((cube = ANY (ARRAY['sum'::text, 'wide'::text, 'bin'::text])))
);

create table payment_processor (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  status text not null default 'active'::text,
  name text not null,
  notes text not null default ''::text,
  postback_epoch integer not null default 0,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);
CREATE INDEX payment_processor_of_vertical ON public.payment_processor USING btree (organization_id, vertical_id);

create table payment_report (
  organization_id uuid not null,
  payment_id uuid not null,
  report_index smallint not null,
  result text not null,
  amount numeric(13,4),
  reason text not null default ''::text,
  happened_at timestamp with time zone,
  received_at timestamp with time zone not null,
  currency text,
  PRIMARY KEY (organization_id, payment_id, report_index),
  FOREIGN KEY (organization_id, payment_id) REFERENCES payment(organization_id, id) ON DELETE CASCADE,
  CHECK ((currency ~ '^[A-Z]{3}$'::text)),
  CHECK ((char_length(reason) <= 120)),
  CHECK ((result = ANY (ARRAY['approved'::text, 'declined'::text, 'refunded'::text, 'chargeback'::text])))
);

create table posting_key (
  organization_id uuid not null,
  id uuid not null,
  publisher_tier_id uuid not null,
  key_hash bytea not null,
  prefix text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  UNIQUE (organization_id, key_hash),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, publisher_tier_id) REFERENCES publisher_tier(organization_id, id)
);

create table promotion (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  notes text not null default ''::text,
  target jsonb not null,
  publisher_tier_id uuid generated always as (((target ->> 'publisherTierId'::text))::uuid) stored,
  publisher_id uuid generated always as (((target ->> 'publisherId'::text))::uuid) stored,
  campaign_id uuid generated always as (((target ->> 'campaignId'::text))::uuid) stored,
  raise jsonb not null,
  from_on text not null,
  to_on text,
  time_zone text not null,
  hours jsonb,
  lead_cap integer,
  money_cap numeric(13,4),
  below_margin boolean not null default false,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaign(organization_id, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (organization_id, publisher_id) REFERENCES publisher(organization_id, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (organization_id, publisher_tier_id) REFERENCES publisher_tier(organization_id, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK (((to_on ~ '^\d{4}-\d{2}-\d{2}$'::text) AND (to_on >= from_on))),
  CHECK ((from_on ~ '^\d{4}-\d{2}-\d{2}$'::text)),
  CHECK ((lead_cap >= 0)),
  CHECK ((money_cap >= (0)::numeric)),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);
CREATE INDEX promotion_campaign ON public.promotion USING btree (organization_id, campaign_id) WHERE (campaign_id IS NOT NULL);
CREATE INDEX promotion_publisher ON public.promotion USING btree (organization_id, publisher_id) WHERE (publisher_id IS NOT NULL);
CREATE INDEX promotion_publisher_tier ON public.promotion USING btree (organization_id, publisher_tier_id) WHERE (publisher_tier_id IS NOT NULL);
CREATE INDEX promotion_vertical ON public.promotion USING btree (organization_id, vertical_id);

create table promotion_sale (
  organization_id uuid not null,
  lead_id uuid not null,
  sale_index smallint not null,
  promotion_id uuid not null,
  extra numeric(13,4) not null,
  PRIMARY KEY (organization_id, lead_id, sale_index)
) partition by RANGE (lead_id);
CREATE INDEX promotion_sale_promotion ON public.promotion_sale USING btree (organization_id, promotion_id, lead_id);

create table publisher (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  affiliate_id text not null,
  status text not null default 'active'::text,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  notes text not null default ''::text,
  UNIQUE (organization_id, affiliate_id),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);

create table publisher_tier (
  organization_id uuid not null,
  id uuid not null,
  publisher_id uuid not null,
  campaign_id uuid not null,
  name text not null,
  sub_id text not null default ''::text,
  status text not null default 'active'::text,
  price_model jsonb not null,
  filter jsonb,
  hours jsonb,
  pause_dates jsonb,
  caps jsonb not null default '[]'::jsonb,
  duplicate jsonb,
  ip_allow text[] not null default '{}'::text[],
  terse boolean not null default false,
  always_200 boolean not null default false,
  pings_per_minute integer,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  p2c jsonb,
  p2c_service_id uuid generated always as (((p2c ->> 'serviceId'::text))::uuid) stored,
  notes text not null default ''::text,
  returns_reduce_payout boolean not null default true,
  suppression_lists uuid[] not null default '{}'::uuid[],
  raw_redirect boolean not null default false,
  spec_open boolean not null default false,
  spec_epoch integer not null default 0,
  kind text not null default 'api'::text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaign(organization_id, id),
  FOREIGN KEY (organization_id, p2c_service_id) REFERENCES service(organization_id, id) DEFERRABLE INITIALLY DEFERRED,
  FOREIGN KEY (organization_id, publisher_id) REFERENCES publisher(organization_id, id),
  CHECK ((kind = ANY (ARRAY['api'::text, 'lander'::text]))),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((pings_per_minute > 0)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);
CREATE INDEX publisher_tier_p2c ON public.publisher_tier USING btree (organization_id, p2c_service_id) WHERE (p2c_service_id IS NOT NULL);

-- reference
create table recovery_code (
  user_id uuid not null,
  code_hash bytea not null,
  used_at timestamp with time zone,
  PRIMARY KEY (user_id, code_hash),
  FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE
);

create table redirect (
  organization_id uuid not null,
  lead_id uuid not null,
  sale_index smallint not null,
  vertical_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  given_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  url bytea not null,
  followed_at timestamp with time zone,
  follows integer not null default 0,
  PRIMARY KEY (organization_id, lead_id)
) partition by RANGE (lead_id);
CREATE INDEX redirect_publisher_tier ON public.redirect USING btree (organization_id, publisher_tier_id, lead_id);

create table refused_postback (
  organization_id uuid not null,
  lead_id uuid not null,
  buyer_tier_id uuid not null,
  price numeric(13,4),
  why text not null,
  said_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, lead_id, buyer_tier_id)
);

create table region (
  organization_id uuid not null,
  id uuid not null,
  slug text not null,
  name text not null,
  country text not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  status text not null default 'active'::text,
  UNIQUE (organization_id, slug),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  CHECK ((country = ANY (ARRAY['us'::text, 'uk'::text]))),
  CHECK ((slug ~ '^[a-z0-9-]{1,60}$'::text)),
  CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);

create table replay (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  campaign_id uuid not null,
  person_id uuid not null,
  status text not null default 'waiting'::text,
  settings jsonb not null,
  published jsonb not null,
  changed jsonb not null,
  total integer not null default 0,
  done integer not null default 0,
  result jsonb,
  failure text,
  lease_holder uuid,
  lease_until timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  lost integer not null default 0,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaign(organization_id, id),
  CHECK ((status = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text])))
);
CREATE INDEX replay_open ON public.replay USING btree (status, lease_until) WHERE (status = ANY (ARRAY['waiting'::text, 'running'::text]));
CREATE INDEX replay_vertical ON public.replay USING btree (organization_id, vertical_id, id);

create table report_mark (
  organization_id uuid not null,
  hour_id uuid not null,
  id uuid not null,
  marked_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, hour_id, id)
);
CREATE INDEX report_mark_hour ON public.report_mark USING btree (hour_id);

create table report_progress (
  organization_id uuid not null,
  rolled_before uuid not null,
  PRIMARY KEY (organization_id)
);

create table report_slot_mark (
  organization_id uuid not null,
  slot_id uuid not null,
  id uuid not null,
  PRIMARY KEY (organization_id, slot_id, id)
);

create table report_slot_progress (
  organization_id uuid not null,
  from_id uuid not null,
  before_id uuid not null,
  PRIMARY KEY (organization_id)
);

create table report_slots (
  organization_id uuid not null,
  from_id uuid not null,
  before_id uuid not null,
  PRIMARY KEY (organization_id),
  CHECK (false)
);

create table report_week (
  organization_id uuid not null,
  week_id uuid not null,
  is_kept boolean not null,
  changed_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, week_id)
);

create table reservation (
  organization_id uuid not null,
  lead_id uuid not null,
  subject_id uuid not null,
  purpose text not null,
  node_id uuid not null,
  claims jsonb not null default '[]'::jsonb,
  fingerprints uuid[] not null default '{}'::uuid[],
  reserved_at timestamp with time zone not null,
  unknown_since timestamp with time zone,
  PRIMARY KEY (organization_id, lead_id, subject_id, purpose),
  CHECK ((purpose = ANY (ARRAY['admit'::text, 'ping'::text, 'post'::text, 'raise'::text, 'promotion'::text])))
);
CREATE INDEX reservation_unknown ON public.reservation USING btree (organization_id, unknown_since) WHERE (unknown_since IS NOT NULL);

create table retention (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  unsold_days integer,
  sold_days integer,
  wire_days integer,
  on_hold boolean not null default false,
  hold_reason text not null default ''::text,
  unsold_after uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  sold_after uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  wires_after uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  erased_leads bigint not null default 0,
  emptied_leads bigint not null default 0,
  untold jsonb not null default '{}'::jsonb,
  ran_at timestamp with time zone,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  calls_after uuid not null default '00000000-0000-0000-0000-000000000000'::uuid,
  emptied_calls bigint not null default 0,
  UNIQUE (organization_id, vertical_id),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK ((char_length(hold_reason) <= 500)),
  CHECK (((sold_days >= 1) AND (sold_days <= 3650))),
  CHECK (((unsold_days >= 1) AND (unsold_days <= 3650))),
  CHECK (((wire_days >= 1) AND (wire_days <= 3650)))
);

create table return_key (
  organization_id uuid not null,
  id uuid not null,
  buyer_id uuid not null,
  key_hash bytea not null,
  prefix text not null,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  UNIQUE (organization_id, key_hash),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, buyer_id) REFERENCES buyer(organization_id, id)
);

create table sale (
  organization_id uuid not null,
  lead_id uuid not null,
  sale_index smallint not null,
  vertical_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  publisher_id uuid not null,
  test boolean not null,
  revenue numeric(13,4) not null,
  payout numeric(13,4) not null,
  margin numeric(13,4) not null,
  bid numeric(13,4),
  post_price_differs boolean not null,
  buyer_ref text,
  PRIMARY KEY (organization_id, lead_id, sale_index),
  CHECK (((payout + margin) = revenue))
) partition by RANGE (lead_id);
CREATE INDEX sale_buyer_ref ON public.sale USING btree (organization_id, buyer_id, buyer_ref) WHERE (buyer_ref IS NOT NULL);
CREATE INDEX sale_buyer_tier ON public.sale USING btree (organization_id, buyer_tier_id, lead_id);
CREATE INDEX sale_other_price ON public.sale USING btree (organization_id, vertical_id, lead_id) INCLUDE (buyer_tier_id, bid, revenue, test) WHERE (post_price_differs AND (revenue <> bid));
CREATE INDEX sale_other_price_tier ON public.sale USING btree (organization_id, buyer_tier_id, lead_id) WHERE (post_price_differs AND (revenue <> bid));

create table sample_lead (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  fields bytea not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120)))
);
CREATE UNIQUE INDEX sample_lead_name ON public.sample_lead USING btree (organization_id, vertical_id, lower(name));

create table saved_view (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  page text not null,
  user_id uuid not null,
  user_name text not null,
  name text not null,
  search jsonb not null,
  shared boolean not null default false,
  removed_at timestamp with time zone,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 60)))
);
CREATE UNIQUE INDEX saved_view_name ON public.saved_view USING btree (organization_id, vertical_id, page, user_id, lower(name)) WHERE (removed_at IS NULL);

create table security_log (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid,
  user_name text not null,
  by_user_id uuid,
  by_name text,
  kind text not null,
  outcome text not null,
  factors text not null default ''::text,
  network text not null,
  device text not null,
  method text not null,
  route text not null,
  status_code smallint not null,
  code text not null default ''::text,
  more integer not null default 0,
  PRIMARY KEY (organization_id, id),
  CHECK ((kind = ANY (ARRAY['sign-in'::text, 'sign-out'::text, 'session-ended'::text, 'password'::text, 'two-factor'::text, 'link'::text, 'proof'::text, 'refusal'::text, 'limit'::text]))),
  CHECK ((more >= 0))
) partition by RANGE (id);

create table service (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  notes text not null default ''::text,
  endpoint jsonb not null,
  secrets bytea,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text])))
);
CREATE INDEX service_vertical ON public.service USING btree (organization_id, vertical_id);

create table service_call (
  organization_id uuid not null,
  lead_id uuid not null,
  call_index smallint not null,
  vertical_id uuid not null,
  service_id uuid not null,
  purpose text not null,
  subject_id uuid not null,
  test boolean not null,
  outcome text not null,
  started_at timestamp with time zone not null,
  elapsed_ms real not null,
  connect_ms real,
  wait_ms real,
  read_ms real,
  status_code smallint,
  wire bytea not null,
  PRIMARY KEY (organization_id, lead_id, call_index),
  CHECK ((outcome = ANY (ARRAY['passed'::text, 'refused'::text, 'error'::text, 'timeout'::text]))),
  CHECK ((purpose = ANY (ARRAY['p2c'::text, 'thirdParty'::text])))
) partition by RANGE (lead_id);
CREATE INDEX service_call_service ON public.service_call USING btree (organization_id, service_id, lead_id);

-- reference
create table session (
  token_hash bytea not null,
  user_id uuid not null,
  organization_id uuid,
  created_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  id uuid not null default gen_random_uuid(),
  stage text not null default 'full'::text,
  address text not null default ''::text,
  user_agent text not null default ''::text,
  credential_epoch integer not null default 0,
  proof jsonb not null default '{}'::jsonb,
  UNIQUE (id),
  PRIMARY KEY (token_hash),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  FOREIGN KEY (user_id) REFERENCES app_user(id) ON DELETE CASCADE,
  CHECK ((stage = ANY (ARRAY['mfa-setup'::text, 'mfa-code'::text, 'full'::text]))),
  CHECK ((char_length(user_agent) <= 300))
);
CREATE INDEX session_of_organization ON public.session USING btree (organization_id, seen_at);
CREATE INDEX session_of_user ON public.session USING btree (user_id);

create table settlement (
  organization_id uuid not null,
  lead_id uuid not null,
  buyer_tier_id uuid not null,
  outcome text not null,
  price numeric(13,4),
  via text not null,
  user_id uuid,
  user_name text,
  settled_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, lead_id, buyer_tier_id),
  CHECK ((outcome = ANY (ARRAY['bought'::text, 'notBought'::text]))),
  CHECK ((via = ANY (ARRAY['person'::text, 'postback'::text, 'expiry'::text])))
) partition by RANGE (lead_id);
CREATE INDEX settlement_when ON public.settlement USING btree (organization_id, settled_at);

create table simulated_answer (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  says text not null,
  price numeric(13,4),
  PRIMARY KEY (organization_id, buyer_tier_id),
  FOREIGN KEY (organization_id, buyer_tier_id) REFERENCES buyer_tier(organization_id, id),
  CHECK ((price > (0)::numeric)),
  CHECK ((says = ANY (ARRAY['buys'::text, 'rejects'::text, 'silent'::text, 'error'::text, 'recorded'::text])))
);

create table suppression_entry (
  organization_id uuid not null,
  list_id uuid not null,
  value_hash uuid not null,
  generation integer not null,
  expires_at timestamp with time zone,
  PRIMARY KEY (organization_id, list_id, value_hash),
  FOREIGN KEY (organization_id, list_id) REFERENCES suppression_list(organization_id, id)
);

create table suppression_list (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  holds text not null,
  field_name text,
  form text not null default 'plain'::text,
  country text not null default 'us'::text,
  entry_days integer,
  notes text not null default ''::text,
  entry_count integer not null default 0,
  generation integer not null default 0,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  CHECK ((country = ANY (ARRAY['us'::text, 'uk'::text]))),
  CHECK (((entry_days >= 1) AND (entry_days <= 3650))),
  CHECK ((form = ANY (ARRAY['plain'::text, 'md5'::text, 'sha1'::text, 'sha256'::text]))),
  CHECK ((holds = ANY (ARRAY['email'::text, 'phone'::text, 'text'::text]))),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);

create table team_member (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  role text not null,
  status text not null default 'active'::text,
  permissions jsonb not null default '[]'::jsonb,
  created_at timestamp with time zone not null default now(),
  invited_by uuid,
  invited_at timestamp with time zone,
  answered_at timestamp with time zone,
  seen_at timestamp with time zone,
  invited_email text,
  invited_first_name text not null default ''::text,
  invited_last_name text not null default ''::text,
  buyer_id uuid,
  publisher_id uuid,
  UNIQUE (organization_id, user_id),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (invited_by) REFERENCES app_user(id),
  FOREIGN KEY (organization_id, buyer_id) REFERENCES buyer(organization_id, id),
  FOREIGN KEY (organization_id) REFERENCES organization(id),
  FOREIGN KEY (organization_id, publisher_id) REFERENCES publisher(organization_id, id),
  FOREIGN KEY (user_id) REFERENCES app_user(id),
  CHECK ((num_nonnulls(buyer_id, publisher_id) <=
CASE
    WHEN (role = 'owner'::text) THEN 0
    ELSE 1
END)),
  CHECK ((char_length(invited_email) <= 254)),
  CHECK ((role = ANY (ARRAY['owner'::text, 'member'::text]))),
  CHECK ((status = ANY (ARRAY['invited'::text, 'active'::text, 'disabled'::text, 'rejected'::text, 'removed'::text])))
);
CREATE INDEX team_member_user ON public.team_member USING btree (user_id);

-- reference
create table throttle (
  name text not null,
  window_start timestamp with time zone not null,
  count integer not null,
  before integer not null default 0,
  ends_at timestamp with time zone not null,
  PRIMARY KEY (name)
);

create table throttled_tier (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  since timestamp with time zone not null,
  calls integer not null,
  failures integer not null,
  slow integer not null,
  look_back_minutes integer not null,
  PRIMARY KEY (organization_id, buyer_tier_id),
  FOREIGN KEY (organization_id, buyer_tier_id) REFERENCES buyer_tier(organization_id, id)
);

create table tree_draft (
  organization_id uuid not null,
  campaign_id uuid not null,
  groups jsonb not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  updated_by text not null,
  PRIMARY KEY (organization_id, campaign_id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaign(organization_id, id)
);

create table tree_group (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  position integer not null,
  name text not null,
  mode text not null,
  time_limit_ms integer,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaign(organization_id, id),
  CHECK ((mode = ANY (ARRAY['priority'::text, 'highestPrice'::text, 'auction'::text, 'roundRobin'::text, 'weighted'::text]))),
  CHECK (((time_limit_ms >= 50) AND (time_limit_ms <= 300000)))
);

create table tree_version (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  groups jsonb not null,
  published_by text not null,
  note text not null default ''::text,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, campaign_id) REFERENCES campaign(organization_id, id),
  CHECK ((char_length(note) <= 500))
);
CREATE INDEX tree_version_of_campaign ON public.tree_version USING btree (organization_id, campaign_id, id);

create table unmapped_value (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  target text not null,
  sends integer not null,
  since timestamp with time zone not null,
  last_at timestamp with time zone not null,
  PRIMARY KEY (organization_id, buyer_tier_id, target),
  FOREIGN KEY (organization_id, buyer_tier_id) REFERENCES buyer_tier(organization_id, id)
);

create table vertical (
  organization_id uuid not null,
  id uuid not null,
  region_id uuid not null,
  slug text not null,
  uid text not null,
  name text not null,
  primary_field text not null,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  status text not null default 'active'::text,
  UNIQUE (organization_id, region_id, slug),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, region_id) REFERENCES region(organization_id, id),
  CHECK ((slug ~ '^[a-z0-9-]{1,60}$'::text)),
  CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);

create table webhook (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active'::text,
  url text not null,
  events text[] not null,
  notes text not null default ''::text,
  secret_epoch integer not null default 1,
  failing_since timestamp with time zone,
  version integer not null default 1,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, vertical_id) REFERENCES vertical(organization_id, id),
  CHECK (((char_length(name) >= 1) AND (char_length(name) <= 120))),
  CHECK ((char_length(notes) <= 500)),
  CHECK ((status = ANY (ARRAY['active'::text, 'paused'::text, 'archived'::text]))),
  CHECK (((char_length(url) >= 1) AND (char_length(url) <= 2000)))
);

create table webhook_call (
  organization_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  lead_id uuid not null,
  event text not null,
  made_at timestamp with time zone not null,
  state text not null default 'due'::text,
  due_at timestamp with time zone not null,
  tries smallint not null default 0,
  last_at timestamp with time zone,
  status_code smallint,
  failure text,
  elapsed_ms real,
  taken_until timestamp with time zone,
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, webhook_id) REFERENCES webhook(organization_id, id),
  CHECK ((state = ANY (ARRAY['due'::text, 'told'::text, 'failed'::text])))
);
CREATE INDEX webhook_call_due ON public.webhook_call USING btree (organization_id, webhook_id, due_at) WHERE (state = 'due'::text);
CREATE INDEX webhook_call_of_webhook ON public.webhook_call USING btree (organization_id, webhook_id, id);
