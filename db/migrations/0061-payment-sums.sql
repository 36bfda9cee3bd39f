-- Payments of an hour in all, by processor alone: what charts and totals are made of.
alter table payment_hour drop constraint payment_hour_cube_check,
  add constraint payment_hour_cube_check check (cube in ('sum', 'wide', 'bin')) not valid;

-- A node of the version before counts on without them while nodes are renewed one after the other. It counts no payment of tomorrow: from then on sums are read.
do $$
begin
  execute format('create function payment_sums_from() returns timestamptz language sql immutable parallel safe as %L',
    format('select %L::timestamptz', case when exists (select from payment_hour) then (date_trunc('hour', now(), 'UTC') + interval '25 hours')::text else '-infinity' end));
end $$;
comment on function payment_sums_from is 'Sums by processor are kept of payments that were tried from this hour on.';
