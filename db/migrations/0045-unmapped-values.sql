-- Values that went to buyers as they came, because the value map or the ranges of a mapping row do not know them: how many since when, for the
-- warning that says so. What a person gave is not kept here.

create table unmapped_value (
  organization_id uuid not null,
  buyer_tier_id uuid not null,
  -- The mapping row's name at the buyer.
  target text not null,
  sends int not null,
  since timestamptz not null,
  last_at timestamptz not null,
  primary key (organization_id, buyer_tier_id, target),
  foreign key (organization_id, buyer_tier_id) references buyer_tier (organization_id, id)
);
select wall_off('unmapped_value');
