-- A node that was taken for dead hands a lead that another has ended to no further buyer: neither is a place booked for it nor a post noted. Whoever asks is told by
-- the error SL001, as whoever brings a result.
do $$
declare
  v_ended constant text := 'raise exception ''A lead of this batch was ended by another node.'' using errcode = ''SL001'';';
  v_change text[];
  v_function record;
  v_old text;
  v_new text;
begin
  foreach v_change slice 1 in array array[
    ['book', '    earlier_at := null;
', '    earlier_at := null;

    if v_op ->> ''p'' = ''post'' and (select r.lead_id from lead_result r where r.organization_id = p_org and r.lead_id = v_lead limit 1) is not null then
      ' || v_ended || '
    end if;
'],
    ['write_batch', '  if cardinality(p_intent_lead) > 0 then
', '  if cardinality(p_intent_lead) > 0 then
    if exists (select from unnest(p_intent_lead) as n (l)
        where (select r.lead_id from lead_result r where r.organization_id = p_org and r.lead_id = n.l limit 1) is not null) then
      ' || v_ended || '
    end if;
']]
  loop
    v_old := null;
    for v_function in select pg_get_functiondef(oid) as body from pg_proc where proname = v_change[1] and pronamespace = 'public'::regnamespace loop
      v_old := v_function.body;
      v_new := replace(v_old, v_change[2], v_change[3]);
      if v_new = v_old then raise exception '% is not as it was expected', v_change[1]; end if;
      execute v_new;
    end loop;
    if v_old is null then raise exception '% is missing', v_change[1]; end if;
  end loop;
end $$;
