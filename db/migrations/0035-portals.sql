-- Portals (issue 6, product.md): a member who is bound to one buyer or one publisher sees that home and nothing else of the organization.
alter table team_member add column buyer_id uuid;
alter table team_member add column publisher_id uuid;
alter table team_member add foreign key (organization_id, buyer_id) references buyer (organization_id, id);
alter table team_member add foreign key (organization_id, publisher_id) references publisher (organization_id, id);
alter table team_member add check (num_nonnulls(buyer_id, publisher_id) <= case when role = 'owner' then 0 else 1 end);

-- Whether a lead that its buyer gives back in its portal is given back at once, instead of waiting for somebody's yes.
alter table buyer_tier add column portal_returns boolean not null default false;
alter table lead_return drop constraint lead_return_via_check;
alter table lead_return add constraint lead_return_via_check check (via in ('console', 'csv', 'api', 'portal'));

-- What a bound member asks to have changed: it waits until somebody who sets up says yes or no, or the company takes it back.
create table change_request (
  organization_id uuid not null,
  id uuid not null,
  buyer_id uuid,
  publisher_id uuid,
  model text not null check (model in ('buyer', 'buyerTier', 'publisherTier', 'contact', 'leadReturn')),
  -- The lead, of a return.
  record_id uuid not null,
  record_name text not null,
  sale_index smallint,
  vertical_id uuid,
  -- Only the fields that are to change: as they were when it was asked, and as they are to be.
  before jsonb not null,
  after jsonb not null,
  note text not null default '' check (char_length(note) <= 500),
  status text not null default 'open' check (status in ('open', 'approved', 'declined', 'withdrawn')),
  asked_by uuid not null,
  asked_by_name text not null,
  decided_by uuid,
  decided_by_name text,
  decided_at timestamptz,
  answer text not null default '' check (char_length(answer) <= 500),
  primary key (organization_id, id),
  foreign key (organization_id, buyer_id) references buyer (organization_id, id),
  foreign key (organization_id, publisher_id) references publisher (organization_id, id),
  check (num_nonnulls(buyer_id, publisher_id) = 1),
  check ((model = 'leadReturn') = (sale_index is not null)),
  check ((status = 'open') = (decided_at is null)),
  check (num_nonnulls(decided_by, decided_by_name, decided_at) in (0, 3))
);
-- One at a time of a record: who decides sees all that is wanted of it.
create unique index change_request_one_open on change_request (organization_id, model, record_id, coalesce(sale_index, -1)) where status = 'open';
create index change_request_status on change_request (organization_id, status, id);
create index change_request_buyer on change_request (organization_id, buyer_id, id) where buyer_id is not null;
create index change_request_publisher on change_request (organization_id, publisher_id, id) where publisher_id is not null;
select wall_off('change_request');
