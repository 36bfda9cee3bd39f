-- What makes an auction one to trust: answers that are read as they were, buyers that hear that they lost, and tiers that get less while they are unwell.

-- Answers of buyers that are kept with what must be read in them.
create table answer_sample (
  organization_id uuid not null,
  id uuid not null,
  buyer_tier_id uuid not null,
  name text not null,
  leg text not null check (leg in ('ping', 'post')),
  -- Sealed: status, headers and body; outcome, price, reason and redirect.
  answer bytea not null,
  expected bytea not null,
  status text not null default 'active' check (status in ('active', 'archived')),
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, buyer_tier_id) references buyer_tier (organization_id, id)
);
create index answer_sample_buyer_tier on answer_sample (organization_id, buyer_tier_id);
select wall_off('answer_sample');

-- The loss notice of the tier may tell what the winner pays.
alter table buyer_tier add column tell_winning_price boolean not null default false;

-- A buyer tier that was outbid and is to be told so. Due in the statement that writes the lead's result; sent afterwards, once.
create table loss_notice (
  organization_id uuid not null,
  lead_id uuid not null,
  buyer_tier_id uuid not null,
  group_id uuid not null,
  vertical_id uuid not null,
  -- What it bid, where it was asked for a bid, and what the winner pays.
  bid numeric(13, 4),
  winning numeric(13, 4) not null,
  due_at timestamptz not null,
  -- All null until it was sent; a row that stays so is of a node that stopped.
  outcome text check (outcome in ('told', 'refused', 'error', 'timeout', 'dropped')),
  started_at timestamptz,
  elapsed_ms real,
  connect_ms real,
  wait_ms real,
  read_ms real,
  status_code smallint,
  -- Sealed.
  wire bytea,
  primary key (organization_id, lead_id, buyer_tier_id)
) partition by range (lead_id);
select wall_off('loss_notice');

-- {sharePercent, failurePercent, slow: {afterMs, percent}, minimumCalls, lookBackMinutes}, of failurePercent and slow one at least; null: none.
alter table buyer_tier add column throttle jsonb;

-- Of the calls of that minute, those that took longer than the tier's throttle allows.
alter table breaker_minute add column slow int not null default 0;

-- One row a tier that gets a share of its leads only, with what began it.
create table throttled_tier (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  since timestamptz not null,
  calls int not null,
  failures int not null,
  slow int not null,
  look_back_minutes int not null,
  primary key (organization_id, buyer_tier_id),
  foreign key (organization_id, buyer_tier_id) references buyer_tier (organization_id, id)
);
select wall_off('throttled_tier');
