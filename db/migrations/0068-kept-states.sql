-- What is kept already tells the new cubes (0065). No reader waits, and who makes partitions waits empty-handed: nodes of the version before cannot change what is summed up here.
select pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
alter table latency_tally validate constraint latency_tally_cube_check;
alter table attempt_tally validate constraint attempt_tally_cube_check, validate constraint attempt_tally_counting_check;
alter table lead_tally validate constraint lead_tally_cube_check, validate constraint lead_tally_counting_check;

insert into lead_tally (organization_id, vertical_id, grain, cube, hour_id, row_number, campaign_id, publisher_id, publisher_tier_id, variant_id, attempts, sold, rejected, terrors,
    timeouts, filtered, open, pings, bids, revenue, payout, margin, returned, returned_revenue, returned_payout, returned_margin, counting)
  select organization_id, vertical_id, grain, 'variant', hour_id, row_number() over (partition by organization_id, vertical_id, grain, hour_id), campaign_id, publisher_id,
    publisher_tier_id, variant_id, sum(attempts), sum(sold), sum(rejected), sum(terrors), sum(timeouts), sum(filtered), sum(open), sum(pings), sum(bids), sum(revenue), sum(payout),
    sum(margin), sum(returned), sum(returned_revenue), sum(returned_payout), sum(returned_margin), 3
  from lead_tally where cube = 'full' group by organization_id, vertical_id, grain, hour_id, campaign_id, publisher_id, publisher_tier_id, variant_id;

-- Those of a state from what tells more, and those of all from the states.
do $$
declare
  v_step record;
begin
  for v_step in select * from (values ('place', 'state', 'state', 'state, '), ('state', 'all', 'null::text', '')) as s (of_cube, to_cube, state, by_state) loop
    execute format('
      insert into attempt_tally (organization_id, vertical_id, grain, cube, hour_id, row_number, state, attempts, sold, rejected, terrors, timeouts, filtered, pings, bids, wins,
          sales, revenue, payout, margin, returned, returned_revenue, returned_payout, returned_margin, links, followed, counting)
        select organization_id, vertical_id, grain, %2$L, hour_id, row_number() over (partition by organization_id, vertical_id, grain, hour_id), %3$s, sum(attempts), sum(sold),
          sum(rejected), sum(terrors), sum(timeouts), sum(filtered), sum(pings), sum(bids), sum(wins), sum(sales), sum(revenue), sum(payout), sum(margin), sum(returned),
          sum(returned_revenue), sum(returned_payout), sum(returned_margin), sum(links), sum(followed), 2
        from attempt_tally where cube = %1$L group by %4$s organization_id, vertical_id, grain, hour_id', v_step.of_cube, v_step.to_cube, v_step.state, v_step.by_state);
    execute format('
      insert into latency_tally (organization_id, vertical_id, grain, cube, hour_id, row_number, state, leg, buckets, calls, sold, timeouts, terrors, revenue)
        select organization_id, vertical_id, grain, %2$L, hour_id, row_number() over (partition by organization_id, vertical_id, grain, hour_id), state, leg,
          array_agg(bucket order by bucket), array_agg(calls order by bucket), array_agg(sold order by bucket), array_agg(timeouts order by bucket),
          array_agg(terrors order by bucket), array_agg(revenue order by bucket)
        from (
          select t.organization_id, t.vertical_id, t.grain, t.hour_id, %3$s as state, t.leg, u.bucket, sum(u.calls) as calls, sum(u.sold) as sold, sum(u.timeouts) as timeouts,
            sum(u.terrors) as terrors, sum(u.revenue) as revenue
          from latency_tally t cross join lateral unnest(t.buckets, t.calls, t.sold, t.timeouts, t.terrors, t.revenue) as u (bucket, calls, sold, timeouts, terrors, revenue)
          where t.cube = %1$L group by %4$s t.organization_id, t.vertical_id, t.grain, t.hour_id, t.leg, u.bucket) as b
        group by organization_id, vertical_id, grain, hour_id, state, leg', v_step.of_cube, v_step.to_cube, v_step.state, v_step.by_state);
  end loop;
end $$;
