-- Caps and duplicate windows are decided here and nowhere else: one call books a whole batch, in order, exactly.
--
-- Every counter and fingerprint of the batch is locked first, in one order that all callers share, so that batches of
-- several nodes queue instead of deadlocking; then the operations run one by one on local copies; then what changed is
-- written once. A hot counter therefore costs one row lock per batch, not per lead.
--
-- p_ops: [{k: 'r', e, f, l, s, p, c: [[counter index, limit, amount]], d: [print index], q: since, t: take, b: a release takes them off again, h: hold}
--         {k: 'x' release | 's' settle, l, s, p, c: [[counter index, amount]], d: [print index]}]
--   e  effect number: reservations of one effect follow each other; f: grant only the first that fits
--   h  keep a reservation row until released or settled
-- p_lost: leads of this batch that lost an idempotency race and are not stored; nothing is booked for them.
-- Indexes count from 1 into p_counters (distinct, sorted) and p_prints (distinct, sorted by scope and print).
-- p_retry: the same batch was sent before and may have been committed.
-- Returns one row per reservation that was looked at.

alter table counter alter column counter type text collate "C";

create function book(
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
    v_before := v_used;
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
          v_used[(v_claim ->> 0)::int] := greatest(0, v_used[(v_claim ->> 0)::int] + (v_claim ->> 1)::bigint);
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
    update counter set used = n.u from unnest(p_counters, v_used, v_before) as n (c, u, b)
      where organization_id = p_org and counter.counter = n.c and n.u <> n.b;
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
