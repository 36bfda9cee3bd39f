-- A sign-in that is under way while the password or the second factor changes must not outlive the change: a session says with
-- which credentials it began, and is none once they have changed.
alter table app_user add column credential_epoch int not null default 0;
alter table session add column credential_epoch int not null default 0;
