-- A node of the version before finds no slots any more and reads the running hour from its rows. Nor can it make any: where
-- enough leads have come for slots it counts nothing until it is replaced, and what is marked is read from its rows until then. The table goes when no such node can be left. Who
-- waits for a report of such a node that has looked there are other reports of them, and no leads.
select pg_advisory_xact_lock(hashtext('sluice reports'));
delete from report_slots;
alter table report_slots add constraint report_slots_of_minutes_check check (false);
delete from report_slot_mark;
delete from lead_slot;
delete from attempt_slot;
delete from latency_slot;
