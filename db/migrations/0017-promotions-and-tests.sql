-- Promotions, dated payout rises out of our margin; and A/B tests, which split a campaign's consumers over variants of it.

create table promotion (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  notes text not null default '' check (char_length(notes) <= 500),
  -- {"kind": "publisherTier", "publisherTierId": ...} | {"kind": "subId", "subId": ...} | {"kind": "publisher", "publisherId": ...} | {"kind": "campaign", "campaignId": ...};
  -- ids are columns too, so that they cannot be a stranger's.
  target jsonb not null,
  publisher_tier_id uuid generated always as ((target ->> 'publisherTierId')::uuid) stored,
  publisher_id uuid generated always as ((target ->> 'publisherId')::uuid) stored,
  campaign_id uuid generated always as ((target ->> 'campaignId')::uuid) stored,
  -- {"kind": "fixed", "amount": ten-thousandths} | {"kind": "percent", "percent": ...}
  raise jsonb not null,
  -- Local days of the zone, both included.
  from_on text not null check (from_on ~ '^\d{4}-\d{2}-\d{2}$'),
  to_on text check (to_on ~ '^\d{4}-\d{2}-\d{2}$' and to_on >= from_on),
  time_zone text not null,
  hours jsonb,
  lead_cap int check (lead_cap >= 0),
  money_cap numeric(13, 4) check (money_cap >= 0),
  below_margin boolean not null default false,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id),
  foreign key (organization_id, publisher_tier_id) references publisher_tier (organization_id, id) deferrable initially deferred,
  foreign key (organization_id, publisher_id) references publisher (organization_id, id) deferrable initially deferred,
  foreign key (organization_id, campaign_id) references campaign (organization_id, id) deferrable initially deferred
);
create index promotion_vertical on promotion (organization_id, vertical_id);
create index promotion_publisher_tier on promotion (organization_id, publisher_tier_id) where publisher_tier_id is not null;
create index promotion_publisher on promotion (organization_id, publisher_id) where publisher_id is not null;
create index promotion_campaign on promotion (organization_id, campaign_id) where campaign_id is not null;
select wall_off('promotion');

-- What a promotion added to the payout of one sale. Written in the statement that writes the lead's result.
create table promotion_sale (
  organization_id uuid not null,
  lead_id uuid not null,
  sale_index smallint not null,
  promotion_id uuid not null,
  extra numeric(13, 4) not null,
  primary key (organization_id, lead_id, sale_index)
) partition by range (lead_id);
create index promotion_sale_promotion on promotion_sale (organization_id, promotion_id, lead_id);
select wall_off('promotion_sale');

-- Room that a promotion has given to a lead whose result is not stored yet.
alter table reservation drop constraint reservation_purpose_check,
  add constraint reservation_purpose_check check (purpose in ('admit', 'ping', 'post', 'raise', 'promotion'));

create table ab_test (
  organization_id uuid not null,
  id uuid not null,
  campaign_id uuid not null,
  name text not null,
  notes text not null default '' check (char_length(notes) <= 500),
  -- draft: may be edited. running: splits the campaign's consumers. stopped: for good; its figures stay. archived: a draft that was thrown away.
  status text not null default 'draft' check (status in ('draft', 'running', 'stopped', 'archived')),
  -- What decides, per lead: what buyers pay, or what we keep of it.
  metric text not null default 'revenue' check (metric in ('revenue', 'margin')),
  -- The smallest change of it that is worth finding, in percent of the control's.
  minimum_effect numeric(6, 2) not null default 10 check (minimum_effect > 0),
  -- Fixed when the test is started, from the month before: leads of the whole test that this needs, and its size in currency units per lead,
  -- which the interval that may be looked at anytime is sharpest for.
  planned_leads int check (planned_leads > 0),
  effect_scale numeric(13, 4) check (effect_scale > 0),
  started_at timestamptz,
  started_by text,
  stopped_at timestamptz,
  stopped_by text,
  -- How many leads it had when it was stopped: a list of old tests counts none of them again.
  leads int,
  promoted_variant_id uuid,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, campaign_id) references campaign (organization_id, id),
  check ((status in ('draft', 'archived')) = (started_at is null)),
  check ((status = 'stopped') = (stopped_at is not null))
);
create unique index ab_test_running on ab_test (organization_id, campaign_id) where status = 'running';
create index ab_test_campaign on ab_test (organization_id, campaign_id, id);
select wall_off('ab_test');

-- What a variant changes of the live campaign; null: as that is. The control changes nothing.
create table ab_variant (
  organization_id uuid not null,
  id uuid not null,
  ab_test_id uuid not null,
  position int not null,
  name text not null,
  share_percent int not null check (share_percent between 1 and 99),
  -- A whole tree, with group ids of its own.
  groups jsonb,
  -- Where that tree was taken from, in words.
  groups_from text not null default '',
  margin jsonb,
  floor numeric(13, 4) check (floor >= 0),
  -- The publishers' prices in percent of what their tiers say.
  price_percent numeric(7, 4) check (price_percent between 1 and 500),
  primary key (organization_id, id),
  foreign key (organization_id, ab_test_id) references ab_test (organization_id, id)
);
create index ab_variant_of_test on ab_variant (organization_id, ab_test_id, position);
select wall_off('ab_variant');

-- By which variant a lead of a campaign under test was routed. Written in the statement that writes the lead's result.
create table lead_variant (
  organization_id uuid not null,
  lead_id uuid not null,
  ab_test_id uuid not null,
  variant_id uuid not null,
  -- Keyed hash of whom the lead is of, another one in each test: leads of one consumer are judged together.
  consumer uuid not null,
  primary key (organization_id, lead_id)
) partition by range (lead_id);
create index lead_variant_of_test on lead_variant (organization_id, ab_test_id, lead_id);
select wall_off('lead_variant');

-- The two that grow get their months with all others that do, whatever else is in the list by now.
do $$
begin
  execute replace(pg_get_functiondef('ensure_month_partitions(date)'::regprocedure),
    '''service_call''', '''service_call'', ''promotion_sale'', ''lead_variant''');
end $$;
