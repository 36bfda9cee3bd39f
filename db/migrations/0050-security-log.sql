-- Who signed in, by what, from where and what came of it, and what was refused to whom (decision 0044). Lines are written by the installation alone:
-- on behalf of an organization they are read, never written, changed or taken away. A whole month goes at once when its time is over.

create table security_log (
  organization_id uuid not null,
  id uuid not null,
  -- Whom it is about; null where a link named nobody that is known.
  user_id uuid,
  -- As the person was called then.
  user_name text not null,
  -- Who did it, where that was somebody else.
  by_user_id uuid,
  by_name text,
  kind text not null check (kind in ('sign-in', 'sign-out', 'session-ended', 'password', 'two-factor', 'link', 'proof', 'refusal', 'limit')),
  -- 'done', or what came of it instead.
  outcome text not null,
  -- By what the person was, or tried to be, known: 'password+code'; '' where nothing was asked for.
  factors text not null default '',
  network text not null,
  device text not null,
  method text not null,
  -- The pattern of the address, never what somebody typed into it.
  route text not null,
  status_code smallint not null,
  -- Of a refusal.
  code text not null default '',
  -- How many just like it came in the same minute and are not kept one by one.
  more int not null default 0 check (more >= 0),
  primary key (organization_id, id)
) partition by range (id);
select wall_off('security_log');
revoke insert, update, delete on security_log from sluice_tenant;

-- The month that is, and those to come.
select ensure_month_partitions(month) from (
  select to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'lead'::regclass) as months
  where month >= date_trunc('month', now() at time zone 'UTC');
