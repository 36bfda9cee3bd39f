-- What payment processors report back of payments (payment-processor-stats, decision 0034).

create table payment_processor (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  name text not null check (char_length(name) between 1 and 120),
  notes text not null default '' check (char_length(notes) <= 500),
  -- The address it reports to is made of this: another one, and the address before opens nothing.
  postback_epoch int not null default 0,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
create index payment_processor_of_vertical on payment_processor (organization_id, vertical_id);
select wall_off('payment_processor');

-- A transaction of a processor, as all that was said of it comes to. Ids of nothing are all zeros: the payment has no lead, or its lead no buyer.
create table payment (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  processor_id uuid not null,
  -- A keyed hash of the processor's own id of it, and the id itself to read; dots where it was made of a person who was erased.
  transaction_hash uuid not null,
  transaction_id text not null check (char_length(transaction_id) <= 200),
  attempted_at timestamptz not null,
  result text not null check (result in ('approved', 'declined', 'refunded', 'chargeback')),
  amount numeric(13,4) not null,
  -- Null: nothing was given back, nothing was charged back.
  refunded numeric(13,4),
  charged_back numeric(13,4),
  currency text not null check (char_length(currency) = 3),
  -- Why it was declined; empty where it was not.
  reason text not null default '' check (char_length(reason) <= 120),
  -- Six to eight digits, and the move that it had when the payment was first heard of; empty and 0 without a BIN.
  bin text not null default '' check (bin ~ '^(\d{6,8})?$'),
  move smallint not null default 0 check (move between 0 and 4),
  lead_id uuid,
  -- Of a test lead: counted nowhere.
  test boolean not null default false,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  primary key (organization_id, id),
  unique (organization_id, processor_id, transaction_hash),
  foreign key (organization_id, processor_id) references payment_processor (organization_id, id)
);
create index payment_of_time on payment (organization_id, vertical_id, attempted_at, id);
create index payment_of_lead on payment (organization_id, lead_id) where lead_id is not null;
select wall_off('payment');

-- All that was said of it, in the order in which it came.
create table payment_report (
  organization_id uuid not null,
  payment_id uuid not null,
  report_index smallint not null,
  result text not null check (result in ('approved', 'declined', 'refunded', 'chargeback')),
  amount numeric(13,4),
  reason text not null default '' check (char_length(reason) <= 120),
  -- As the processor says, where it does.
  happened_at timestamptz,
  received_at timestamptz not null,
  primary key (organization_id, payment_id, report_index),
  foreign key (organization_id, payment_id) references payment (organization_id, id) on delete cascade
);
select wall_off('payment_report');

-- Payments by the hour of their attempt, kept exact by whatever writes one. Cube `wide` knows no BIN, `bin` neither reason, lead nor buyer: what one does
-- not know is empty, 0 or all zeros in it.
create table payment_hour (
  organization_id uuid not null,
  vertical_id uuid not null,
  cube text not null check (cube in ('wide', 'bin')),
  hour_at timestamptz not null,
  processor_id uuid not null,
  move smallint not null,
  bin text not null,
  reason text not null,
  campaign_id uuid not null,
  publisher_id uuid not null,
  publisher_tier_id uuid not null,
  buyer_id uuid not null,
  buyer_tier_id uuid not null,
  currency text not null,
  attempts int not null,
  approved int not null,
  declined int not null,
  refunds int not null,
  chargebacks int not null,
  approved_sum numeric(19,4) not null,
  refunded_sum numeric(19,4) not null,
  charged_back_sum numeric(19,4) not null,
  primary key (organization_id, vertical_id, cube, hour_at, processor_id, move, bin, reason, campaign_id, publisher_id, publisher_tier_id, buyer_id,
    buyer_tier_id, currency)
);
select wall_off('payment_hour');
