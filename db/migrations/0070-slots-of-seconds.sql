-- Slots are of ten seconds in place of five minutes, so that a peak can be counted within seconds (decision 0030). How far they were counted stands in a table of another name:
-- a node of the version before, which knows of five minutes alone, shall not take these for its own (0071). None of those counts until that is
-- applied too, by the same connection, and what they have counted by slots is let go in the same moment in which it is marked no more.
select pg_advisory_lock(hashtext('sluice reports'));
delete from report_slots;
create table report_slot_progress (
  organization_id uuid not null,
  from_id uuid not null,
  before_id uuid not null,
  primary key (organization_id)
);
select wall_off('report_slot_progress');

create or replace function uuid7_slot(id uuid) returns uuid language sql immutable strict parallel safe as $$
  select uuid7_floor(to_timestamp(floor(extract(epoch from uuid7_instant(id)) / 10) * 10))
$$;
comment on function uuid7_slot is 'The least UUID version 7 of the ten seconds in which an id was made.';

-- As in 0069, by the new table.
create or replace function mark_report(p_org uuid, p_leads uuid[]) returns void language plpgsql as $$
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
end $$;
