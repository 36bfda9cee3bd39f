/** Landing pages as nodes know them, and what happens on them and on landers in an hour. */
import { sql } from 'kysely';
import type { Db } from '#server/kit/database.ts';

export interface LandingPageSeat {
  id: string;
  publisherTierId: string;
}

/** A page that something happened on: a landing page, or the card of a lander. */
export interface CountedPage {
  id: string;
  organizationId: string;
}

export type PageCounts = Partial<Record<'views' | 'submits', number>>;

/** Those that are counted and that leads may name. */
export async function listLandingPageSeats(db: Db, organizationId: string): Promise<LandingPageSeat[]> {
  const rows = await db
    .selectFrom('landing_page')
    .select(['id', 'publisher_tier_id'])
    .where('organization_id', '=', organizationId)
    .where('status', '=', 'active')
    .execute();
  return rows.map((row) => ({ id: row.id, publisherTierId: row.publisher_tier_id }));
}

/** So many more in the hour at hand; nothing of nothing. */
export async function countOnPage(db: Db, { organizationId, id }: CountedPage, counts: PageCounts, now: Date): Promise<void> {
  const entries = Object.entries(counts);
  if (entries.length === 0) return;
  await db
    .insertInto('page_hour')
    .values({ organization_id: organizationId, page_id: id, hour_at: sql`date_trunc('hour', ${now}::timestamptz, 'UTC')`, ...counts })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'page_id', 'hour_at'])
        .doUpdateSet(Object.fromEntries(entries.map(([event, more]) => [event, sql`${sql.ref(`page_hour.${event}`)} + ${more}`]))),
    )
    .execute();
}
