-- Until when a call that is on its way belongs to the node that took it up, by the clock of the database: clocks of nodes differ. Null while nobody has it.
alter table webhook_call add column taken_until timestamptz;
