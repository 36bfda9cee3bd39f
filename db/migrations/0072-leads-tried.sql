-- Beside the tries of buyer tiers stand the leads that were tried, each once, at one of the tiers that it was tried at (server/report/cubes.ts). What is kept does not say
-- which tries were of one lead: all is counted anew, and reports read rows until it is. A node of the version before cannot write what it would count without, and leaves its marks.
select pg_advisory_xact_lock(hashtext('sluice reports'));
truncate attempt_tally, attempt_slot;
alter table attempt_tally
  add column leads integer not null, add column buyer_leads integer not null, add column group_leads integer not null, add column filter_leads integer not null,
  drop constraint attempt_tally_counting_check,
  add constraint attempt_tally_counting_check check (counting = 3);
alter table attempt_slot
  add column leads integer not null, add column buyer_leads integer not null, add column group_leads integer not null, add column filter_leads integer not null,
  drop constraint attempt_tally_counting_check,
  add constraint attempt_tally_counting_check check (counting = 3);
delete from lead_slot;
delete from latency_slot;
delete from report_slot_mark;
delete from report_slot_progress;
delete from report_mark;
delete from report_progress;
