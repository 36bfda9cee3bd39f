/** Landing pages and landers: what happened on each in a span, by time, and in the span before. */
import type { PageMeasures, PageReportAnswer, PageReportRow } from '#contract/landing-page.ts';
import type { ReportUnit } from '#contract/report.ts';
import type { Db } from '#server/kit/database.ts';
import { type Look, lookAtFacts, type ReportScope } from '#server/report/read-facts.sql.ts';
import type { ReportFilters } from '#server/report/report.sql.ts';
import { pointsOf } from '#server/report/report-span.ts';
import { compareBy, orderOf } from '#server/report/row-order.ts';
import type { Span } from '#server/report/split-span.ts';
import { listReportedPages, type PagePoint, readPagePoints } from './page-report.sql.ts';

export interface PageOrder {
  span: Span;
  before: Span;
  unit: ReportUnit;
  timeZone: string;
  filters: ReportFilters;
  /** As the address says it; the most views first without one. */
  sort?: string | undefined;
  /** Whether rows have what the span before had. */
  hasRowsBefore?: boolean;
}

export const NO_VISITS: PageMeasures = { views: 0, submits: 0, leads: 0, sold: 0 };

const add = (a: PageMeasures, b: PageMeasures): PageMeasures => ({
  views: a.views + b.views,
  submits: a.submits + b.submits,
  leads: a.leads + b.leads,
  sold: a.sold + b.sold,
});

/** Sums by what `keyOf` says of a point. */
function sumsBy<Key>(points: readonly PagePoint[], keyOf: (point: PagePoint) => Key): Map<Key, PageMeasures> {
  const sums = new Map<Key, PageMeasures>();
  for (const point of points) sums.set(keyOf(point), add(sums.get(keyOf(point)) ?? NO_VISITS, point));
  return sums;
}

/** All rows; whoever shows them cuts them off. */
export const buildPageReport = (db: Db, scope: ReportScope, order: PageOrder): Promise<PageReportAnswer> =>
  lookAtFacts(db, scope, (look) => buildWithin(look, order));

async function buildWithin(look: Look, order: PageOrder): Promise<PageReportAnswer> {
  const { span, before, unit, timeZone, filters, sort, hasRowsBefore = false } = order;
  const [points, pointsBefore] = [pointsOf(span, unit, timeZone), pointsOf(before, unit, timeZone)];
  const time = { unit, zone: timeZone };
  const pages = await listReportedPages(look.db, look.scope, filters);
  const ids = pages.map(({ id }) => id);
  const now = await readPagePoints(look, ids, span, time);
  const past = await readPagePoints(look, ids, before, time);
  const ofPage = sumsBy(now, ({ pageId }) => pageId);
  const ofPageBefore = hasRowsBefore ? sumsBy(past, ({ pageId }) => pageId) : undefined;
  const byFigure = compareBy(orderOf(sort, Object.keys(NO_VISITS), hasRowsBefore), NO_VISITS);
  const rows = pages
    .map(
      (page): PageReportRow => ({
        keys: [{ _id: page.id, name: page.name }],
        ...{ kind: page.kind, url: page.url, status: page.status, publisherTier: { _id: page.tierId, name: page.tierName } },
        now: ofPage.get(page.id) ?? NO_VISITS,
        ...(ofPageBefore && { before: ofPageBefore.get(page.id) ?? NO_VISITS }),
      }),
    )
    .filter(({ status, keys: [page] }) => status !== 'archived' || ofPage.has(page!._id) || ofPageBefore?.has(page!._id))
    // Equal ones stay in the order of their names.
    .sort((a, b) => byFigure(a, b) || b.now.views - a.now.views || b.now.leads - a.now.leads);
  const series = (at: readonly number[], found: readonly PagePoint[]) => {
    const sums = sumsBy(found, (point) => point.at);
    return at.map((one) => ({ at: new Date(one).toISOString(), now: sums.get(one) ?? NO_VISITS }));
  };
  return {
    status: true,
    asOf: new Date().toISOString(),
    ...{ span: textOf(span), before: textOf(before) },
    ...{ total: now.reduce(add, NO_VISITS), totalBefore: past.reduce(add, NO_VISITS) },
    ...{ rows, rowCount: rows.length, series: series(points, now), seriesBefore: series(pointsBefore, past) },
  };
}

const textOf = ({ from, to }: Span) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
