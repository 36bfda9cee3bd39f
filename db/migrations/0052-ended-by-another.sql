-- A lead that somebody has settled a part of is not replaced by what its frozen node knows, and a node whose lead ended without it writes nothing of it at all:
-- neither what it booked is settled, nor its notes go, nor rows beside it come. Whoever sends the batch is told by the error SL001.
do $$
declare
  v_old text := (select pg_get_functiondef(oid) from pg_proc where proname = 'write_batch' and 'p_state' = any (proargnames));
  v_new text := v_old;
  v_change text[];
  v_before text;
begin
  foreach v_change slice 1 in array array[
    ['where x.reason = ''interrupted''', 'where x.reason = ''interrupted''
          and not exists (select from settlement d where d.organization_id = x.organization_id and d.lead_id = x.lead_id)'],
    ['into v_ended from ended;', 'into v_ended from ended;
    -- What this batch wrote before a commit whose answer was lost stands with the same time.
    if cardinality(v_ended) < cardinality(r_lead) and exists (select from unnest(r_lead, r_finished) as n (lead, finished)
        join lead_result r on r.organization_id = p_org and r.lead_id = n.lead where n.lead <> all (v_ended) and r.finished_at <> n.finished) then
      raise exception ''A lead of this batch was ended by another node.'' using errcode = ''SL001'';
    end if;
    -- Asked anew, now that the results are ours: a settlement may have been stored while they were waited for.
    if cardinality(v_ended) > 0 and exists (select from settlement d where d.organization_id = p_org and d.lead_id = any (v_ended)) then
      raise exception ''A lead of this batch was settled meanwhile.'' using errcode = ''SL001'';
    end if;']]
  loop
    v_before := v_new;
    v_new := replace(v_new, v_change[1], v_change[2]);
    if v_new = v_before then raise exception 'write_batch is not as it was expected: %', v_change[1]; end if;
  end loop;
  execute v_new;
end $$;
