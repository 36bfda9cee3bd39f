-- What an operator is told of each node that runs: which version it is, on which machine, and what it has done. Written with its heartbeat.
alter table node
  add column version text not null default '',
  add column host text not null default '',
  add column leads_ended bigint not null default 0,
  add column leads_under_way integer not null default 0;

-- Since when an hour waits to be counted: its id is chance, and tells nothing.
alter table report_mark add column marked_at timestamptz not null default now();
