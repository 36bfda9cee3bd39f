-- The first schema. Rules that every table follows (held by db/citus.test.ts):
--   * a tenant's table begins its primary key, and every unique and foreign key to another tenant's table, with organization_id;
--   * a table without organization_id carries the comment 'reference' and is small;
--   * what only grows is partitioned by month on a time-ordered id (UUID version 7), so a time span is an id span.

-- Time-ordered ids ------------------------------------------------------------------------------------------------

create function uuid7_floor(instant timestamptz) returns uuid language sql immutable strict parallel safe as $$
  select (lpad(to_hex(floor(extract(epoch from instant) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid
$$;
comment on function uuid7_floor is 'The least UUID version 7 of an instant: ids at or after it were made at or after it.';

create function uuid7_instant(id uuid) returns timestamptz language sql immutable strict parallel safe as $$
  select to_timestamp(('x' || substr(replace(id::text, '-', ''), 1, 12))::bit(48)::bigint / 1000.0)
$$;

-- Tenants, people, sessions ---------------------------------------------------------------------------------------

create table organization (
  id uuid primary key,
  name text not null check (char_length(name) between 1 and 200),
  sub_domain text not null unique check (sub_domain ~ '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$'),
  time_zone text not null default 'America/New_York',
  currency text not null default 'USD' check (currency ~ '^[A-Z]{3}$'),
  status text not null default 'active' check (status in ('active', 'suspended')),
  -- 32 random bytes wrapped by the installation's master key; encrypts everything personal of this organization.
  data_key bytea not null,
  -- Raised by every change of what routing depends on; nodes compare it to know whether their plan is current.
  configuration_version bigint not null default 1,
  created_at timestamptz not null default now()
);
comment on table organization is 'reference';

create table app_user (
  id uuid primary key,
  email text not null unique check (email = lower(email)),
  first_name text not null,
  last_name text not null,
  password_hash text not null,
  is_super_admin boolean not null default false,
  status text not null default 'active' check (status in ('active', 'disabled')),
  created_at timestamptz not null default now()
);
comment on table app_user is 'reference';

create table team_member (
  organization_id uuid not null references organization (id),
  id uuid not null,
  user_id uuid not null references app_user (id),
  role text not null check (role in ('owner', 'member')),
  status text not null default 'active' check (status in ('active', 'disabled')),
  -- [{regionId, regionChecked, verticals: [{verticalId, verticalChecked, pages: [{value, pageChecked}]}]}] as in console §3.
  permissions jsonb not null default '[]',
  created_at timestamptz not null default now(),
  primary key (organization_id, id),
  unique (organization_id, user_id)
);
create index team_member_user on team_member (user_id);

create table session (
  -- SHA-256 of the cookie's value; the value itself is nowhere.
  token_hash bytea primary key,
  user_id uuid not null references app_user (id) on delete cascade,
  organization_id uuid not null references organization (id),
  created_at timestamptz not null default now(),
  seen_at timestamptz not null default now(),
  expires_at timestamptz not null
);
comment on table session is 'reference';
create index session_of_user on session (user_id);

-- Set-up ----------------------------------------------------------------------------------------------------------

create table region (
  organization_id uuid not null references organization (id),
  id uuid not null,
  slug text not null check (slug ~ '^[a-z0-9-]{1,60}$'),
  name text not null,
  country text not null check (country in ('us', 'uk')),
  primary key (organization_id, id),
  unique (organization_id, slug)
);

create table vertical (
  organization_id uuid not null,
  id uuid not null,
  region_id uuid not null,
  slug text not null check (slug ~ '^[a-z0-9-]{1,60}$'),
  uid text not null,
  name text not null,
  primary_field text not null,
  primary key (organization_id, id),
  unique (organization_id, region_id, slug),
  foreign key (organization_id, region_id) references region (organization_id, id)
);

create table field (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  position int not null,
  field_name text not null check (field_name ~ '^[a-zA-Z_][a-zA-Z0-9_]{0,62}$'),
  field_human_name text not null,
  type text not null,
  required boolean not null default false,
  min_char int,
  max_char int,
  min_value numeric,
  max_value numeric,
  pattern text,
  options text[],
  privacy_class text not null check (privacy_class in ('P0', 'P1', 'P2', 'P3')),
  in_ping boolean not null default false,
  -- Values of this field are kept as keyed hashes too, so that a consumer's leads can be found by it.
  searchable boolean not null default false,
  primary key (organization_id, id),
  unique (organization_id, vertical_id, field_name),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);

create table publisher (
  organization_id uuid not null references organization (id),
  id uuid not null,
  name text not null,
  affiliate_id text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  primary key (organization_id, id),
  unique (organization_id, affiliate_id)
);

create table buyer (
  organization_id uuid not null references organization (id),
  id uuid not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  caps jsonb not null default '[]',
  primary key (organization_id, id)
);

create table campaign (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  margin jsonb not null,
  floor numeric(13, 4) check (floor >= 0),
  max_sales int not null default 1 check (max_sales between 1 and 20),
  time_limit_ms int not null default 30000 check (time_limit_ms between 100 and 300000),
  test_values jsonb,
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);

create table publisher_tier (
  organization_id uuid not null,
  id uuid not null,
  publisher_id uuid not null,
  campaign_id uuid not null,
  name text not null,
  sub_id text not null default '',
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  price_model jsonb not null,
  filter jsonb,
  hours jsonb,
  pause_dates jsonb,
  caps jsonb not null default '[]',
  duplicate jsonb,
  -- CIDR ranges that may post with this tier's keys; empty allows all.
  ip_allow text[] not null default '{}',
  -- Hides sale detail (price, reason) from the publisher.
  terse boolean not null default false,
  -- Answers HTTP 200 to everything, with the true code in X-Status-Code, for legacy clients.
  always_200 boolean not null default false,
  pings_per_minute int check (pings_per_minute > 0),
  primary key (organization_id, id),
  foreign key (organization_id, publisher_id) references publisher (organization_id, id),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id)
);

create table posting_key (
  organization_id uuid not null,
  id uuid not null,
  publisher_tier_id uuid not null,
  -- SHA-256 of the key; the key itself is shown once and kept nowhere.
  key_hash bytea not null,
  -- First characters, to tell keys apart on screen.
  prefix text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz,
  revoked_at timestamptz,
  primary key (organization_id, id),
  unique (organization_id, key_hash),
  foreign key (organization_id, publisher_tier_id) references publisher_tier (organization_id, id)
);

create table buyer_tier (
  organization_id uuid not null,
  id uuid not null,
  buyer_id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  delivery text not null check (delivery in ('post', 'pingPost')),
  price jsonb not null,
  floor numeric(13, 4) check (floor >= 0),
  post_price_rule text not null default 'take' check (post_price_rule in ('take', 'refuse', 'takeAndFlag')),
  quality_factor numeric(6, 3) not null default 1 check (quality_factor > 0),
  filter jsonb,
  hours jsonb,
  pause_dates jsonb,
  caps jsonb not null default '[]',
  duplicate jsonb,
  time_limit_ms int not null default 10000 check (time_limit_ms between 50 and 300000),
  after_timeout text not null default 'next' check (after_timeout in ('next', 'hold')),
  -- How to speak to the buyer, see contract/endpoint.ts.
  endpoint jsonb not null,
  -- User names, passwords and tokens of the endpoint, encrypted as one JSON text.
  secrets bytea,
  primary key (organization_id, id),
  foreign key (organization_id, buyer_id) references buyer (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);

create table tree_group (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  position int not null,
  name text not null,
  mode text not null check (mode in ('priority', 'highestPrice', 'auction', 'roundRobin', 'weighted')),
  time_limit_ms int check (time_limit_ms between 50 and 300000),
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id)
);

create table group_member (
  organization_id uuid not null,
  group_id uuid not null,
  buyer_tier_id uuid not null,
  position int not null,
  weight int check (weight > 0),
  primary key (organization_id, group_id, buyer_tier_id),
  foreign key (organization_id, group_id) references tree_group (organization_id, id),
  foreign key (organization_id, buyer_tier_id) references buyer_tier (organization_id, id)
);

-- Who had a turn when, for round robin and weighted groups.
create table group_turn (
  organization_id uuid not null,
  group_id uuid not null,
  buyer_tier_id uuid not null,
  turns bigint not null default 0,
  last_turn_at timestamptz not null,
  primary key (organization_id, group_id, buyer_tier_id)
);

-- Caps, duplicates, reservations ----------------------------------------------------------------------------------

-- One row per cap window. Money counters count ten-thousandths.
create table counter (
  organization_id uuid not null,
  counter text not null,
  scope_id uuid not null,
  measure text not null,
  period text not null,
  used bigint not null default 0,
  resets_at timestamptz,
  primary key (organization_id, counter)
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 2000);
create index counter_scope on counter (organization_id, scope_id);

-- Who was seen last by a tier: a keyed hash of normalised values, never the values.
create table duplicate_claim (
  organization_id uuid not null,
  scope_id uuid not null,
  fingerprint uuid not null,
  lead_id uuid not null,
  claimed_at timestamptz not null,
  primary key (organization_id, scope_id, fingerprint)
);

-- A lead that is, or may be, at a buyer right now. Gone as soon as the answer is known; what a dead node leaves here is unknown.
create table reservation (
  organization_id uuid not null,
  lead_id uuid not null,
  subject_id uuid not null,
  purpose text not null check (purpose in ('admit', 'ping', 'post', 'raise')),
  node_id uuid not null,
  -- [[counter, amount], ...] that a release gives back, and the fingerprints it takes off.
  claims jsonb not null default '[]',
  fingerprints uuid[] not null default '{}',
  reserved_at timestamptz not null,
  -- Set when nobody can know the answer any more (node died, answer lost): stays until settled.
  unknown_since timestamptz,
  primary key (organization_id, lead_id, subject_id, purpose)
) with (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 5000);

-- App nodes at work; one that has not been seen for a while is dead and its leads are finished by another.
create table node (
  id uuid primary key,
  started_at timestamptz not null default now(),
  seen_at timestamptz not null default now()
);
comment on table node is 'reference';

-- The same call again gets the first answer, which stands with the result of the lead that holds the fingerprint.
create table idempotency (
  organization_id uuid not null,
  publisher_tier_id uuid not null,
  -- 128 bits of a hash over the Idempotency-Key, the ping, or else the payload.
  fingerprint uuid not null,
  payload_hash uuid not null,
  lead_id uuid not null,
  expires_at timestamptz not null,
  primary key (organization_id, publisher_tier_id, fingerprint)
);
create index idempotency_expiry on idempotency using brin (expires_at);

-- What only grows -------------------------------------------------------------------------------------------------

create table lead (
  organization_id uuid not null,
  id uuid not null,
  region_id uuid not null,
  vertical_id uuid not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  sub_id text not null,
  mode text not null check (mode in ('full', 'ping', 'post')),
  test boolean not null,
  -- The ping that this post refers to.
  ping_id uuid,
  node_id uuid not null,
  -- Encrypted JSON: normalised values by field name, what the vertical does not know, and the publisher's call as it came.
  fields bytea not null,
  primary key (organization_id, id)
) partition by range (id);
create index lead_vertical on lead (organization_id, vertical_id, id);
create index lead_publisher_tier on lead (organization_id, publisher_tier_id, id);

-- Keyed hashes of searchable values, to find a consumer's leads.
create table lead_lookup (
  organization_id uuid not null,
  value_hash uuid not null,
  lead_id uuid not null,
  primary key (organization_id, value_hash, lead_id)
) partition by range (lead_id);

create table lead_result (
  organization_id uuid not null,
  lead_id uuid not null,
  vertical_id uuid not null,
  campaign_id uuid not null,
  publisher_tier_id uuid not null,
  test boolean not null,
  status text not null check (status in ('sold', 'unsold', 'invalid', 'rejected', 'duplicate', 'held', 'error', 'bid', 'noBid')),
  reason text,
  revenue numeric(13, 4) not null,
  payout numeric(13, 4) not null,
  margin numeric(13, 4) not null,
  sale_count smallint not null,
  attempt_count smallint not null,
  duplicate_of uuid,
  elapsed_ms real not null,
  buyers_ms real not null,
  store_ms real not null,
  finished_at timestamptz not null,
  -- [{t: buyer tier, g: group, o: outcome, k: filter reason key, c: code}], one per buyer tier of the tree; no values of the lead.
  verdicts jsonb not null,
  -- Encrypted JSON: the whole explanation, errors, warnings, offers, redirect, and our answer to the publisher.
  explained bytea not null,
  -- Encrypted JSON by attempt: request and response as they were on the wire, secrets masked, and the buyer's reasons.
  wires bytea,
  primary key (organization_id, lead_id)
) partition by range (lead_id);
create index lead_result_status on lead_result (organization_id, vertical_id, status, lead_id);

create table sale (
  organization_id uuid not null,
  lead_id uuid not null,
  sale_index smallint not null,
  vertical_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  publisher_id uuid not null,
  test boolean not null,
  revenue numeric(13, 4) not null,
  payout numeric(13, 4) not null,
  margin numeric(13, 4) not null,
  bid numeric(13, 4),
  post_price_differs boolean not null,
  buyer_ref text,
  primary key (organization_id, lead_id, sale_index),
  check (payout + margin = revenue)
) partition by range (lead_id);
create index sale_buyer_tier on sale (organization_id, buyer_tier_id, lead_id);

create table attempt (
  organization_id uuid not null,
  lead_id uuid not null,
  attempt_index smallint not null,
  vertical_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  group_id uuid not null,
  test boolean not null,
  leg text not null check (leg in ('ping', 'post')),
  outcome text not null check (outcome in ('sold', 'rejected', 'terrors', 'timeouts', 'bid')),
  answer text not null,
  started_at timestamptz not null,
  elapsed_ms real not null,
  connect_ms real,
  wait_ms real,
  read_ms real,
  bid numeric(13, 4),
  price numeric(13, 4),
  status_code smallint,
  primary key (organization_id, lead_id, attempt_index)
) partition by range (lead_id);
create index attempt_buyer_tier on attempt (organization_id, buyer_tier_id, lead_id);

-- An answer that came after its time limit: never a sale, always a row to reconcile.
create table late_answer (
  organization_id uuid not null,
  lead_id uuid not null,
  attempt_index smallint not null,
  buyer_tier_id uuid not null,
  outcome text not null,
  price numeric(13, 4),
  after_ms real not null,
  wire bytea not null,
  arrived_at timestamptz not null,
  primary key (organization_id, lead_id, attempt_index)
) partition by range (lead_id);

-- Calls of publishers that made no lead: refused, or answered with an earlier lead's answer. A lead keeps its own call.
create table api_call (
  organization_id uuid not null,
  id uuid not null,
  publisher_tier_id uuid not null,
  lead_id uuid,
  method text not null,
  path text not null,
  status_code smallint not null,
  code text not null,
  elapsed_ms real not null,
  -- Encrypted JSON: content type, body, address of the caller, our answer.
  wire bytea not null,
  primary key (organization_id, id)
) partition by range (id);
create index api_call_lead on api_call (organization_id, lead_id);

-- Sealed texts cannot be compressed: trying to would cost time for every row.
alter table lead alter column fields set storage external;
alter table lead_result alter column explained set storage external, alter column wires set storage external;
alter table late_answer alter column wire set storage external;
alter table api_call alter column wire set storage external;

create function ensure_month_partitions(month date) returns void language plpgsql as $$
declare
  parent text;
  first_day timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  next_day timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
  foreach parent in array array['lead', 'lead_lookup', 'lead_result', 'sale', 'attempt', 'late_answer', 'api_call'] loop
    partition_name := parent || '_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
    if to_regclass(partition_name) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        partition_name, parent, uuid7_floor(first_day), uuid7_floor(next_day));
    end if;
  end loop;
end $$;
comment on function ensure_month_partitions is 'Makes the partitions of one month where they are missing.';
