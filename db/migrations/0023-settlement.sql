-- What a buyer said last of an open lead that could not be taken as it said it; gone when the lead is settled.
create table refused_postback (
  organization_id uuid not null,
  lead_id uuid not null,
  buyer_tier_id uuid not null,
  price numeric(13, 4),
  why text not null,
  said_at timestamptz not null,
  primary key (organization_id, lead_id, buyer_tier_id)
) with (fillfactor = 50);
select wall_off('refused_postback');

-- Who enters a payment or an adjustment names the call by a key of its own: the same again enters nothing.
create table entry_call (
  organization_id uuid not null,
  call_key uuid not null,
  -- What was asked for, so that a key is not used for something else.
  asked jsonb not null,
  entered_at timestamptz not null,
  primary key (organization_id, call_key)
);
select wall_off('entry_call');
revoke update, delete on entry_call from sluice_tenant;
