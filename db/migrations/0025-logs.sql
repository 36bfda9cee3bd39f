-- Which key a call came with, and how many calls just like it came in the same breath and are not kept one by one.
alter table api_call add column key_prefix text, add column more int not null default 0 check (more >= 0);

-- Whoever looks at a person's values unmasked, or erases a person, is written down like a change.
alter table change_log drop constraint change_log_action_check;
alter table change_log add constraint change_log_action_check check (action in ('add', 'edit', 'remove', 'restore', 'order', 'publish', 'look', 'erase'));

-- The posting specification of a publisher tier opens by a link without a sign-in while it is open; a new epoch makes the link another.
alter table publisher_tier add column spec_open boolean not null default false, add column spec_epoch int not null default 0;
