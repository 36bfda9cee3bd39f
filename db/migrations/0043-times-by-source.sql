-- How long calls take is told by publisher, publisher tier, variant, group and state as well, each in a cube that tells no more than it must (decision 0030).
alter table latency_tally
  add column publisher_id uuid, add column publisher_tier_id uuid, add column variant_id uuid, add column group_id uuid, add column state text,
  alter column buyer_id drop not null, alter column buyer_tier_id drop not null,
  drop constraint latency_tally_cube_check,
  add constraint latency_tally_cube_check check (cube in ('buyer', 'source', 'place', 'full'));

-- All is counted anew; reports read rows until it is.
delete from report_mark;
delete from report_progress;
