-- As 0065. A node of the version before counts attempts first.
alter table latency_tally
  drop constraint latency_tally_cube_check,
  add constraint latency_tally_cube_check check (cube in ('all', 'buyer', 'state', 'source', 'place', 'full')) not valid;
