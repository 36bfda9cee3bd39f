/** What page-stats tells: the pages of a vertical, and what was counted on each. */
import { sql } from 'kysely';
import type { PageMeasures } from '#contract/landing-page.ts';
import type { ReportUnit } from '#contract/report.ts';
import type { Db } from '#server/kit/database.ts';
import type { Look, ReportScope } from '#server/report/read-facts.sql.ts';
import { type ReportFilters, startOf } from '#server/report/report.sql.ts';
import type { Span } from '#server/report/split-span.ts';

export interface ReportedPage {
  id: string;
  kind: 'landingPage' | 'lander';
  name: string;
  url: string;
  status: 'active' | 'paused' | 'archived';
  tierId: string;
  tierName: string;
}

/** The landing pages and landers of a vertical, archived ones too. */
export async function listReportedPages(
  db: Db,
  { organizationId, verticalId }: ReportScope,
  filters: ReportFilters,
): Promise<ReportedPage[]> {
  const narrowed = [
    ...(filters.publisher_tier_id ? [sql`t.id = ${filters.publisher_tier_id}::uuid`] : []),
    ...(filters.publisher_id ? [sql`t.publisher_id = ${filters.publisher_id}::uuid`] : []),
    ...(filters.campaign_id ? [sql`t.campaign_id = ${filters.campaign_id}::uuid`] : []),
  ];
  const { rows } = await sql<ReportedPage>`
    with page as (
      select id, 'landingPage' as kind, name, url, status, publisher_tier_id from landing_page
        where organization_id = ${organizationId}::uuid and vertical_id = ${verticalId}::uuid
      union all
      select id, 'lander', name, '/drawcard/lander/' || id, case when has_lander then status else 'archived' end, publisher_tier_id from card
        where organization_id = ${organizationId}::uuid and vertical_id = ${verticalId}::uuid and publisher_tier_id is not null)
    select page.id, page.kind, page.name, page.url, page.status, t.id as "tierId", p.name || ', ' || t.name as "tierName"
    from page
    join publisher_tier t on t.organization_id = ${organizationId}::uuid and t.id = page.publisher_tier_id
    join publisher p on p.organization_id = t.organization_id and p.id = t.publisher_id
    ${narrowed.length > 0 ? sql`where ${sql.join(narrowed, sql` and `)}` : sql``}
    order by page.name, page.id`.execute(db);
  return rows;
}

export interface PagePoint extends PageMeasures {
  pageId: string;
  /** The instant at which its unit begins. */
  at: number;
}

/** What happened on these pages, by page and by the unit of time. Of a page's leads, test leads and bare pings are left out. */
export async function readPagePoints(
  look: Look,
  pageIds: readonly string[],
  span: Span,
  { unit, zone }: { unit: ReportUnit; zone: string },
): Promise<PagePoint[]> {
  const source = look.facts({ table: 'page_tally', span, keys: ['page_id'], isHourly: unit === 'hour' });
  const { rows } = await sql<PageMeasures & { pageId: string; at: Date }>`
    select page_id as "pageId", ${startOf(unit, zone)} as at, sum(views)::int as views, sum(submits)::int as submits,
      sum(leads)::int as leads, sum(sold)::int as sold
    from (${source}) as f where page_id = any(${pageIds}::uuid[]) group by 1, 2`.execute(look.db);
  return rows.map(({ at, ...row }) => ({ ...row, at: at.getTime() }));
}
