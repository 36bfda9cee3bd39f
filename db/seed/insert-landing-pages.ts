/** Landing pages of publishers: a part of what their tiers send was written there, and names the page. */
import type { Transaction } from 'kysely';
import type { Database } from '#db/types.ts';
import { newId } from '#server/kit/ids.ts';
import type { InsertedOrganization } from './insert-world.ts';

export async function insertLandingPages(tx: Transaction<Database>, inserted: InsertedOrganization): Promise<void> {
  for (const { tier, name, url, notes } of inserted.world.landingPages ?? []) {
    const { campaign } = inserted.world.publishers.flatMap(({ tiers }) => tiers).find(({ slug }) => slug === tier)!;
    const { place } = inserted.world.campaigns.find(({ slug }) => slug === campaign)!;
    const id = newId();
    const of = { vertical_id: inserted.verticals.get(place)!.verticalId, publisher_tier_id: inserted.publisherTiers.get(tier)! };
    await tx
      .insertInto('landing_page')
      .values({ organization_id: inserted.id, id, ...of, name, url, notes })
      .execute();
    inserted.landingPages.set(tier, id);
  }
}
