-- As 0065: variants have a cube of their own too, beside which neither sub ids nor reasons are told. And of hours in which leads came and nobody was asked a node of the version
-- before writes these tallies alone: it cannot any more.
alter table lead_tally
  drop constraint lead_tally_cube_check,
  add constraint lead_tally_cube_check check (cube in ('source', 'variant', 'place', 'sub', 'full')) not valid,
  drop column counting,
  add column counting smallint not null default 3;
alter table lead_tally alter column counting drop default, add constraint lead_tally_counting_check check (counting = 3) not valid;
