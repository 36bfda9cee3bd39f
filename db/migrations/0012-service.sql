-- Third-party services: who is asked about a lead before the tree (P2C) or before a buyer tier (third-party validation), and what they said.

create table service (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  notes text not null default '' check (char_length(notes) <= 500),
  -- {"post": ...}, with the same building blocks as a buyer tier's.
  endpoint jsonb not null,
  -- Sealed JSON of user names, passwords and tokens.
  secrets bytea,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
create index service_vertical on service (organization_id, vertical_id);
select wall_off('service');

-- {"serviceId": ..., "timeLimitMs": ..., "onFailure": "pass" | "refuse"}; the service is a column too, so that it cannot be a stranger's. Looked at when the
-- change commits: until then the change itself says what is wrong, in words.
alter table publisher_tier
  add column p2c jsonb,
  add column p2c_service_id uuid generated always as ((p2c ->> 'serviceId')::uuid) stored,
  add foreign key (organization_id, p2c_service_id) references service (organization_id, id) deferrable initially deferred;
create index publisher_tier_p2c on publisher_tier (organization_id, p2c_service_id) where p2c_service_id is not null;
alter table buyer_tier
  add column third_party jsonb,
  add column third_party_service_id uuid generated always as ((third_party ->> 'serviceId')::uuid) stored,
  add foreign key (organization_id, third_party_service_id) references service (organization_id, id) deferrable initially deferred;
create index buyer_tier_third_party on buyer_tier (organization_id, third_party_service_id) where third_party_service_id is not null;

-- One question to a service about one lead. Written in the statement that writes the lead's result; a lead that asked nobody has none.
create table service_call (
  organization_id uuid not null,
  lead_id uuid not null,
  call_index smallint not null,
  vertical_id uuid not null,
  service_id uuid not null,
  -- Asked for a publisher tier, or for a buyer tier.
  purpose text not null check (purpose in ('p2c', 'thirdParty')),
  subject_id uuid not null,
  test boolean not null,
  outcome text not null check (outcome in ('passed', 'refused', 'error', 'timeout')),
  started_at timestamptz not null,
  elapsed_ms real not null,
  connect_ms real,
  wait_ms real,
  read_ms real,
  status_code smallint,
  -- Sealed: what was sent and answered, and the service's own reason.
  wire bytea not null,
  primary key (organization_id, lead_id, call_index)
) partition by range (lead_id);
create index service_call_service on service_call (organization_id, service_id, lead_id);
select wall_off('service_call');

create or replace function ensure_month_partitions(month date) returns void language plpgsql as $$
declare
  parent text;
  first_day timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  next_day timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
  foreach parent in array array['lead', 'lead_lookup', 'lead_result', 'sale', 'attempt', 'late_answer', 'api_call', 'change_log', 'service_call'] loop
    partition_name := parent || '_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
    if to_regclass(partition_name) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        partition_name, parent, uuid7_floor(first_day), uuid7_floor(next_day));
    end if;
  end loop;
end $$;
