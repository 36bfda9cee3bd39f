/** What is wrong right now, said in whole sentences, worst first: one judgement for the overview and for flow-control. */
import { type Warning, warningKind } from '#contract/warning.ts';
import type { Db } from '#server/kit/database.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { listCaps } from './cap-warnings.sql.ts';
import { listBreakers, listFailing, listResting, listThrottledTiers, listUnsettled } from './failing.sql.ts';
import { listFailingFeeds } from './feed-warnings.sql.ts';
import { listFunds } from './funds-warnings.sql.ts';
import { listClosedLanders } from './lander-warnings.sql.ts';
import { listServiceWarnings } from './service-warnings.sql.ts';
import { listLeftOut, listStanding } from './standing.ts';
import { listUnmappedValues } from './unmapped-warnings.ts';
import { type WarningScope, watch } from './watched.ts';

export async function listWarnings(db: Db, organization: OrganizationPlan, scope: WarningScope, now: number): Promise<Warning[]> {
  const watched = watch(organization, scope);
  const { buyerTiers, publisherTiers } = watched;
  const ids = publisherTiers.map(({ config }) => config.id);
  const isOfLanders = (id: string) => organization.publisherSeats.get(id)?.kind === 'lander';
  const fed = await Promise.all([
    listKeyed(
      db,
      organization,
      ids.filter((id) => !isOfLanders(id)),
      now,
    ),
    listShown(db, organization, ids.filter(isOfLanders)),
  ]);
  const found = await Promise.all([
    listCaps(db, organization, watched, now),
    listFailing(db, organization, scope.verticalId, buyerTiers, now),
    listUnsettled(db, organization, scope.verticalId, buyerTiers),
    listServiceWarnings(db, organization, watched, scope.verticalId, now),
    listBreakers(db, organization, buyerTiers, now),
    listFunds(db, organization, buyerTiers),
    listResting(db, organization, buyerTiers, now),
    listThrottledTiers(db, organization, buyerTiers),
    listClosedLanders(db, organization, scope),
    listUnmappedValues(db, organization, buyerTiers, now),
    scope.campaign ? [] : listFailingFeeds(db, organization.organizationId, scope.verticalId, now),
  ]);
  return [
    ...listStanding(organization, watched, new Set(fed.flat()), now),
    ...listLeftOut(organization, watched, scope),
    ...found.flat(),
  ].sort(worstWarningFirst);
}

/** The kinds stand in the contract in this order. */
export const worstWarningFirst = (a: Warning, b: Warning): number =>
  warningKind.options.indexOf(a.kind) - warningKind.options.indexOf(b.kind);

/** Publisher tiers that somebody can post to with some key. */
async function listKeyed(db: Db, { organizationId }: OrganizationPlan, ids: string[], now: number): Promise<string[]> {
  if (ids.length === 0) return [];
  const at = new Date(now);
  const rows = await db
    .selectFrom('posting_key')
    .select('publisher_tier_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('publisher_tier_id', 'in', ids)
    .where((key) => key.or([key('revoked_at', 'is', null), key('revoked_at', '>', at)]))
    .where((key) => key.or([key('expires_at', 'is', null), key('expires_at', '>', at)]))
    .execute();
  return rows.map((row) => row.publisher_tier_id);
}

/** Publisher tiers to which the lander of some active card sends its leads. */
async function listShown(db: Db, { organizationId }: OrganizationPlan, ids: string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('card')
    .select('publisher_tier_id')
    .distinct()
    .where('organization_id', '=', organizationId)
    .where('publisher_tier_id', 'in', ids)
    .where('status', '=', 'active')
    .where('has_lander', '=', true)
    .execute();
  return rows.flatMap((row) => row.publisher_tier_id ?? []);
}
