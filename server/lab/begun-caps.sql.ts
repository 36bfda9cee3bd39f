/** How far caps were used when a span of leads began: what was sold, sent and paid in their windows before it, of every campaign. */
import { sql } from 'kysely';
import type { CompiledCap } from '#engine/cap.ts';
import type { Plan } from '#engine/compiled.ts';
import type { CapClaim } from '#engine/effect.ts';
import type { Instant } from '#engine/plan.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import { type CapScope, readUsed, type Used } from '#server/plan/count-caps.sql.ts';

interface Owned {
  owner: CapScope['owner'] | 'promotion';
  id: string;
  caps: readonly CompiledCap[];
}

/** By counter; units, or ten-thousandths for money. A counter that begins with the span stands at nothing, and is left out. */
export async function readBegunCaps(db: Db, plans: readonly Plan[], from: Instant): Promise<Map<string, number>> {
  const begun = new Map<string, number>();
  const read = new Map<string, Promise<Used>>();
  for (const { owner, id, caps } of plans.flatMap(ownersOf))
    for (const claim of caps.map((cap) => cap.claimAt(from, 0))) {
      const since = claim.windowStartAt ?? 0;
      if (since === from || begun.has(claim.counter)) continue;
      // The same span is read once for all measures.
      const name = `${id} ${since}`;
      const used = read.get(name) ?? usedBefore(db, plans[0]!.organizationId, owner, id, since, from);
      read.set(name, used);
      begun.set(claim.counter, figureOf(claim, await used));
    }
  return begun;
}

function ownersOf(plan: Plan): Owned[] {
  const tiers = [...plan.campaigns.values()].flatMap(({ groups }) => groups.flatMap(({ members }) => members.map(({ tier }) => tier)));
  return [
    ...[...plan.publisherTiers.values()].map(({ config, caps }) => ({ owner: 'publisherTier' as const, id: config.id, caps })),
    ...tiers.map(({ config, caps }) => ({ owner: 'buyerTier' as const, id: config.id, caps })),
    ...tiers.map(({ config, buyerCaps }) => ({ owner: 'buyer' as const, id: config.buyerId, caps: buyerCaps })),
    ...[...plan.promotions.values()].map(({ config, caps }) => ({ owner: 'promotion' as const, id: config.id, caps })),
  ];
}

const usedBefore = (db: Db, organizationId: string, owner: Owned['owner'], id: string, since: Instant, until: Instant): Promise<Used> =>
  owner === 'promotion' ? paidBy(db, organizationId, id, until) : readUsed(db, { organizationId, owner, id }, since, until);

async function paidBy(db: Db, organizationId: string, promotionId: string, until: Instant): Promise<Used> {
  const { rows } = await sql<Used>`
    select count(*)::text as sold, coalesce(sum(extra) * 10000, 0)::bigint::text as money, '0' as sent from promotion_sale
      where organization_id = ${organizationId}::uuid and promotion_id = ${promotionId}::uuid and lead_id < ${idFloor(until)}::uuid`.execute(
    db,
  );
  return rows[0]!;
}

const figureOf = ({ measure }: CapClaim, used: Used): number => Number(used[measure]);
