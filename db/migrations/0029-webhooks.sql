-- Who is told what becomes of leads, as it happens: addresses of the organization's own systems, and what each was or is to be told.
create table webhook (
  organization_id uuid not null,
  id uuid not null,
  vertical_id uuid not null,
  name text not null check (char_length(name) between 1 and 120),
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  url text not null check (char_length(url) between 1 and 2000),
  events text[] not null,
  notes text not null default '' check (char_length(notes) <= 500),
  -- The secret is made from the organization's key and this; another number is another secret.
  secret_epoch int not null default 1,
  -- Since when no call was taken; null where the last one was.
  failing_since timestamptz,
  version int not null default 1,
  updated_at timestamptz not null default now(),
  primary key (organization_id, id),
  foreign key (organization_id, vertical_id) references vertical (organization_id, id)
);
select wall_off('webhook');

create table webhook_call (
  organization_id uuid not null,
  id uuid not null,
  webhook_id uuid not null,
  lead_id uuid not null,
  event text not null,
  made_at timestamptz not null,
  state text not null default 'due' check (state in ('due', 'told', 'failed')),
  -- When it is tried next; while it is on its way, when somebody else may take it up.
  due_at timestamptz not null,
  tries smallint not null default 0,
  last_at timestamptz,
  status_code smallint,
  failure text,
  elapsed_ms real,
  primary key (organization_id, id),
  foreign key (organization_id, webhook_id) references webhook (organization_id, id)
);
create index webhook_call_due on webhook_call (organization_id, webhook_id, due_at) where state = 'due';
create index webhook_call_of_webhook on webhook_call (organization_id, webhook_id, id);
select wall_off('webhook_call');

-- In the transaction in which something became of a lead after its end. Tests are told to nobody.
create function queue_webhooks(p_org uuid, p_lead uuid, p_event text, p_now timestamptz) returns void language sql as $$
  insert into webhook_call (organization_id, id, webhook_id, lead_id, event, made_at, due_at)
    select p_org, uuid7_at(p_now), w.id, p_lead, p_event, p_now, p_now
    from lead l join webhook w on w.organization_id = l.organization_id and w.vertical_id = l.vertical_id
    where l.organization_id = p_org and l.id = p_lead and not l.test and w.status <> 'archived' and p_event = any(w.events)
$$;
