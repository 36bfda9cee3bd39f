-- The team and its people: where somebody reports, when a member was last here, and the second wall around people and sessions.

alter table app_user
  -- Null follows the organization's preference.
  add column reporting_time_zone text check (reporting_time_zone in ('UTC', 'America/New_York', 'Europe/London'));

alter table team_member add column seen_at timestamptz;
update team_member set seen_at = (select max(s.seen_at) from session s where s.user_id = team_member.user_id and s.organization_id = team_member.organization_id);

-- Who is signed in here: the token's hash stays out of reach.
alter table session enable row level security;
create policy one_organization on session to sluice_tenant using (organization_id = current_setting('sluice.organization')::uuid);
grant select (id, user_id, organization_id, created_at, seen_at, expires_at, stage, address, user_agent), delete on session to sluice_tenant;
create index session_of_organization on session (organization_id, seen_at);

-- People are seen by the organizations they are in; a profile is changed by its own person alone, whom `sluice.person` names.
alter table app_user enable row level security;
create policy seen_by_their_team on app_user for select to sluice_tenant
  using (exists (select from team_member m where m.user_id = app_user.id) or exists (select from session s where s.user_id = app_user.id));
create policy changed_by_themselves on app_user for update to sluice_tenant
  using (id = nullif(current_setting('sluice.person', true), '')::uuid);
grant select (reporting_time_zone) on app_user to sluice_tenant;
grant update (first_name, last_name, reporting_time_zone) on app_user to sluice_tenant;
