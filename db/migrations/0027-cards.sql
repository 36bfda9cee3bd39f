-- Public business cards, and their landers: pages with a contact form whose submissions are leads (account §1, §3). The record behind both is the rolodex.

create table card (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  name text not null check (char_length(name) between 1 and 120),
  title text not null default '',
  company text not null default '',
  email text not null default '',
  phone text not null default '',
  website text not null default '',
  additional_information text not null default '',
  -- [{kind, url, label}] (contract/card.ts).
  social_media jsonb not null default '[]',
  design_key text not null default 'professional' check (design_key in ('professional', 'modern', 'elegant', 'vibrant', 'natural', 'custom')),
  -- Of the design "custom".
  design_color_hash text not null default '' check (design_color_hash ~ '^(#[0-9a-f]{6})?$'),
  avatar bytea,
  avatar_type text,
  avatar_at timestamptz,
  has_lander boolean not null default false,
  -- Whose leads the lander's submissions are.
  publisher_tier_id uuid,
  -- HTML, sanitised before it is stored.
  lander_description text not null default '' check (char_length(lander_description) <= 20000),
  -- Names of fields of the vertical, in the order of the form.
  lander_fields text[] not null default '{}',
  -- What the consumer agrees to; without it nothing is asked.
  consent_text text not null default '',
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id),
  foreign key (organization_id, publisher_tier_id) references publisher_tier (organization_id, id)
);
-- A public address names nothing but the card.
create index card_public on card (id);
select wall_off('card');

-- What happened to a card on a day (UTC): views of people, and what the lander sent.
create table card_day (
  organization_id uuid not null,
  card_id uuid not null,
  day date not null,
  card_views int not null default 0,
  lander_views int not null default 0,
  submissions int not null default 0,
  sold int not null default 0,
  primary key (organization_id, card_id, day),
  foreign key (organization_id, card_id) references card (organization_id, id)
);
select wall_off('card_day');
