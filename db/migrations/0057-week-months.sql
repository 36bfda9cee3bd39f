-- What is counted is kept by the week as well (0060). A week begins on Monday, maybe in a month that nothing else has come from; its partitions are made apart, since
-- that stops whoever writes leads until it is done.
select ensure_month_partitions(m::date) from (select distinct date_trunc('month', w) as m from (
    select date_trunc('week', uuid7_instant(l.id), 'UTC') at time zone 'UTC' as w from organization o
      cross join lateral (select l.id from lead l where l.organization_id = o.id order by l.id limit 1) as l) as weeks) as months
  where to_regclass('lead_tally_' || to_char(m, 'YYYY_MM')) is null;
