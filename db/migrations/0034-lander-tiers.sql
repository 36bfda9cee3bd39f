-- A publisher tier takes leads by its posting keys, or from the landers of cards alone (decision 0027).
alter table publisher_tier add column kind text not null default 'api' check (kind in ('api', 'lander'));

-- Tiers that only landers used so far. A lander's lead names its card in lead_page; of a tier that never had a key, nobody can have posted any. A tier that somebody posted to, or still
-- may, stays as it is, and so does the card that names it.
update publisher_tier t set kind = 'lander'
  where exists (select from card c where c.organization_id = t.organization_id and c.publisher_tier_id = t.id and c.status <> 'archived' and c.has_lander)
    and not exists (select from posting_key k where k.organization_id = t.organization_id and k.publisher_tier_id = t.id
      and (k.revoked_at is null or k.revoked_at > now()) and (k.expires_at is null or k.expires_at > now()))
    and not exists (select from landing_page g where g.organization_id = t.organization_id and g.publisher_tier_id = t.id and g.status <> 'archived')
    and (not exists (select from posting_key k where k.organization_id = t.organization_id and k.publisher_tier_id = t.id)
      or not exists (select from lead l where l.organization_id = t.organization_id and l.publisher_tier_id = t.id
        and not exists (select from lead_page g join card c on c.organization_id = g.organization_id and c.id = g.page_id
          where g.organization_id = l.organization_id and g.lead_id = l.id)));
