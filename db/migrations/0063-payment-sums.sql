-- Payments of an hour in all, by processor alone: what charts and totals are made of.
alter table payment_hour drop constraint payment_hour_cube_check,
  add constraint payment_hour_cube_check check (cube in ('sum', 'wide', 'bin')) not valid;

-- A node of the version before counts on without them while nodes are renewed one after the other, a day at most; and a payment is told of up to a day before it is tried.
-- Sums are read of hours that no such node can have counted. In an empty database there is none.
do $$
declare
  v_from text := case when exists (select from organization)
    then to_char((date_trunc('hour', now(), 'UTC') + interval '73 hours') at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') else '-infinity' end;
begin
  execute format('create function payment_sums_from() returns timestamptz language sql immutable parallel safe as %L', format('select %L::timestamptz', v_from));
end $$;
comment on function payment_sums_from is 'Sums by processor are kept of payments that were tried from this hour on.';
