-- Whether somebody is told by mail of what portals ask for, where they may decide it.
alter table app_user add column request_mails boolean not null default true;
grant select (request_mails), update (request_mails) on app_user to sluice_tenant;
