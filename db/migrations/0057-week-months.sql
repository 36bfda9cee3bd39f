-- What is counted is kept by the week as well (0062). A week begins on Monday, maybe in a month that nothing else has come from: the tables that have weeks get that month's
-- partitions, and no others, which whoever writes leads would wait for.
create function ensure_week_partitions(week uuid) returns void language plpgsql as $$
declare
  v_month date := date_trunc('month', uuid7_instant(week) at time zone 'UTC');
  v_table text;
begin
  if to_regclass('lead_tally_' || to_char(v_month, 'YYYY_MM')) is not null then return; end if;
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
  foreach v_table in array array['attempt_tally', 'latency_tally', 'lead_tally'] loop
    if to_regclass(v_table || '_' || to_char(v_month, 'YYYY_MM')) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)', v_table || '_' || to_char(v_month, 'YYYY_MM'), v_table,
        uuid7_floor(v_month::timestamp at time zone 'UTC'), uuid7_floor((v_month + interval '1 month')::timestamp at time zone 'UTC'));
    end if;
  end loop;
end $$;
comment on function ensure_week_partitions is 'Makes the partitions for a week that begins in a month which has none.';

select ensure_week_partitions(uuid7_floor(date_trunc('week', uuid7_instant(l.id), 'UTC')))
  from organization o cross join lateral (select l.id from lead l where l.organization_id = o.id order by l.id limit 1) as l;
