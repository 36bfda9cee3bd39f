-- Help content belongs to the installation and is the same for every organization: prompts of pages, terms, questions and articles.
create table help_entry (
  kind text not null check (kind in ('prompt', 'term', 'question', 'article')),
  key text not null check (key ~ '^[a-z0-9][a-z0-9.-]{0,79}$'),
  tags text[] not null default '{}',
  -- The shape is helpBody in contract/help.ts.
  body jsonb not null,
  version integer not null check (version > 0),
  is_removed boolean not null default false,
  -- {tags, body} as the product brings it; null for what somebody has added, and for what the product brings no longer.
  shipped jsonb,
  -- Somebody's own words, which no upgrade replaces.
  is_own boolean not null,
  changed_at timestamptz not null default now(),
  changed_by text not null,
  primary key (kind, key)
);
comment on table help_entry is 'reference';

-- Every state an entry has been in, the present one included.
create table help_version (
  kind text not null,
  key text not null,
  version integer not null,
  tags text[] not null,
  body jsonb not null,
  is_removed boolean not null,
  changed_at timestamptz not null,
  changed_by text not null,
  primary key (kind, key, version),
  foreign key (kind, key) references help_entry (kind, key)
);
comment on table help_version is 'reference';
