-- What an organization sees of somebody before they have answered, and what does not stay for ever.

-- An invitation is shown as it was typed: the account behind the address is nobody's business before it accepts.
alter table team_member
  add column invited_email text check (char_length(invited_email) <= 254),
  add column invited_first_name text not null default '',
  add column invited_last_name text not null default '';
update team_member m set
    invited_email = u.email,
    invited_first_name = case when u.password_hash is null then u.first_name else '' end,
    invited_last_name = case when u.password_hash is null then u.last_name else '' end
  from app_user u where u.id = m.user_id and m.status in ('invited', 'rejected');

drop policy seen_by_their_team on app_user;
create policy seen_by_their_team on app_user for select to sluice_tenant
  using (
    exists (
      select from team_member m
        where m.user_id = app_user.id and (m.status in ('active', 'disabled') or (m.status = 'removed' and m.seen_at is not null)))
    or exists (select from session s where s.user_id = app_user.id));

-- A hand-over is worth what it was made from: the credentials of that moment, and where it goes on with a session, that session,
-- whose end it takes along and with which it ends.
alter table one_time_token
  add column credential_epoch int,
  add column session_id uuid references session (id) on delete cascade,
  add column session_expires_at timestamptz;
create index one_time_token_of_session on one_time_token (session_id) where session_id is not null;

-- A logo's address changes with the logo.
alter table organization
  add column logo_version text generated always as (left(md5(logo), 12)) stored,
  add column light_logo_version text generated always as (left(md5(light_logo), 12)) stored;

-- A sub-domain that was given up is nobody else's for a while: who still has its address in a mail or a bookmark meets no impostor.
create table former_sub_domain (
  sub_domain text primary key,
  held_for uuid not null references organization (id) on delete cascade,
  given_up_at timestamptz not null default now()
);
comment on table former_sub_domain is 'reference';
