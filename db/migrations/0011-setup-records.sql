-- Set-up by the people of an organization: records that two may edit at once, contacts, and the log of who changed what.

do $$
declare
  name text;
begin
  foreach name in array array['region', 'vertical', 'field', 'publisher', 'buyer', 'campaign', 'publisher_tier', 'buyer_tier', 'tree_group'] loop
    -- Goes up with each change: whoever saves what was changed meanwhile is told so.
    execute format('alter table %I add column version int not null default 1, add column updated_at timestamptz not null default now()', name);
  end loop;
end $$;

alter table publisher add column notes text not null default '' check (char_length(notes) <= 500);
alter table buyer add column notes text not null default '' check (char_length(notes) <= 500);

-- A person at a publisher or a buyer.
create table contact (
  organization_id uuid not null,
  id uuid not null,
  publisher_id uuid,
  buyer_id uuid,
  first_name text not null,
  last_name text not null default '',
  job text not null default '',
  email text not null default '',
  phone text not null default '',
  notes text not null default '' check (char_length(notes) <= 500),
  status text not null default 'active' check (status in ('active', 'archived')),
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, publisher_id) references publisher (organization_id, id),
  foreign key (organization_id, buyer_id) references buyer (organization_id, id),
  check (num_nonnulls(publisher_id, buyer_id) = 1)
);
create index contact_of_publisher on contact (organization_id, publisher_id);
create index contact_of_buyer on contact (organization_id, buyer_id);
select wall_off('contact');

-- The tree of a campaign as it is being changed, one for everybody who works on it, and the trees that were published before.
create table tree_draft (
  organization_id uuid not null,
  campaign_id uuid not null,
  groups jsonb not null,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  updated_by text not null,
  primary key (organization_id, campaign_id),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id)
);
select wall_off('tree_draft');
create table tree_version (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  groups jsonb not null,
  published_by text not null,
  note text not null default '' check (char_length(note) <= 500),
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id)
);
create index tree_version_of_campaign on tree_version (organization_id, campaign_id, id);
select wall_off('tree_version');

-- Who changed what, when, from where: one row a change, in the transaction of the change. Secrets are named, never held.
create table change_log (
  organization_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  user_name text not null,
  address text not null default '',
  model text not null,
  record_id uuid not null,
  record_name text not null,
  action text not null check (action in ('add', 'edit', 'remove', 'restore', 'order', 'publish')),
  -- Values of the fields that changed, by field name; the record is written with them again when the change is rolled back.
  before jsonb not null default '{}',
  after jsonb not null default '{}',
  -- The change that this one took back.
  rolls_back uuid,
  primary key (organization_id, id)
) partition by range (id);
create index change_log_of_record on change_log (organization_id, record_id, id);
create index change_log_rolled_back on change_log (organization_id, rolls_back) where rolls_back is not null;
select wall_off('change_log');

create or replace function ensure_month_partitions(month date) returns void language plpgsql as $$
declare
  parent text;
  first_day timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  next_day timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
  foreach parent in array array['lead', 'lead_lookup', 'lead_result', 'sale', 'attempt', 'late_answer', 'api_call', 'change_log'] loop
    partition_name := parent || '_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
    if to_regclass(partition_name) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        partition_name, parent, uuid7_floor(first_day), uuid7_floor(next_day));
    end if;
  end loop;
end $$;
