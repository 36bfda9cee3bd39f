-- Suppression lists, banks and BIN ranges with their moves, and the background jobs that fill them.

create table suppression_list (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'archived')),
  -- Compared with every e-mail or phone field of a lead, or with the text of the field that is named.
  holds text not null check (holds in ('email', 'phone', 'text')),
  field_name text,
  -- plain: values, kept as hashes under the organization's key. Others: hashes, kept as they came.
  form text not null default 'plain' check (form in ('plain', 'md5', 'sha1', 'sha256')),
  -- Whose phone numbers are written without a country.
  country text not null default 'us' check (country in ('us', 'uk')),
  -- An entry without a day of its own ends so long after it was imported; null: never.
  entry_days int check (entry_days between 1 and 3650),
  notes text not null default '' check (char_length(notes) <= 500),
  -- Kept up by whatever adds and takes away entries.
  entry_count int not null default 0,
  -- Which import replaced everything before it; entries of earlier ones go when it is done.
  generation int not null default 0,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id)
);
select wall_off('suppression_list');

-- Never the value: 128 bits of a keyed hash, or of the hash that was imported.
create table suppression_entry (
  organization_id uuid not null,
  list_id uuid not null,
  value_hash uuid not null,
  generation int not null,
  expires_at timestamptz,
  primary key (organization_id, list_id, value_hash),
  foreign key (organization_id, list_id) references suppression_list (organization_id, id)
);
select wall_off('suppression_entry');

alter table publisher_tier add column suppression_lists uuid[] not null default '{}';
alter table buyer_tier add column suppression_lists uuid[] not null default '{}';

-- Moves (console, section 3): 1 BLOCK, 2 USE 3D SECURE, 3 ACCEPT, 4 UNSORTED.
create table bank (
  organization_id uuid not null,
  id uuid not null,
  country text not null check (country in ('us', 'uk')),
  -- us: routing number of nine digits. uk: sort code of six.
  code text not null check (code ~ '^\d{6}(\d{3})?$' and (length(code) = 9) = (country = 'us')),
  name text not null,
  move smallint not null default 4 check (move between 1 and 4),
  notes text not null default '' check (char_length(notes) <= 500),
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, country, code)
);
select wall_off('bank');

-- First and last BIN, filled up to eight digits: 457173 alone is 45717300 to 45717399.
create table bin_range (
  organization_id uuid not null,
  id uuid not null,
  first_bin int not null check (first_bin between 0 and 99999999),
  last_bin int not null check (last_bin between 0 and 99999999),
  -- How many digits people write it with.
  digits smallint not null check (digits between 6 and 8),
  scheme text not null default '',
  issuer text not null default '',
  -- credit, debit, prepaid, charge; empty: not known.
  type text not null default '',
  category text not null default '',
  country text not null default '',
  -- Power of ten that holds it: with it, ranges around a BIN are found by a few steps along the index however they nest.
  width smallint generated always as (length((last_bin - first_bin)::text)) stored,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  -- The width follows from the ends: it stands first to be looked along.
  unique (organization_id, width, first_bin, last_bin),
  check (first_bin <= last_bin)
);
select wall_off('bin_range');

-- The move of a range for one of the four combinations of campaign and affiliate.
create table bin_move (
  organization_id uuid not null,
  id uuid not null,
  bin_range_id uuid not null,
  campaign_id uuid,
  publisher_id uuid,
  combination smallint generated always as (
    case when campaign_id is null then case when publisher_id is null then 4 else 3 end else case when publisher_id is null then 2 else 1 end end
  ) stored,
  move smallint not null check (move between 1 and 4),
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique nulls not distinct (organization_id, bin_range_id, campaign_id, publisher_id),
  foreign key (organization_id, bin_range_id) references bin_range (organization_id, id) on delete cascade,
  foreign key (organization_id, campaign_id) references campaign (organization_id, id),
  foreign key (organization_id, publisher_id) references publisher (organization_id, id)
);
select wall_off('bin_move');

-- Long work that goes on without anybody watching: whichever node has time takes it, and another goes on where that one was lost.
create table job (
  organization_id uuid not null,
  id uuid not null,
  kind text not null,
  status text not null default 'receiving' check (status in ('receiving', 'waiting', 'running', 'done', 'failed', 'cancelled')),
  -- What it is called: the name of the file, say.
  name text not null,
  -- The record it is about, if it is about one.
  subject_id uuid,
  settings jsonb not null,
  person_id uuid not null,
  -- What was handed in: bytes, in parts.
  parts int not null default 0,
  bytes bigint not null default 0,
  -- Where it goes on; written together with what was done up to there.
  place jsonb not null default '{}',
  bytes_done bigint not null default 0,
  rows_done bigint not null default 0,
  tally jsonb not null default '{}',
  error_count int not null default 0,
  -- Why it failed, in a sentence.
  failure text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  ended_at timestamptz,
  lease_holder uuid,
  lease_until timestamptz,
  primary key (organization_id, id)
);
create index job_open on job (organization_id, id) where status in ('waiting', 'running');
create index job_kind on job (organization_id, kind, id);
select wall_off('job');

-- What was handed in, sealed, until the job is over.
create table job_part (
  organization_id uuid not null,
  job_id uuid not null,
  part int not null,
  body bytea not null,
  primary key (organization_id, job_id, part),
  foreign key (organization_id, job_id) references job (organization_id, id) on delete cascade
);
select wall_off('job_part');

-- The first lines that could not be used, without what stood in them.
create table job_error (
  organization_id uuid not null,
  job_id uuid not null,
  line bigint not null,
  message text not null,
  primary key (organization_id, job_id, line),
  foreign key (organization_id, job_id) references job (organization_id, id) on delete cascade
);
select wall_off('job_error');

-- Keys of an organization itself, for calls that no publisher makes; only their hash is kept.
create table organization_key (
  organization_id uuid not null,
  id uuid not null,
  name text not null,
  key_hash bytea not null,
  hint text not null,
  created_at timestamptz not null default now(),
  revoked_at timestamptz,
  primary key (organization_id, id)
);
create index organization_key_hash on organization_key (key_hash);
select wall_off('organization_key');
