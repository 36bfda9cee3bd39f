/** A company's own figures, by the reports' core with a filter that nobody chooses: its publisher or buyer, in all its verticals together. */
import type { z } from 'zod';
import type {
  BuyerFiguresAnswer,
  BuyerMeasures,
  buyerFiguresQuery,
  PublisherFiguresAnswer,
  PublisherMeasures,
  publisherFiguresQuery,
} from '#contract/portal.ts';
import type { AttemptMeasures, LeadMeasures } from '#contract/report.ts';
import { formatMoney, parseSum } from '#engine/money.ts';
import type { Db } from '#server/kit/database.ts';
import { ATTEMPTS, type Grain, LEADS, viewSpan } from '#server/report/build-report.ts';
import { lookAtFacts } from '#server/report/read-facts.sql.ts';
import type { ReportFilters } from '#server/report/report.sql.ts';
import { pointsOf, spansOf } from '#server/report/report-span.ts';
import { orderOf, placeIn, placesFirst } from '#server/report/row-order.ts';
import type { Span } from '#server/report/split-span.ts';
import { tierIdsOf, type Visitor } from './portal-door.ts';

/** `rest`: sub ids beyond those that are read. */
type Figures<Answer extends { total: unknown }> = Omit<Answer, 'rowCount'> & {
  rest: { rows: number; now: Answer['total']; before?: Answer['total'] | undefined } | undefined;
};
type Asked = z.infer<typeof buyerFiguresQuery>;

export function readPublisherFigures(
  own: Db,
  visitor: Visitor,
  query: z.infer<typeof publisherFiguresQuery>,
  now: number,
): Promise<Figures<PublisherFiguresAnswer>> {
  const dimension = query.by === 'tier' ? ('publisherTier' as const) : ('subId' as const);
  return readFigures(own, visitor, query, now, {
    grain: LEADS,
    by: [dimension],
    filters: { publisher_id: visitor.company._id, publisher_tier_id: query.tierId },
    view: viewPublisher,
    name: query.by === 'tier' ? (id) => nameOfTier(visitor, id) : (subId) => subId || 'No sub id',
  });
}

export function readBuyerFigures(own: Db, visitor: Visitor, query: Asked, now: number): Promise<Figures<BuyerFiguresAnswer>> {
  return readFigures(own, visitor, query, now, {
    grain: ATTEMPTS,
    by: ['buyerTier'],
    filters: { buyer_id: visitor.company._id, buyer_tier_id: query.tierId },
    view: viewBuyer,
    name: (id) => nameOfTier(visitor, id),
  });
}

const nameOfTier = ({ tiers }: Visitor, id: string): string => tiers.find((one) => one.id === id)?.name ?? '';

interface Side<Of, Stored, Told> {
  grain: Grain<Of, Stored>;
  by: Of[];
  filters: ReportFilters;
  view: (stored: Stored) => Told;
  name: (key: string) => string;
}

async function readFigures<Of, Stored, Told extends PublisherMeasures | BuyerMeasures>(
  own: Db,
  visitor: Visitor,
  query: Asked,
  now: number,
  { grain, by, filters, view, name }: Side<Of, Stored, Told>,
) {
  tierIdsOf(visitor, query.tierId);
  const { span, before } = spansOf(query, now);
  const { unit, timeZone, sort } = query;
  const hasRowsBefore = query.rowsBefore === 'true';
  const points = (of: Span) => pointsOf(of, unit, timeZone);
  const [at, atBefore] = [points(span), points(before)];
  const time = { unit, zone: timeZone };
  const verticals = [...new Set(visitor.tiers.map((tier) => tier.verticalId))].map((verticalId) => ({ verticalId, regionId: verticalId }));
  const scope = { organizationId: visitor.organization.organizationId, verticalId: '', verticals };
  const [found, past] = await lookAtFacts(own, scope, async (look) => {
    const now = await grain.figures(look, { span, before: hasRowsBefore ? before : undefined, filters }, by, time);
    return [now, now.before ?? (await grain.figures(look, { span: before, filters }, [], time))] as const;
  });
  const told = (row: { now: Stored; before?: Stored | undefined }) => ({
    now: view(row.now),
    ...(row.before !== undefined && { before: view(row.before) }),
  });
  const none = ordered(view(grain.none));
  const order = orderOf(sort, Object.keys(none), hasRowsBefore);
  const byPlace = placesFirst(order?.isDown ?? false);
  const place = ({ now, before }: { now: Told; before?: Told | undefined }) =>
    order ? placeIn(order, { now: ordered(now), before: before && ordered(before) }, none) : null;
  const series = (points: number[], known: Map<number, Stored>) =>
    points.map((point) => ({ at: new Date(point).toISOString(), now: view(known.get(point) ?? grain.none) }));
  return {
    status: true as const,
    asOf: new Date(now).toISOString(),
    ...{ span: viewSpan(span), before: viewSpan(before) },
    total: view(found.total),
    totalBefore: view(past.total),
    rows: found.rows
      .map(({ keys, ...figures }) => ({ key: keys[0]!, name: name(keys[0]!), ...told(figures) }))
      .map((row) => ({ row, at: place(row) }))
      .sort((a, b) => byPlace(a.at, b.at) || sizeOf(b.row.now) - sizeOf(a.row.now) || (a.row.name < b.row.name ? -1 : 1))
      .map(({ row }) => row),
    rest: found.rest && { rows: found.rest.rows, ...told(found.rest) },
    series: series(at, found.series),
    seriesBefore: series(atBefore, past.series),
  };
}

/** By its own figures alone: in the order of another's would be told how those stand to each other. A share of accepts is one of all that were offered. */
const ordered = (told: PublisherMeasures | BuyerMeasures) => ({ ...told, attempts: sizeOf(told) });
const sizeOf = (now: PublisherMeasures | BuyerMeasures): number => ('attempts' in now ? now.attempts : now.offered);

function viewPublisher({ attempts, sold, open, pings, bids, payout, returnedPayout }: LeadMeasures): PublisherMeasures {
  const rejected = attempts - sold - open;
  return { attempts, sold, rejected, open, pings, bids, payout, returnedPayout, epl: perLead(payout, attempts) };
}

/** A publisher earns its payout: what a lead brought in is not for it to know. */
const perLead = (payout: string, attempts: number): string =>
  attempts === 0 ? '0.00' : formatMoney(Math.round(parseSum(payout) / attempts));

/** What a row had where it had nothing. */
export const NO_PUBLISHER_FIGURES = viewPublisher(LEADS.none);

/** What was kept from it by caps, hours, filters or others was not offered. */
function viewBuyer(found: AttemptMeasures): BuyerMeasures {
  const { attempts, filtered, sold, rejected, timeouts, terrors, pings, bids, revenue, returned, returnedRevenue, p50Ms, p90Ms } = found;
  return {
    ...{ offered: attempts - filtered, sold, rejected, timeouts, terrors, pings, bids, spent: revenue },
    ...{ returned, returnedAmount: returnedRevenue, p50Ms, p90Ms },
  };
}
export const NO_BUYER_FIGURES = viewBuyer(ATTEMPTS.none);
