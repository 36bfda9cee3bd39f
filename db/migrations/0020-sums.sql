-- A lead that is sold several times earns more than one amount can say.
alter table lead_result
  alter column revenue type numeric(19, 4),
  alter column payout type numeric(19, 4),
  alter column margin type numeric(19, 4);
