/** A company's own figures, by the reports' core with a filter that nobody chooses: its publisher or buyer. Verticals are added up. */
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
import { addMoney, formatMoney, parseSum } from '#engine/money.ts';
import type { Db } from '#server/kit/database.ts';
import { ATTEMPTS, type Grain, LEADS, viewSpan } from '#server/report/build-report.ts';
import { lookAtFacts } from '#server/report/read-facts.sql.ts';
import type { FiguresBy, ReportFilters } from '#server/report/report.sql.ts';
import { pointsOf, spansOf } from '#server/report/report-span.ts';
import type { Span } from '#server/report/split-span.ts';
import { tierIdsOf, type Visitor } from './portal-door.ts';

type Asked = z.infer<typeof buyerFiguresQuery>;

export function readPublisherFigures(
  own: Db,
  visitor: Visitor,
  query: z.infer<typeof publisherFiguresQuery>,
  now: number,
): Promise<Omit<PublisherFiguresAnswer, 'rowCount'>> {
  const dimension = query.by === 'tier' ? ('publisherTier' as const) : ('subId' as const);
  return readFigures(own, visitor, query, now, {
    grain: LEADS,
    by: [dimension],
    filters: { publisher_id: visitor.company._id, publisher_tier_id: query.tierId },
    add: addPublisher,
    none: NO_LEADS,
    view: viewPublisher,
    name: query.by === 'tier' ? (id) => nameOfTier(visitor, id) : (subId) => subId || 'No sub id',
  });
}

export function readBuyerFigures(own: Db, visitor: Visitor, query: Asked, now: number): Promise<Omit<BuyerFiguresAnswer, 'rowCount'>> {
  return readFigures(own, visitor, query, now, {
    grain: ATTEMPTS,
    by: ['buyerTier'],
    filters: { buyer_id: visitor.company._id, buyer_tier_id: query.tierId },
    add: addBuyer,
    none: NO_OFFERS,
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
  add: (a: Told, b: Told) => Told;
  none: Told;
  name: (key: string) => string;
}

async function readFigures<Of, Stored, Told extends PublisherMeasures | BuyerMeasures>(
  own: Db,
  visitor: Visitor,
  query: Asked,
  now: number,
  { grain, by, filters, view, add, none, name }: Side<Of, Stored, Told>,
) {
  tierIdsOf(visitor, query.tierId);
  const { span, before } = spansOf(query, now);
  const { unit, timeZone } = query;
  const points = (of: Span) => pointsOf(of, unit, timeZone);
  const [at, atBefore] = [points(span), points(before)];
  const time = { unit, zone: timeZone };
  const verticalIds = [...new Set(visitor.tiers.map((tier) => tier.verticalId))];
  const found: { now: FiguresBy<Stored>; past: FiguresBy<Stored> }[] = [];
  for (const verticalId of verticalIds)
    found.push(
      await lookAtFacts(own, { organizationId: visitor.organization.organizationId, verticalId }, async (look) => ({
        now: await grain.figures(look, { span, filters }, by, time),
        past: await grain.figures(look, { span: before, filters }, [], time),
      })),
    );
  const sum = (all: Stored[]): Told => all.map(view).reduce((total, one) => add(total, one), none);
  const rows = Map.groupBy(
    found.flatMap((one) => one.now.rows),
    (row) => row.keys[0]!,
  );
  const series = (points: number[], of: 'now' | 'past') =>
    points.map((point) => ({ at: new Date(point).toISOString(), now: sum(found.flatMap((one) => one[of].series.get(point) ?? [])) }));
  return {
    status: true as const,
    asOf: new Date(now).toISOString(),
    ...{ span: viewSpan(span), before: viewSpan(before) },
    total: sum(found.map((one) => one.now.total)),
    totalBefore: sum(found.map((one) => one.past.total)),
    rows: [...rows]
      .map(([key, of]) => ({ key, name: name(key), now: sum(of.map((row) => row.now)) }))
      .sort((a, b) => sizeOf(b.now) - sizeOf(a.now) || (a.name < b.name ? -1 : 1)),
    series: series(at, 'now'),
    seriesBefore: series(atBefore, 'past'),
  };
}

const sizeOf = (now: PublisherMeasures | BuyerMeasures): number => ('attempts' in now ? now.attempts : now.offered);
const plus = (a: string, b: string): string => formatMoney(addMoney(parseSum(a), parseSum(b)));

const NO_LEADS: PublisherMeasures = {
  ...{ attempts: 0, sold: 0, rejected: 0, open: 0, pings: 0, bids: 0 },
  ...{ payout: '0.00', returnedPayout: '0.00', epl: '0.00' },
};

function viewPublisher({ attempts, sold, open, pings, bids, payout, returnedPayout }: LeadMeasures): PublisherMeasures {
  const rejected = attempts - sold - open;
  return { attempts, sold, rejected, open, pings, bids, payout, returnedPayout, epl: perLead(payout, attempts) };
}

function addPublisher(a: PublisherMeasures, b: PublisherMeasures): PublisherMeasures {
  const attempts = a.attempts + b.attempts;
  const payout = plus(a.payout, b.payout);
  return {
    attempts,
    ...{ sold: a.sold + b.sold, rejected: a.rejected + b.rejected, open: a.open + b.open, pings: a.pings + b.pings, bids: a.bids + b.bids },
    ...{ payout, returnedPayout: plus(a.returnedPayout, b.returnedPayout), epl: perLead(payout, attempts) },
  };
}

/** A publisher earns its payout: what a lead brought in is not for it to know. */
const perLead = (payout: string, attempts: number): string =>
  attempts === 0 ? '0.00' : formatMoney(Math.round(parseSum(payout) / attempts));

const NO_OFFERS: BuyerMeasures = {
  ...{ offered: 0, sold: 0, rejected: 0, timeouts: 0, terrors: 0, pings: 0, bids: 0, spent: '0.00', returned: 0, returnedAmount: '0.00' },
  ...{ p50Ms: null, p90Ms: null },
};

/** What was kept from it by caps, hours, filters or others was not offered. */
function viewBuyer(found: AttemptMeasures): BuyerMeasures {
  const { attempts, filtered, sold, rejected, timeouts, terrors, pings, bids, revenue, returned, returnedRevenue, p50Ms, p90Ms } = found;
  return {
    ...{ offered: attempts - filtered, sold, rejected, timeouts, terrors, pings, bids, spent: revenue },
    ...{ returned, returnedAmount: returnedRevenue, p50Ms, p90Ms },
  };
}

/** Percentiles do not add up: of two parts with answers there is none. */
function addBuyer(a: BuyerMeasures, b: BuyerMeasures): BuyerMeasures {
  const only = (one: number | null, other: number | null) => (one === null ? other : other === null ? one : null);
  return {
    ...{ offered: a.offered + b.offered, sold: a.sold + b.sold, rejected: a.rejected + b.rejected, timeouts: a.timeouts + b.timeouts },
    ...{ terrors: a.terrors + b.terrors, pings: a.pings + b.pings, bids: a.bids + b.bids, spent: plus(a.spent, b.spent) },
    ...{ returned: a.returned + b.returned, returnedAmount: plus(a.returnedAmount, b.returnedAmount) },
    ...{ p50Ms: only(a.p50Ms, b.p50Ms), p90Ms: only(a.p90Ms, b.p90Ms) },
  };
}
