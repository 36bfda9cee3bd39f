-- The demo world of this installation, where it was asked for: one row, made before anything else of it and finished last,
-- so that a seeding that was killed is known and made anew.
create table demo_world (
  only_one boolean primary key default true check (only_one),
  -- What belongs to it, and may be cleared with it.
  organization_ids uuid[] not null,
  -- The simulated buyers listen here and decide by this seed.
  market_port int not null check (market_port between 1 and 65535),
  market_seed int not null,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
comment on table demo_world is 'reference';
