-- As 0059.
alter table attempt_tally drop constraint attempt_tally_grain_check,
  add constraint attempt_tally_grain_check check (grain in ('hour', 'day', 'week')) not valid;
