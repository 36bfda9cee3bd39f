-- What reports count is kept in several cubes, by the hour and by stretches of days, so that a report costs what it shows (decision 0030).

-- The state or nation a lead came from, as a plain code; '' where its vertical has no such field, and of leads from before this column.
alter table lead add column state text not null default '';

-- write_batch with the states of new leads. The one without them stays for nodes of the version before.
do $$
declare
  v_old text := pg_get_functiondef('write_batch'::regproc);
  v_new text := v_old;
  v_change text[];
  v_before text;
begin
  foreach v_change slice 1 in array array[
    ['p_sub text[], ', 'p_sub text[], p_state text[], '],
    ['sub_id, mode, test, ping_id, node_id, fields)', 'sub_id, state, mode, test, ping_id, node_id, fields)'],
    ['n.sub, n.mode', 'n.sub, n.state, n.mode'],
    ['p_sub, p_mode, p_test', 'p_sub, p_state, p_mode, p_test'],
    ['tier, sub, mode, test, ping, at, len', 'tier, sub, state, mode, test, ping, at, len']]
  loop
    v_before := v_new;
    v_new := replace(v_new, v_change[1], v_change[2]);
    if v_new = v_before then raise exception 'write_batch is not as it was expected: %', v_change[1]; end if;
  end loop;
  execute v_new;
end $$;

-- A row is of one cube and one grain: of an hour, or of the hours between two midnights of any reporting zone ("day"); hour_id is the least id
-- of the first hour. Keys that the cube does not tell are null (server/report/cubes.ts).
create table lead_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null check (grain in ('hour', 'day')),
  cube text not null check (cube in ('source', 'place', 'full')),
  hour_id uuid not null,
  row_number int not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  sub_id text,
  variant_id uuid,
  state text,
  reason text,
  -- Leads, and what became of them (console §3); bare pings are counted apart from them.
  attempts int not null,
  sold int not null,
  rejected int not null,
  terrors int not null,
  timeouts int not null,
  filtered int not null,
  open int not null,
  pings int not null,
  bids int not null,
  revenue numeric(19, 4) not null,
  payout numeric(19, 4) not null,
  margin numeric(19, 4) not null,
  returned int not null,
  returned_revenue numeric(19, 4) not null,
  returned_payout numeric(19, 4) not null,
  returned_margin numeric(19, 4) not null,
  primary key (organization_id, vertical_id, grain, cube, hour_id, row_number)
) partition by range (hour_id);
select wall_off('lead_tally');

-- Buyer tiers tried for leads; one that was only asked for a bid is no attempt.
create table attempt_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null check (grain in ('hour', 'day')),
  cube text not null check (cube in ('buyer', 'place', 'full')),
  hour_id uuid not null,
  row_number int not null,
  campaign_id uuid not null,
  publisher_id uuid,
  publisher_tier_id uuid,
  variant_id uuid,
  state text,
  group_id uuid,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  -- The filter reason key (console §4); 0 where nothing filtered.
  filter_key smallint,
  attempts int not null,
  sold int not null,
  rejected int not null,
  terrors int not null,
  timeouts int not null,
  filtered int not null,
  pings int not null,
  bids int not null,
  wins int not null,
  sales int not null,
  revenue numeric(19, 4) not null,
  payout numeric(19, 4) not null,
  margin numeric(19, 4) not null,
  returned int not null,
  returned_revenue numeric(19, 4) not null,
  returned_payout numeric(19, 4) not null,
  returned_margin numeric(19, 4) not null,
  links int not null,
  followed int not null,
  primary key (organization_id, vertical_id, grain, cube, hour_id, row_number)
) partition by range (hour_id);
select wall_off('attempt_tally');

-- How long calls of buyers took, and consumers to follow their link: how many fell in each bucket (latency_bucket).
create table latency_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null check (grain in ('hour', 'day')),
  cube text not null check (cube in ('buyer', 'full')),
  hour_id uuid not null,
  row_number int not null,
  campaign_id uuid,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  leg text not null check (leg in ('ping', 'post', 'redirect')),
  bucket smallint not null,
  calls int not null,
  sold int not null,
  timeouts int not null,
  primary key (organization_id, vertical_id, grain, cube, hour_id, row_number)
) partition by range (hour_id);
select wall_off('latency_tally');

drop table lead_hour, attempt_hour, latency_hour;

-- Every month that has leads, and those to come.
select ensure_month_partitions(to_date(right(c.relname, 7), 'YYYY_MM'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'lead'::regclass;

-- All is counted anew; reports read rows until it is.
delete from report_mark;
delete from report_progress;
