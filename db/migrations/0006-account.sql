-- Accounts: confirmation, two-factor, invitations, mail, one-time tokens, throttling; and row-level security as a second wall
-- between organizations.

alter table app_user
  -- Somebody who was invited has no password yet.
  alter column password_hash drop not null,
  add column email_confirmed_at timestamptz,
  add column password_changed_at timestamptz,
  -- Sealed with the installation's master key; two-factor is on from mfa_enabled_at.
  add column mfa_secret bytea,
  add column mfa_enabled_at timestamptz,
  -- The time step of the last code that was taken: a code opens once.
  add column mfa_last_step bigint not null default 0,
  -- Where the person was when the last session ended: {url, timeStamp: {timespan, startDate, endDate}}.
  add column last_page jsonb;
update app_user set email_confirmed_at = created_at, password_changed_at = created_at;

create table recovery_code (
  user_id uuid not null references app_user (id) on delete cascade,
  code_hash bytea not null,
  used_at timestamptz,
  primary key (user_id, code_hash)
);
comment on table recovery_code is 'reference';

alter table organization
  add column legal_footer text not null default '' check (char_length(legal_footer) <= 5000),
  add column logo bytea check (octet_length(logo) <= 512 * 1024),
  add column logo_type text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  add column light_logo bytea check (octet_length(light_logo) <= 512 * 1024),
  add column light_logo_type text check (light_logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  -- allowFSUsers of account §6: kept out of the buyer-tier logs whatever their permissions say.
  add column restricted_user_ids uuid[] not null default '{}',
  -- Whatever else the owner prefers; the shape is organizationPreferences in contract/organization.ts.
  add column preferences jsonb not null default '{}';

alter table team_member
  drop constraint team_member_status_check,
  add constraint team_member_status_check check (status in ('invited', 'active', 'disabled', 'rejected', 'removed')),
  add column invited_by uuid references app_user (id),
  add column invited_at timestamptz,
  add column answered_at timestamptz;

alter table session
  -- What a session is called in lists; the token is nowhere.
  add column id uuid not null default gen_random_uuid() unique,
  -- Nobody is signed in until the second factor was shown; an organization may still have to be chosen.
  add column stage text not null default 'full' check (stage in ('mfa-setup', 'mfa-code', 'full')),
  alter column organization_id drop not null,
  add column address text not null default '',
  add column user_agent text not null default '' check (char_length(user_agent) <= 300);

-- Every link and hand-over: 256 random bits, kept as their hash, good once.
create table one_time_token (
  token_hash bytea primary key,
  purpose text not null check (purpose in ('activation', 'password-reset', 'mfa-reset', 'invitation', 'hand-over')),
  user_id uuid not null references app_user (id) on delete cascade,
  organization_id uuid references organization (id) on delete cascade,
  team_member_id uuid,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at timestamptz
);
comment on table one_time_token is 'reference';
create index one_time_token_of_user on one_time_token (user_id, purpose);

-- Counts tries over all nodes: a sliding count over two halves.
create table throttle (
  name text primary key,
  window_start timestamptz not null,
  count int not null,
  before int not null default 0,
  ends_at timestamptz not null
);
comment on table throttle is 'reference';

-- Mail on its way. The text is sealed: it holds links that open accounts.
create table mail (
  id uuid primary key,
  kind text not null,
  recipient text not null,
  content bytea,
  created_at timestamptz not null default now(),
  send_after timestamptz not null default now(),
  tries int not null default 0,
  sent_at timestamptz,
  gave_up_at timestamptz
);
comment on table mail is 'reference';
create index mail_to_send on mail (send_after) where sent_at is null and gave_up_at is null;

-- The second wall -------------------------------------------------------------------------------------------------
-- What a signed-in person asks for is read and written under this role, which sees one organization's rows: the one that
-- `sluice.organization` names. Without a name nothing is seen: the setting is missing and the statement fails.

-- Whoever may make no roles has been given it.
do $$ begin
  create role sluice_tenant nologin;
exception
  when duplicate_object or unique_violation then null;
  when insufficient_privilege then
    if to_regrole('sluice_tenant') is null then raise; end if;
end $$;
do $$ begin
  if not pg_has_role(current_user, 'sluice_tenant', 'set') then
    execute format('grant sluice_tenant to %I', current_user);
  end if;
end $$;

-- Opens every tenant table to the role behind its policy. Later migrations call it for the tables they add.
create function wall_off(tenant_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format(
    'create policy one_organization on %s to sluice_tenant using (organization_id = current_setting(''sluice.organization'')::uuid)', tenant_table);
  execute format('grant select, insert, update, delete on %s to sluice_tenant', tenant_table);
end $$;

select wall_off(c.oid) from pg_class c
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'session'
    and coalesce(obj_description(c.oid), '') not like 'reference%';

alter table organization enable row level security;
create policy one_organization on organization to sluice_tenant using (id = current_setting('sluice.organization')::uuid);
grant select, update on organization to sluice_tenant;
grant usage on schema public to sluice_tenant;
-- People of the installation: only what a screen says of them.
grant select (id, email, first_name, last_name, status, email_confirmed_at, mfa_enabled_at, created_at) on app_user to sluice_tenant;
