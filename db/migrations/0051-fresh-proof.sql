-- When and by what the person of a session was last known: {"passwordAt", "codeAt", "by"}, ISO 8601 or null. What is begun by a hand-over takes it along.
alter table session add column proof jsonb not null default '{}';
alter table one_time_token add column proof jsonb not null default '{}';
