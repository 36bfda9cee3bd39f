-- Addresses of reports that people keep by a name.

create table saved_view (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  -- Which report (contract/saved-view.ts).
  page text not null,
  -- Whose it is, and how that person was called when it was saved.
  user_id uuid not null,
  user_name text not null,
  name text not null check (char_length(name) between 1 and 60),
  -- What stands in the address: span, filters, grouping, columns, order.
  search jsonb not null,
  -- For everybody who may open the page there.
  shared boolean not null default false,
  -- It can be brought back for a while.
  removed_at timestamptz,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
create unique index saved_view_name on saved_view (organization_id, vertical_id, page, user_id, lower(name)) where removed_at is null;
select wall_off('saved_view');

-- The one that a member's page opens with.
create table default_view (
  organization_id uuid not null,
  user_id uuid not null,
  vertical_id uuid not null,
  page text not null,
  view_id uuid not null,
  primary key (organization_id, user_id, vertical_id, page),
  foreign key (organization_id, view_id) references saved_view (organization_id, id) on delete cascade
);
select wall_off('default_view');

-- When those who may decide a request were told of it; what waited before this is told in the menu alone.
alter table change_request add column told_at timestamptz;
update change_request set told_at = now();
create index change_request_untold on change_request (organization_id, id) where status = 'open' and told_at is null;

-- What a company's portal lists: its own returns of a span.
create index lead_return_of_buyer on lead_return (organization_id, buyer_id, returned_at);
create index lead_return_of_publisher on lead_return (organization_id, publisher_id, returned_at);
