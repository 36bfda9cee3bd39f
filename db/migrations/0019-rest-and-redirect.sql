-- A buyer that asks to be left alone for a while is; and where consumers are sent after a sale is known.

-- One row a tier whose buyer has ever asked for it (429, Retry-After): nothing is sent to it before.
create table buyer_rest (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  rests_until timestamptz not null,
  primary key (organization_id, buyer_tier_id),
  foreign key (organization_id, buyer_tier_id) references buyer_tier (organization_id, id)
) with (fillfactor = 50);
select wall_off('buyer_rest');

-- The publisher is given the buyer's own address instead of a link of ours, which is counted.
alter table publisher_tier add column raw_redirect boolean not null default false;

-- One link of ours that a publisher was given for a sold lead. Written in the statement that writes the lead's result; a lead without one has none.
create table redirect (
  organization_id uuid not null,
  lead_id uuid not null,
  -- The sale whose buyer named the address.
  sale_index smallint not null,
  vertical_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  given_at timestamptz not null,
  expires_at timestamptz not null,
  -- Sealed: it may tell who the person is.
  url bytea not null,
  -- The first time that somebody followed it, which is the one that counts, and how often it was followed in all.
  followed_at timestamptz,
  follows int not null default 0,
  primary key (organization_id, lead_id)
) partition by range (lead_id);
create index redirect_publisher_tier on redirect (organization_id, publisher_tier_id, lead_id);
select wall_off('redirect');

-- Every table that is partitioned is partitioned by month, so none is named here; a distributed table's own pieces, which end with a number, are not asked.
create or replace function ensure_month_partitions(month date) returns void language plpgsql as $$
declare
  parent text;
  first_day timestamptz := date_trunc('month', month::timestamp) at time zone 'UTC';
  next_day timestamptz := (date_trunc('month', month::timestamp) + interval '1 month') at time zone 'UTC';
  partition_name text;
begin
  perform pg_advisory_xact_lock(hashtext('ensure_month_partitions'));
  for parent in
    select c.relname from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'p' and not c.relispartition and c.relname !~ '_[0-9]+$'
      order by c.relname
  loop
    partition_name := parent || '_' || to_char(first_day at time zone 'UTC', 'YYYY_MM');
    if to_regclass(partition_name) is null then
      execute format('create table %I partition of %I for values from (%L) to (%L)',
        partition_name, parent, uuid7_floor(first_day), uuid7_floor(next_day));
    end if;
  end loop;
end $$;
