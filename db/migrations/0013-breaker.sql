-- A breaker per buyer tier: its setting, how its calls went by the minute, and whether it is open.

-- {failurePercent, minimumCalls, lookBackMinutes, pauseMinutes}; null: none.
alter table buyer_tier add column breaker jsonb;

-- One row a tier that has a breaker, from its first call on.
create table breaker (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  -- Calls that were begun before do not count.
  counted_from timestamptz not null default 'epoch',
  -- The pause that runs, or ran out: then it is half-open. All null while it is closed.
  opened_at timestamptz,
  open_until timestamptz,
  -- When it opened first since it was last closed, and what opened it.
  since timestamptz,
  calls int,
  failures int,
  look_back_minutes int,
  failed_probes int not null default 0,
  -- When somebody was told last.
  told_at timestamptz,
  primary key (organization_id, buyer_tier_id),
  foreign key (organization_id, buyer_tier_id) references buyer_tier (organization_id, id),
  check (num_nulls(opened_at, open_until, since, calls, failures, look_back_minutes) in (0, 6))
) with (fillfactor = 50);
select wall_off('breaker');

create table breaker_minute (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  minute timestamptz not null,
  calls int not null,
  failures int not null,
  primary key (organization_id, buyer_tier_id, minute)
) with (fillfactor = 50);
select wall_off('breaker_minute');
