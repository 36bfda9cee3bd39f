-- Reports count hours that are over from what is kept of each here, and all else from the rows themselves (decision 0024).

create function uuid7_hour(id uuid) returns uuid language sql immutable strict parallel safe as $$
  select uuid7_floor(to_timestamp(floor(extract(epoch from uuid7_instant(id)) / 3600) * 3600))
$$;
comment on function uuid7_hour is 'The least UUID version 7 of the hour in which an id was made.';

-- Leads before it are counted in the tables below, but for those of marked hours. An hour is named by its least id.
create table report_progress (
  organization_id uuid not null,
  rolled_before uuid not null,
  primary key (organization_id)
);
select wall_off('report_progress');

-- One row a reason to count an hour (again); gone with the count. Until then reports read that hour's own rows.
create table report_mark (
  organization_id uuid not null,
  hour_id uuid not null,
  id uuid not null,
  primary key (organization_id, hour_id, id)
);
-- The newest are counted first, whoever's they are.
create index report_mark_hour on report_mark (hour_id);
select wall_off('report_mark');

-- Called by whatever writes or changes rows of leads, in its own transaction. Its number is drawn before the progress is read: who moves the
-- progress on waits for the end of every transaction whose number is lower, and so for each that may not have seen it move.
create function mark_report(p_org uuid, p_leads uuid[]) returns void language plpgsql as $$
declare
  v_before uuid;
begin
  if cardinality(p_leads) = 0 then return; end if;
  perform pg_current_xact_id();
  select p.rolled_before into v_before from report_progress p where p.organization_id = p_org;
  -- Nearly always: every batch of leads comes by here.
  if v_before is null or v_before <= all (p_leads) then return; end if;
  insert into report_mark (organization_id, hour_id, id)
    select p_org, late.hour_id, gen_random_uuid()
    from (select distinct uuid7_hour(n.lead_id) as hour_id from unnest(p_leads) as n (lead_id) where n.lead_id < v_before) as late;
end $$;

-- Leads: how many there were of each kind, and what they brought. A ping is a row whose outcome is bid or noBid.
create table lead_hour (
  organization_id uuid not null,
  vertical_id uuid not null,
  hour_id uuid not null,
  row_number int not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  sub_id text not null,
  variant_id uuid,
  outcome text not null check (outcome in ('sold', 'rejected', 'terrors', 'timeouts', 'filtered', 'open', 'bid', 'noBid')),
  reason text not null,
  leads int not null,
  revenue numeric(19, 4) not null,
  payout numeric(19, 4) not null,
  margin numeric(19, 4) not null,
  returned int not null,
  returned_revenue numeric(19, 4) not null,
  returned_payout numeric(19, 4) not null,
  returned_margin numeric(19, 4) not null,
  primary key (organization_id, vertical_id, hour_id, row_number)
) partition by range (hour_id);
select wall_off('lead_hour');

-- Buyer tiers tried for leads. An outcome of '' is a tier that was only asked for a bid.
create table attempt_hour (
  organization_id uuid not null,
  vertical_id uuid not null,
  hour_id uuid not null,
  row_number int not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  variant_id uuid,
  group_id uuid,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  outcome text not null check (outcome in ('sold', 'rejected', 'terrors', 'timeouts', 'filtered', '')),
  -- The filter reason key (console §4); 0 where nothing filtered.
  filter_key smallint not null,
  attempts int not null,
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
  primary key (organization_id, vertical_id, hour_id, row_number)
) partition by range (hour_id);
select wall_off('attempt_hour');

-- How long calls of buyers took, and consumers to follow their link: how many fell in each bucket (latency_bucket).
create table latency_hour (
  organization_id uuid not null,
  vertical_id uuid not null,
  hour_id uuid not null,
  row_number int not null,
  campaign_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  leg text not null check (leg in ('ping', 'post', 'redirect')),
  outcome text not null,
  bucket smallint not null,
  calls int not null,
  primary key (organization_id, vertical_id, hour_id, row_number)
) partition by range (hour_id);
select wall_off('latency_hour');

create function latency_bucket(ms double precision) returns smallint language sql immutable strict parallel safe as $$
  select floor(8 * ln(greatest(ms, 1)) / ln(2::double precision))::smallint
$$;
comment on function latency_bucket is 'Eight buckets an octave: a time is told to within 4.5 percent by the middle of its bucket.';

-- Every month that has leads, and those to come.
select ensure_month_partitions(to_date(right(c.relname, 7), 'YYYY_MM'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'lead'::regclass;

-- write_batch marks the hours of its leads: those that are late, and none in the hour at hand.
do $$
declare
  v_old text := pg_get_functiondef('write_batch'::regproc);
  v_new text := regexp_replace(v_old, 'begin\s+if cardinality\(p_lead\) > 0 then', E'begin\n  perform mark_report(p_org, p_lead || r_lead);\n  if cardinality(p_lead) > 0 then');
begin
  if v_new = v_old then raise exception 'write_batch is not as it was expected'; end if;
  execute v_new;
end $$;
