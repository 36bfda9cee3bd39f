-- How many nodes were lost while they worked on a replay: one that takes its node with it is not begun for ever.
alter table replay add column lost int not null default 0;
