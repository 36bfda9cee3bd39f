-- Erasures on request, so that they are made again where a backup is put back, and whose person is not taken again (decision 0037).

-- What was asked for, in the order in which it was; a line of it stands in the register outside of the database too.
create table erasure (
  organization_id uuid not null,
  -- Of the job that erased, or of its own where the person may come again.
  id uuid not null,
  kind text not null check (kind in ('erased', 'accepted')),
  asked_at timestamptz not null,
  -- Keyed hashes that leads are found by, leads, and where to look.
  value_hashes uuid[] not null,
  lead_ids uuid[] not null,
  vertical_ids uuid[] not null,
  -- Keyed hashes of the person's addresses and phone numbers: refused from then on, or taken again.
  person_hashes uuid[] not null,
  -- When it is gone over once more, for leads that were under way; null once that is done.
  again_at timestamptz,
  primary key (organization_id, id)
);
create index erasure_in_time on erasure (id);
create index erasure_again on erasure (again_at) where again_at is not null;
select wall_off('erasure');

-- Whose leads are refused.
create table erased_person (
  organization_id uuid not null,
  value_hash uuid not null,
  erasure_id uuid not null,
  primary key (organization_id, value_hash)
);
create index erased_person_of_erasure on erased_person (organization_id, erasure_id);
select wall_off('erased_person');

-- Leads of an organization that never erased anybody are not looked up.
alter table organization add column refuses_erased boolean not null default false;

-- Which migration a node knows as its last: one that knows fewer than there are is of an older version.
alter table node add column last_migration text not null default '';
