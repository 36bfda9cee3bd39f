-- As 0059; and sub ids have a cube of their own. What a node of the version before counts would leave both behind: it cannot write tallies of leads any more, which leaves
-- hours that have leads marked, and what is marked is read from its rows.
alter table lead_tally
  drop constraint lead_tally_grain_check,
  add constraint lead_tally_grain_check check (grain in ('hour', 'day', 'week')) not valid,
  drop constraint lead_tally_cube_check,
  add constraint lead_tally_cube_check check (cube in ('source', 'place', 'sub', 'full')) not valid,
  -- Which way of counting made the row.
  add column counting smallint not null default 2;
alter table lead_tally alter column counting drop default, add constraint lead_tally_counting_check check (counting = 2) not valid;

-- Weeks from Monday to Monday by UTC in which something was counted. One is read where it is kept and none of its hours is marked; a node of the version before keeps none,
-- so that what it says to have counted is never taken for a week.
create table report_week (
  organization_id uuid not null,
  week_id uuid not null,
  -- False from when one of its hours is counted until they are summed up.
  is_kept boolean not null,
  changed_at timestamptz not null,
  primary key (organization_id, week_id)
);
select wall_off('report_week');
