/** A rise that is paid, and one that comes: for sites of the first organization's loans and insurances. */
import type { Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import { DAY_MS } from '#engine/zone.ts';
import { newId } from '#server/kit/ids.ts';
import type { InsertedOrganization } from './insert-world.ts';

const PROMOTIONS = [
  {
    seat: 'leadriver-social',
    name: 'Social season',
    notes: 'For the volume that was promised until the end of the season.',
    raise: { kind: 'fixed', amount: 15_000 },
    days: [-10, 20],
    lead_cap: 2_000,
  },
  {
    seat: 'quotenest-compare',
    name: 'Weekend comparison',
    notes: '',
    raise: { kind: 'percent', percent: 10 },
    days: [3, 5],
    lead_cap: null,
  },
] as const;

export async function insertPromotions(tx: Transaction<Database>, inserted: InsertedOrganization, now: number): Promise<void> {
  const dayAt = (days: number) => new Date(now + days * DAY_MS).toISOString().slice(0, 10);
  for (const { seat, raise, days, ...promotion } of PROMOTIONS) {
    const publisherTierId = inserted.publisherTiers.get(seat);
    if (!publisherTierId) continue;
    const { vertical_id } = await tx
      .selectFrom('publisher_tier as t')
      .innerJoin('campaign as c', (join) => join.onRef('c.organization_id', '=', 't.organization_id').onRef('c.id', '=', 't.campaign_id'))
      .select('c.vertical_id')
      .where('t.organization_id', '=', inserted.id)
      .where('t.id', '=', publisherTierId)
      .executeTakeFirstOrThrow();
    const target = JSON.stringify({ kind: 'publisherTier', publisherTierId });
    const span = { from_on: dayAt(days[0]), to_on: dayAt(days[1]), time_zone: inserted.world.timeZone };
    await tx
      .insertInto('promotion')
      .values({ organization_id: inserted.id, id: newId(), vertical_id, target, raise: JSON.stringify(raise), ...span, ...promotion })
      .execute();
  }
}
