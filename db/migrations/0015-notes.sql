-- Campaigns and tiers have notes, as publishers and buyers have.

alter table campaign add column notes text not null default '' check (char_length(notes) <= 500);
alter table publisher_tier add column notes text not null default '' check (char_length(notes) <= 500);
alter table buyer_tier add column notes text not null default '' check (char_length(notes) <= 500);
