/** Buyer tiers that were sent values their value maps or ranges do not know: the buyer may read them as anything, or refuse the lead. */
import type { Warning } from '#contract/warning.ts';
import type { BuyerTierPlan } from '#engine/compiled.ts';
import { utcMinute } from '#engine/utc-minute.ts';
import type { Db } from '#server/kit/database.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { listUnmapped } from '#server/unmapped/unmapped.sql.ts';
import { nameOfBuyerTier } from './watched.ts';

const MOST_NAMED = 5;

export async function listUnmappedValues(
  db: Db,
  { organizationId }: OrganizationPlan,
  tiers: BuyerTierPlan[],
  now: number,
): Promise<Warning[]> {
  const names = new Map(tiers.map(({ config }) => [config.id, nameOfBuyerTier(config)]));
  const rows = Map.groupBy(await listUnmapped(db, organizationId, [...names.keys()], now), (row) => row.buyerTierId);
  return [...rows].map(([id, unmapped]) => {
    const sends = unmapped.reduce((sum, row) => sum + row.sends, 0);
    const since = Math.min(...unmapped.map((row) => row.since));
    const named = unmapped.slice(0, MOST_NAMED).map(({ target }) => target);
    const more = unmapped.length > named.length ? ` and ${unmapped.length - named.length} more` : '';
    const text = `${names.get(id)} was sent ${sends === 1 ? 'a value' : `${sends} values`} that its mapping does not know, since ${utcMinute(since)}, for ${named.join(', ')}${more}. The request of a lead shows it; add it to the value map or the ranges, or say what is sent for all others.`;
    return { kind: 'unmapped', subjectId: id, tierIds: [id], mark: 'Unmapped values', text };
  });
}
