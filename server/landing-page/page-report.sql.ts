/** What page-stats counts: views and submits by the hour, leads and sales from the rows themselves. */
import { sql } from 'kysely';
import type { PageMeasures } from '#contract/landing-page.ts';
import type { Db } from '#server/kit/database.ts';
import { idFloor } from '#server/kit/ids.ts';
import type { ReportScope } from '#server/report/read-facts.sql.ts';
import type { ReportFilters } from '#server/report/report.sql.ts';
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

/** What happened on these pages, by page and by the unit that begins at one of `points`. Of a page's leads, test leads and bare pings are left out. */
export async function readPagePoints(
  db: Db,
  { organizationId, verticalId }: ReportScope,
  pageIds: readonly string[],
  { from, to }: Span,
  points: readonly number[],
): Promise<PagePoint[]> {
  if (pageIds.length === 0 || points.length === 0) return [];
  const starts = sql`${points.map((at) => new Date(at).toISOString())}::timestamptz[]`;
  const { rows } = await sql<PageMeasures & { pageId: string; point: number }>`
    with counted (page_id, at, views, submits, leads, sold) as (
      select page_id, hour_at, views, submits, 0, 0 from page_hour
        where organization_id = ${organizationId}::uuid and page_id = any(${pageIds}::uuid[])
          and hour_at >= ${new Date(from)} and hour_at < ${new Date(to)}
      union all
      select x.page_id, uuid7_instant(x.lead_id), 0, 0, 1, case when r.status = 'sold' then 1 else 0 end
        from lead_page x
        join lead l on l.organization_id = x.organization_id and l.id = x.lead_id
        left join lead_result r on r.organization_id = x.organization_id and r.lead_id = x.lead_id
        where x.organization_id = ${organizationId}::uuid and x.page_id = any(${pageIds}::uuid[])
          and x.lead_id >= ${idFloor(from)}::uuid and x.lead_id < ${idFloor(to)}::uuid
          and l.id >= ${idFloor(from)}::uuid and l.id < ${idFloor(to)}::uuid
          and l.vertical_id = ${verticalId}::uuid and not l.test and l.mode <> 'ping')
    select page_id as "pageId", width_bucket(at, ${starts}) as point, sum(views)::int as views, sum(submits)::int as submits,
      sum(leads)::int as leads, sum(sold)::int as sold
    from counted group by 1, 2`.execute(db);
  return rows.map(({ point, ...row }) => ({ ...row, at: points[point - 1]! }));
}
