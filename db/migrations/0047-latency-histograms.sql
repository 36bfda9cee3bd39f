-- How long calls take is kept as one row a histogram, not a row a bucket: a twentieth of the rows, and of the writing (decision 0030).
drop table latency_tally;

-- Of one hour or stretch (lead_tally says more). What fell in buckets[n] are calls[n] calls, of them sold[n], timeouts[n] and terrors[n]; empty buckets are left
-- out. Bucket -1: nobody knows how long the call took.
create table latency_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null check (grain in ('hour', 'day')),
  cube text not null check (cube in ('buyer', 'source', 'place', 'full')),
  hour_id uuid not null,
  row_number int not null,
  campaign_id uuid,
  publisher_id uuid,
  publisher_tier_id uuid,
  variant_id uuid,
  state text,
  group_id uuid,
  buyer_id uuid,
  buyer_tier_id uuid,
  leg text not null check (leg in ('ping', 'post', 'redirect')),
  buckets smallint[] not null check (cardinality(buckets) > 0),
  calls int[] not null check (cardinality(calls) = cardinality(buckets)),
  sold int[] not null check (cardinality(sold) = cardinality(buckets)),
  timeouts int[] not null check (cardinality(timeouts) = cardinality(buckets)),
  terrors int[] not null check (cardinality(terrors) = cardinality(buckets)),
  primary key (organization_id, vertical_id, grain, cube, hour_id, row_number)
) partition by range (hour_id);
select wall_off('latency_tally');

-- Every month that has leads or visits, and those to come.
select ensure_month_partitions(month) from (
  select to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'lead'::regclass) as months;

-- All is counted anew; reports read rows until it is. A node of the version before cannot count what it would count wrong, and leaves its marks.
delete from report_mark;
delete from report_progress;
