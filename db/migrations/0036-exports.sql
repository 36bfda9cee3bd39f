-- Exports and scheduled feeds of leads (issue 6, data-mgmt/outbound).

-- A file that was made: of an export, whose job has the same id, or of a run of a feed. Its bytes are in parts, and go after some days.
create table export_file (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  format text not null check (format in ('csv', 'jsonl')),
  row_count bigint not null default 0,
  byte_count bigint not null default 0,
  -- Whether it holds values of persons as they are.
  unmasked boolean not null,
  created_at timestamptz not null default now(),
  -- All of it is there.
  whole_at timestamptz,
  kept_until timestamptz not null,
  -- When its bytes went before that, because a person in it was erased.
  erased_at timestamptz,
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
select wall_off('export_file');

create table export_part (
  organization_id uuid not null,
  file_id uuid not null,
  part int not null,
  body bytea not null,
  -- Whose leads stand in it: who is erased is found by them.
  lead_ids uuid[] not null,
  kept_until timestamptz not null,
  primary key (organization_id, file_id, part),
  foreign key (organization_id, file_id) references export_file (organization_id, id) on delete cascade
);
create index export_part_leads on export_part using gin (lead_ids);
select wall_off('export_part');

create table export_feed (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  schedule jsonb not null,
  content jsonb not null,
  destination jsonb not null,
  -- Password or private key, sealed.
  secrets bytea,
  send_empty boolean not null default false,
  -- Whether a lead that was sent is sent again when it is settled or given back later.
  send_changes boolean not null default false,
  notes text not null default '' check (char_length(notes) <= 500),
  -- What signs its calls is made from the organization's key and this.
  secret_epoch int not null default 1,
  -- Leads that came before are in a run, or came before the feed was.
  covered_to timestamptz not null default now(),
  began_at timestamptz not null default now(),
  failing_since timestamptz,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
select wall_off('export_feed');

create table export_run (
  organization_id uuid not null,
  id uuid not null,
  feed_id uuid not null,
  -- The leads that came in [from_at, to_at).
  from_at timestamptz not null,
  to_at timestamptz not null,
  state text not null default 'due' check (state in ('due', 'sent', 'empty', 'failed')),
  -- Its file is whole and waits to be sent.
  is_built boolean not null default false,
  -- It was built once: which leads it holds over is known.
  was_built boolean not null default false,
  due_at timestamptz not null,
  tries smallint not null default 0,
  -- Until when it is the node's that took it up, by the clock of the database.
  taken_until timestamptz,
  -- How far building or sending came.
  place jsonb not null default '{}',
  row_count bigint not null default 0,
  byte_count bigint not null default 0,
  created_at timestamptz not null default now(),
  last_at timestamptz,
  -- Null while it is due.
  ended_at timestamptz,
  elapsed_ms real,
  failure text,
  -- What whoever gets the file should know, such as that it may have come twice.
  remark text,
  primary key (organization_id, id),
  foreign key (organization_id, feed_id) references export_feed (organization_id, id)
);
create index export_run_due on export_run (organization_id, feed_id, due_at) where state = 'due';
create index export_run_of_feed on export_run (organization_id, feed_id, id);
select wall_off('export_run');

-- Leads that had not ended when the run that covers them was built: the next run that finds them ended takes them.
create table export_held_over (
  organization_id uuid not null,
  feed_id uuid not null,
  lead_id uuid not null,
  missed_run uuid not null,
  taken_run uuid,
  taken_at timestamptz,
  primary key (organization_id, feed_id, lead_id),
  foreign key (organization_id, feed_id) references export_feed (organization_id, id)
);
create index export_held_over_open on export_held_over (organization_id, feed_id, lead_id) where taken_run is null;
create index export_held_over_taken on export_held_over (organization_id, taken_run) where taken_run is not null;
create index export_held_over_missed on export_held_over (organization_id, missed_run);
select wall_off('export_held_over');

-- What became of leads later is found by when it did.
create index settlement_when on settlement (organization_id, settled_at);
create index lead_return_when on lead_return (organization_id, vertical_id, returned_at);
