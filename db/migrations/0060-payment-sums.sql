-- Payments of an hour in all, by processor alone: what charts and totals are made of. A node of the version before would leave it behind, and cannot count payments any
-- more: it answers what processors report with an error, and they report it again.
alter table payment_hour
  drop constraint payment_hour_cube_check,
  add constraint payment_hour_cube_check check (cube in ('sum', 'wide', 'bin')),
  -- Which way of counting made the row.
  add column counting smallint not null default 2 check (counting = 2);
alter table payment_hour alter column counting drop default;

insert into payment_hour (organization_id, vertical_id, cube, hour_at, processor_id, move, bin, reason, campaign_id, publisher_id, publisher_tier_id, buyer_id, buyer_tier_id,
    currency, attempts, approved, declined, refunds, chargebacks, approved_sum, refunded_sum, charged_back_sum, counting)
  select organization_id, vertical_id, 'sum', hour_at, processor_id, 0, '', '', nobody, nobody, nobody, nobody, nobody, currency, sum(attempts), sum(approved), sum(declined),
    sum(refunds), sum(chargebacks), sum(approved_sum), sum(refunded_sum), sum(charged_back_sum), 2
  from payment_hour cross join (values ('00000000-0000-0000-0000-000000000000'::uuid)) as n (nobody)
  where cube = 'wide' group by organization_id, vertical_id, hour_at, processor_id, currency, nobody having sum(attempts) > 0;
