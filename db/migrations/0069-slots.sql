-- The running hour is counted as well, by slots of five minutes, so that reports read only its last minutes from the rows (decision 0030). Slots lie in tables of their own,
-- which hold some hours and are emptied again: on a copy of the database nobody should wait for them to be cut shorter. A node of the version before knows none: it reads the
-- running hour from its rows, and what it has counted stays right beside them.
create table lead_slot (like lead_tally including constraints including indexes) with (vacuum_truncate = off);
alter table lead_slot drop constraint lead_tally_grain_check, add constraint lead_slot_grain_check check (grain = 'slot');
create table attempt_slot (like attempt_tally including constraints including indexes) with (vacuum_truncate = off);
alter table attempt_slot drop constraint attempt_tally_grain_check, add constraint attempt_slot_grain_check check (grain = 'slot');
create table latency_slot (like latency_tally including constraints including indexes) with (vacuum_truncate = off);
alter table latency_slot drop constraint latency_tally_grain_check, add constraint latency_slot_grain_check check (grain = 'slot');
select wall_off('lead_slot'), wall_off('attempt_slot'), wall_off('latency_slot');

-- Counted are the slots from the one to before the other, but for those that are marked. They are right whatever is said of the hour that they lie in.
create table report_slots (
  organization_id uuid not null,
  from_id uuid not null,
  before_id uuid not null,
  primary key (organization_id)
);
-- As report_mark, of a slot.
create table report_slot_mark (
  organization_id uuid not null,
  slot_id uuid not null,
  id uuid not null,
  primary key (organization_id, slot_id, id)
) with (vacuum_truncate = off);
select wall_off('report_slots'), wall_off('report_slot_mark');

create function uuid7_slot(id uuid) returns uuid language sql immutable strict parallel safe as $$
  select uuid7_floor(to_timestamp(floor(extract(epoch from uuid7_instant(id)) / 300) * 300))
$$;
comment on function uuid7_slot is 'The least UUID version 7 of the five minutes in which an id was made.';

-- Marks the hour of a lead where hours were counted up to there, and its slot where it lies in one that was. An hour itself, as visits of pages name it, has no slot.
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
    from report_progress p left join report_slots s on s.organization_id = p.organization_id where p.organization_id = p_org;
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
