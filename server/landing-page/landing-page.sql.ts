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

/** So many more in the hour at hand, which is counted again where it was counted already; nothing of nothing. */
export async function countOnPage(db: Db, { organizationId, id }: CountedPage, counts: PageCounts, now: Date): Promise<void> {
  const { views = 0, submits = 0 } = counts;
  if (views + submits === 0) return;
  const hour = sql`date_trunc('hour', ${now}::timestamptz, 'UTC')`;
  await sql`insert into page_hour (organization_id, page_id, hour_at, views, submits)
    select ${organizationId}::uuid, ${id}::uuid, ${hour}, ${views}::int, ${submits}::int
      from mark_report(${organizationId}::uuid, array[uuid7_floor(${hour})])
    on conflict (organization_id, page_id, hour_at)
      do update set views = page_hour.views + excluded.views, submits = page_hour.submits + excluded.submits`.execute(db);
}
