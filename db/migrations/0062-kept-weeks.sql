-- What is kept already tells weeks and sub ids (0061). No reader waits, and who makes partitions waits empty-handed: nodes of the version before cannot change what is summed up here.
select pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
alter table latency_tally validate constraint latency_tally_grain_check;
alter table attempt_tally validate constraint attempt_tally_grain_check;
alter table lead_tally validate constraint lead_tally_grain_check, validate constraint lead_tally_cube_check, validate constraint lead_tally_counting_check;

-- A sub id's rows are those of the cube that knows more.
insert into lead_tally (organization_id, vertical_id, grain, cube, hour_id, row_number, campaign_id, publisher_id, publisher_tier_id, sub_id, attempts, sold, rejected, terrors,
    timeouts, filtered, open, pings, bids, revenue, payout, margin, returned, returned_revenue, returned_payout, returned_margin, counting)
  select organization_id, vertical_id, grain, 'sub', hour_id, row_number() over (partition by organization_id, vertical_id, grain, hour_id), campaign_id, publisher_id,
    publisher_tier_id, sub_id, sum(attempts), sum(sold), sum(rejected), sum(terrors), sum(timeouts), sum(filtered), sum(open), sum(pings), sum(bids), sum(revenue), sum(payout),
    sum(margin), sum(returned), sum(returned_revenue), sum(returned_payout), sum(returned_margin), 2
  from lead_tally where cube = 'full' group by organization_id, vertical_id, grain, hour_id, campaign_id, publisher_id, publisher_tier_id, sub_id;

-- A week, from Monday to Monday by UTC, is the sum of its stretches where none of its hours is still to be counted.
insert into report_week (organization_id, week_id, is_kept, changed_at)
  select p.organization_id, uuid7_floor(w), uuid7_floor(w + interval '7 days') <= p.rolled_before and not exists (
      select from report_mark m where m.organization_id = p.organization_id and m.hour_id >= uuid7_floor(w) and m.hour_id < uuid7_floor(w + interval '7 days')), now()
  from report_progress p
  cross join lateral (select distinct date_trunc('week', uuid7_instant(t.hour_id), 'UTC') as w from lead_tally t where t.organization_id = p.organization_id and t.grain = 'day') as weeks;
do $$
declare
  v_kept record;
begin
  for v_kept in
    select t.name, t.folded,
      string_agg(format('t.%I', c.column_name), ', ') filter (where c.is_key) as keys,
      string_agg(format('%I', c.column_name), ', ' order by c.ordinal_position) filter (where c.is_key) as key_names,
      string_agg(format('%I', c.column_name), ', ' order by c.ordinal_position) filter (where c.is_sum) as sum_names,
      string_agg(format('sum(%I)', c.column_name), ', ' order by c.ordinal_position) filter (where c.is_sum) as sums,
      string_agg(format('t.%I', c.column_name), ', ' order by c.ordinal_position) filter (where c.is_sum) as arrays,
      string_agg(format('array_agg(%I order by bucket)', c.column_name), ', ' order by c.ordinal_position) filter (where c.is_sum) as folds
    from (values ('lead_tally', false), ('attempt_tally', false), ('latency_tally', true)) as t (name, folded)
    cross join lateral (
      select c.column_name, c.ordinal_position,
        c.data_type in ('uuid', 'text') or c.column_name = 'filter_key' as is_key,
        c.data_type in ('integer', 'numeric') or c.data_type = 'ARRAY' and c.column_name <> 'buckets' as is_sum
      from information_schema.columns c
      where c.table_schema = 'public' and c.table_name = t.name
        and c.column_name not in ('organization_id', 'vertical_id', 'grain', 'cube', 'hour_id', 'row_number', 'counting')) as c
    group by t.name, t.folded
  loop
    if v_kept.folded then
      execute format(
        'with week as (select organization_id, week_id as from_id, uuid7_floor(uuid7_instant(week_id) + interval ''7 days'') as to_id from report_week where is_kept)
        insert into %1$I (organization_id, vertical_id, grain, cube, hour_id, row_number, %2$s, buckets, %3$s)
          select organization_id, vertical_id, ''week'', cube, from_id, row_number() over (partition by organization_id, vertical_id, cube, from_id), %2$s,
            array_agg(bucket order by bucket), %4$s
          from (select t.organization_id, t.vertical_id, t.cube, w.from_id, %5$s, u.bucket, %6$s
            from week w join %1$I t on t.organization_id = w.organization_id and t.grain = ''day'' and t.hour_id >= w.from_id and t.hour_id < w.to_id
            cross join lateral unnest(t.buckets, %7$s) as u (bucket, %3$s)
            group by t.organization_id, t.vertical_id, t.cube, w.from_id, %5$s, u.bucket) as b
          group by organization_id, vertical_id, cube, from_id, %2$s',
        v_kept.name, v_kept.key_names, v_kept.sum_names, v_kept.folds, v_kept.keys,
        (select string_agg(format('sum(u.%1$s) as %1$s', trim(n)), ', ') from unnest(string_to_array(v_kept.sum_names, ',')) n), v_kept.arrays);
    else
      execute format(
        'with week as (select organization_id, week_id as from_id, uuid7_floor(uuid7_instant(week_id) + interval ''7 days'') as to_id from report_week where is_kept)
        insert into %1$I (organization_id, vertical_id, grain, cube, hour_id, row_number, %2$s, %3$s%5$s)
          select t.organization_id, t.vertical_id, ''week'', t.cube, w.from_id, row_number() over (partition by t.organization_id, t.vertical_id, t.cube, w.from_id), %2$s, %4$s%6$s
          from week w join %1$I t on t.organization_id = w.organization_id and t.grain = ''day'' and t.hour_id >= w.from_id and t.hour_id < w.to_id
          group by t.organization_id, t.vertical_id, t.cube, w.from_id, %2$s',
        v_kept.name, v_kept.key_names, v_kept.sum_names, v_kept.sums,
        case v_kept.name when 'lead_tally' then ', counting' else '' end, case v_kept.name when 'lead_tally' then ', 2' else '' end);
    end if;
  end loop;
end $$;
