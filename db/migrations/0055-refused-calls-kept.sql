-- Calls that made no lead hold a person too: they go with the soonest rule of their vertical.
alter table retention
  -- The last call that the rules have looked at.
  add column calls_after uuid not null default '00000000-0000-0000-0000-000000000000',
  add column emptied_calls bigint not null default 0;
