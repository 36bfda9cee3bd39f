/**
 * Places in caps that leads hold though they have ended without them: what a buyer had refused was to be given back, and the node died, or could
 * not reach the database, before that was written.
 */
import type pg from 'pg';

/** As long as a lead lives at most, and as its node tries to give back what it holds. */
const FORGOTTEN_AFTER_MS = 20 * 60_000;

/**
 * What nobody will settle any more: the lead has its result, and no buyer may still hold it by this booking. Where a sale came of it the counters
 * stand as they should, and the booking only goes.
 */
const FORGOTTEN = `with forgotten as (
  delete from reservation v
    where v.unknown_since is null and v.reserved_at < $1
      and exists (select from lead_result r where r.organization_id = v.organization_id and r.lead_id = v.lead_id)
      and not exists (select from reservation p where p.organization_id = v.organization_id and p.lead_id = v.lead_id and p.subject_id = v.subject_id
        and p.purpose = 'post' and p.unknown_since is not null)
    returning *),
unsold as (
  select f.organization_id, f.lead_id, f.subject_id, f.claims, f.fingerprints from forgotten f
    where not exists (select from sale s where s.organization_id = f.organization_id and s.lead_id = f.lead_id
      and case f.purpose
        when 'admit' then true
        when 'promotion' then s.buyer_tier_id = f.subject_id and exists (select from promotion_sale p
          where p.organization_id = s.organization_id and p.lead_id = s.lead_id and p.sale_index = s.sale_index
            and exists (select from jsonb_array_elements(f.claims) c where split_part(c ->> 0, ':', 1) = p.promotion_id::text))
        else s.buyer_tier_id = f.subject_id end)),
freed as (
  delete from duplicate_claim d using unsold u
    where d.organization_id = u.organization_id and d.scope_id = u.subject_id and d.fingerprint = any (u.fingerprints) and d.lead_id = u.lead_id)
select u.organization_id, claim ->> 0 as counter, sum((claim ->> 1)::bigint)::text as amount
  from unsold u cross join lateral jsonb_array_elements(u.claims) claim group by 1, 2 order by 1, 2`;

/** Gives them back, all or none. `now` in ms. */
export async function giveBackPlaces(pool: pg.Pool, now = Date.now()): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query<{ organization_id: string; counter: string; amount: string }>(FORGOTTEN, [
      new Date(now - FORGOTTEN_AFTER_MS),
    ]);
    for (const { organization_id, counter, amount } of rows)
      await client.query('update counter set used = greatest(0, used - $3) where organization_id = $1 and counter = $2', [
        organization_id,
        counter,
        amount,
      ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}
