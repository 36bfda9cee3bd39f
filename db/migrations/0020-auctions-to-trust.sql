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
