-- Figures that outgrow their columns: a lead that is sold several times earns more than one amount can say, and a small effect takes many leads to find.
alter table lead_result
  alter column revenue type numeric(19, 4),
  alter column payout type numeric(19, 4),
  alter column margin type numeric(19, 4);

alter table ab_test alter column planned_leads type bigint;
