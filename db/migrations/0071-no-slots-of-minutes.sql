-- A node of the version before finds no slots any more and reads the running hour from its rows. Nor can it make any, and so it counts nothing until it is replaced: what is marked
-- is read from its rows until then. The table goes when no such node can be left.
delete from report_slots;
alter table report_slots add constraint report_slots_of_minutes_check check (false);
delete from report_slot_mark;
delete from lead_slot;
delete from attempt_slot;
delete from latency_slot;
