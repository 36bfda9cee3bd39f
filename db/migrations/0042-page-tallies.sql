-- What happens on landing pages and landers is kept with what reports count: by the hour, and by stretches of days (decision 0030).

-- Of one hour or stretch (lead_tally says more). Views and submits are those of page_hour, leads and sold those that name the page.
create table page_tally (
  organization_id uuid not null,
  vertical_id uuid not null,
  grain text not null check (grain in ('hour', 'day')),
  cube text not null check (cube in ('page')),
  hour_id uuid not null,
  row_number int not null,
  page_id uuid not null,
  views int not null,
  submits int not null,
  leads int not null,
  sold int not null,
  primary key (organization_id, vertical_id, grain, cube, hour_id, row_number)
) partition by range (hour_id);
select wall_off('page_tally');

-- An hour is counted with all of its pages.
create index page_hour_when on page_hour (organization_id, hour_at);

-- Every month that has leads or visits, and those to come.
select ensure_month_partitions(month) from (
  select to_date(right(c.relname, 7), 'YYYY_MM') as month from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'lead'::regclass
  union select distinct date_trunc('month', hour_at, 'UTC')::date from page_hour) as months;

-- All is counted anew; reports read rows until it is.
delete from report_mark;
delete from report_progress;
