-- As 0065: variants have a cube of their own too, beside which neither sub ids nor reasons are told.
alter table lead_tally
  drop constraint lead_tally_cube_check,
  add constraint lead_tally_cube_check check (cube in ('source', 'variant', 'place', 'sub', 'full')) not valid;
