-- Landing pages of an organization's own, and what happens there and on landers (page-stats, decision 0031).

create table landing_page (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  -- Whose leads may name the page.
  publisher_tier_id uuid not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  name text not null check (char_length(name) between 1 and 120),
  -- Where it stands; told to people, and nothing is fetched from there.
  url text not null check (char_length(url) between 1 and 500),
  notes text not null default '',
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id),
  foreign key (organization_id, publisher_tier_id) references publisher_tier (organization_id, id)
);
create index landing_page_of_vertical on landing_page (organization_id, vertical_id);
select wall_off('landing_page');

-- What happened on a page in an hour. The page is a landing_page, or the card of a lander.
create table page_hour (
  organization_id uuid not null,
  page_id uuid not null,
  hour_at timestamptz not null,
  views int not null default 0,
  submits int not null default 0,
  primary key (organization_id, page_id, hour_at)
);
select wall_off('page_hour');

-- The page a lead came from, where it is known; written with its result.
create table lead_page (
  organization_id uuid not null,
  lead_id uuid not null,
  page_id uuid not null,
  primary key (organization_id, lead_id)
) partition by range (lead_id);
create index lead_page_of_page on lead_page (organization_id, page_id, lead_id);
select wall_off('lead_page');

select ensure_month_partitions(to_date(right(c.relname, 7), 'YYYY_MM'))
  from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'lead'::regclass;
