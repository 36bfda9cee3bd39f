-- How long calls take is kept with what the sales that came of them brought, and a ping has the sales that came of its bid: of the calls that a sale took, the
-- slower one has it. What is kept was counted otherwise.
truncate latency_tally;
alter table latency_tally add column revenue numeric(19, 4)[] not null check (cardinality(revenue) = cardinality(buckets));

-- All is counted anew; reports read rows until it is. A node of the version before cannot keep what it would count wrong, and leaves its marks.
delete from report_mark;
delete from report_progress;
