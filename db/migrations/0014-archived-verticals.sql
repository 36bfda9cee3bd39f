-- A region or vertical that was removed leaves the menus and takes no leads; what came in through it stays readable, and it can come back.
alter table region add column status text not null default 'active' check (status in ('active', 'archived'));
alter table vertical add column status text not null default 'active' check (status in ('active', 'archived'));
