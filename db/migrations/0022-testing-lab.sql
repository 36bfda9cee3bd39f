-- The testing lab: leads to try things with, what simulated buyers answer, replays of stored leads, and links to the eligibility checker.

create table sample_lead (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  -- Values by field name, sealed: somebody may have typed a person's.
  fields bytea not null,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
create unique index sample_lead_name on sample_lead (organization_id, vertical_id, lower(name));
select wall_off('sample_lead');

-- What a buyer tier says in the lab when its buyer is simulated, as it was set last; a tier without a row buys.
create table simulated_answer (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  says text not null check (says in ('buys', 'rejects', 'silent', 'error', 'recorded')),
  price numeric(13, 4) check (price > 0),
  primary key (organization_id, buyer_tier_id),
  foreign key (organization_id, buyer_tier_id) references buyer_tier (organization_id, id)
);
select wall_off('simulated_answer');

create table replay (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  campaign_id uuid not null,
  person_id uuid not null,
  status text not null default 'waiting' check (status in ('waiting', 'running', 'done', 'failed', 'cancelled')),
  -- Which leads, by which tree and settings, and what unrecorded answers are taken to be (contract/replay.ts).
  settings jsonb not null,
  -- The two trees as they were when it was asked for.
  published jsonb not null,
  changed jsonb not null,
  total int not null default 0,
  done int not null default 0,
  result jsonb,
  failure text,
  lease_holder uuid,
  lease_until timestamptz,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id)
);
create index replay_vertical on replay (organization_id, vertical_id, id);
create index replay_open on replay (status, lease_until) where status in ('waiting', 'running');
select wall_off('replay');

-- Links to the eligibility checker. Only the hash of the secret half of the token is kept; the other half says whose it is.
create table eligibility_token (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  token_hash bytea not null,
  -- The publisher tiers that it opens.
  publisher_tier_ids uuid[] not null check (cardinality(publisher_tier_ids) > 0),
  created_by text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  used_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, token_hash),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
select wall_off('eligibility_token');
