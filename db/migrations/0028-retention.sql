-- How long a vertical keeps the person in its leads, and what buyers and publishers said on the wire. A null keeps for ever.
create table retention (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  unsold_days int check (unsold_days between 1 and 3650),
  sold_days int check (sold_days between 1 and 3650),
  wire_days int check (wire_days between 1 and 3650),
  on_hold boolean not null default false,
  hold_reason text not null default '' check (char_length(hold_reason) <= 500),
  -- The last lead that each rule has looked at: leads sort by time.
  unsold_after uuid not null default '00000000-0000-0000-0000-000000000000',
  sold_after uuid not null default '00000000-0000-0000-0000-000000000000',
  wires_after uuid not null default '00000000-0000-0000-0000-000000000000',
  -- In all, and since the change log was told.
  erased_leads bigint not null default 0,
  emptied_leads bigint not null default 0,
  untold jsonb not null default '{}',
  ran_at timestamptz,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  constraint retention_of_vertical unique (organization_id, vertical_id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
select wall_off('retention');
