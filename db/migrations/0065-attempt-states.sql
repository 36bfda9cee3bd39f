-- What buyers did is also kept of each state alone, and of all together (decision 0030). What a node of the version before counts would leave both behind: it cannot write
-- tallies of attempts any more, which leaves hours that have leads marked, and what is marked is read from its rows. Each table by itself, as in 0059.
alter table attempt_tally
  drop constraint attempt_tally_cube_check,
  add constraint attempt_tally_cube_check check (cube in ('all', 'state', 'buyer', 'place', 'full')) not valid,
  alter column campaign_id drop not null, alter column buyer_id drop not null, alter column buyer_tier_id drop not null,
  -- Which way of counting made the row.
  add column counting smallint not null default 2;
alter table attempt_tally alter column counting drop default, add constraint attempt_tally_counting_check check (counting = 2) not valid;
