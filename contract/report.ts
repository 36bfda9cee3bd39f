/** Reports of lead flow: what is asked, by what it is told apart, and the figures (console §3; design: product.md). */
import { z } from 'zod';
import { csvForm } from './csv.ts';
import { sumText } from './money.ts';
import { reportingTimeZone } from './organization.ts';

/** The time of the points of a series: local hours, days, weeks from Monday, or months of the reporting zone. */
export const reportUnit = z.enum(['hour', 'day', 'week', 'month']);
export type ReportUnit = z.infer<typeof reportUnit>;

const id = z.string().max(60).optional();

/** What every report takes. Instants are ISO 8601, `to` is left out; `beforeFrom` and `beforeTo` are the span that it is compared with, by default the one of the same length that ends where it begins. */
export const reportQuery = z.object({
  region: z.string().max(60),
  vertical: z.string().max(60),
  timeZone: reportingTimeZone.default('UTC'),
  from: z.iso.datetime({ offset: true }),
  to: z.iso.datetime({ offset: true }),
  beforeFrom: z.iso.datetime({ offset: true }).optional(),
  beforeTo: z.iso.datetime({ offset: true }).optional(),
  unit: reportUnit.default('day'),
  campaignId: id,
  publisherId: id,
  publisherTierId: id,
  variantId: id,
});

/** By vertical or region a report is of all verticals in which the person may open it. */
const wide = ['vertical', 'region'] as const;
export const leadDimension = z.enum(['publisher', 'publisherTier', 'campaign', 'subId', 'variant', 'state', 'reason', ...wide]);
export type LeadDimension = z.infer<typeof leadDimension>;
export const attemptDimension = z.enum([
  ...(['buyer', 'buyerTier', 'group', 'campaign', 'publisher', 'publisherTier', 'variant', 'state', 'filterReason'] as const),
  ...wide,
]);
export type AttemptDimension = z.infer<typeof attemptDimension>;

/** One or two dimensions, by a comma. */
const dimensions = <One extends string>(of: z.ZodType<One, string>, byDefault: One) =>
  z
    .string()
    .max(60)
    .default(byDefault)
    .transform((text) => text.split(','))
    .pipe(z.array(of).min(1).max(2));

/** The code of a US state or territory, or of a nation of the UK; empty for leads of which it is not known. */
export const stateCode = z.string().max(3);
const leadFilters = { subId: z.string().max(200).optional() };
const attemptFilters = { buyerId: id, buyerTierId: id, groupId: id };
const stateFilter = { state: stateCode.optional() };

/**
 * Of reports with rows. `sort`: a figure, or what follows from figures (`soldShare`), with a minus before it from the most to the least; ending in `Before` or `Change` it is
 * that of the span before, or how far it moved, which rows have where `rowsBefore` asks for it. What has none goes last; without a known one the most attempts come first.
 */
export const rowQuery = { sort: z.string().max(60).optional(), rowsBefore: z.enum(['true', 'false']).default('false') };
export const leadReportQuery = reportQuery.extend({
  ...leadFilters,
  ...stateFilter,
  ...rowQuery,
  by: dimensions(leadDimension, 'publisher'),
});
/** `pointTimes`: whether each point of the series has its times to answer; they are null otherwise, and cost as much as all else. */
export const attemptReportQuery = reportQuery.extend({
  ...{ ...attemptFilters, ...stateFilter, ...rowQuery },
  pointTimes: z.enum(['true', 'false']).default('false'),
  by: dimensions(attemptDimension, 'buyer'),
});
export const reasonReportQuery = reportQuery.extend({ ...leadFilters, ...attemptFilters });
export const reasonReportDownload = reasonReportQuery.extend(csvForm.shape);
export const leadReportDownload = leadReportQuery.extend(csvForm.shape);
export const attemptReportDownload = attemptReportQuery.extend(csvForm.shape);

const count = z.number().int();

/** The outcomes of console §3, of leads for a publisher and of tiers tried for a buyer. `attempts` counts all of them. */
const outcomes = { attempts: count, sold: count, rejected: count, terrors: count, timeouts: count, filtered: count };
const money = { revenue: sumText, payout: sumText, margin: sumText };
/** What was given back of leads that were made in the span, whenever that was. */
const returns = { returned: count, returnedRevenue: sumText, returnedPayout: sumText, returnedMargin: sumText };

export const leadMeasures = z.object({
  ...outcomes,
  /** Under way, or a buyer may have it and has not said; counted among `attempts` too. */
  open: count,
  /** Leads that were only asked for a price, and how many of them were bid for; not among `attempts`. */
  pings: count,
  bids: count,
  ...money,
  /** Revenue by attempt. */
  epl: sumText,
  ...returns,
});
export type LeadMeasures = z.infer<typeof leadMeasures>;

export const attemptMeasures = z.object({
  ...outcomes,
  /** Requests for a bid, those answered with one, and sales that came of one. */
  pings: count,
  bids: count,
  wins: count,
  ...money,
  epl: sumText,
  ...returns,
  /** Links of ours that were given for a sold lead, and those that the consumer followed. */
  links: count,
  followed: count,
  /** Of all calls, to within 4.5 percent; null without one. */
  p50Ms: z.number().nullable(),
  p75Ms: z.number().nullable(),
  p90Ms: z.number().nullable(),
  /** From the link given to the link followed. */
  followP50Ms: z.number().nullable(),
  followP90Ms: z.number().nullable(),
});
export type AttemptMeasures = z.infer<typeof attemptMeasures>;

/** A value of a dimension: `_id` is what it is filtered by, empty where there is none ("no variant"). */
export const reportKey = z.object({ _id: z.string(), name: z.string() });
export type ReportKey = z.infer<typeof reportKey>;
export const spanView = z.object({ from: z.string(), to: z.string() });

const report = <Measures extends z.ZodType>(measures: Measures) =>
  z.object({
    status: z.literal(true),
    asOf: z.string(),
    span: spanView,
    before: spanView,
    total: measures,
    totalBefore: measures,
    /** What the keys of the rows are of. */
    by: z.array(z.string()),
    /** In the order that was asked for: the first of them where there are many. `before` where it was asked for, also of what had something in that span alone. */
    rows: z.array(z.object({ keys: z.array(reportKey), now: measures, before: measures.optional() })),
    /** How many rows there are in all. */
    rowCount: count,
    /** Every unit of the span, in order of time; none where the report tells nothing by time. */
    series: z.array(z.object({ at: z.string(), now: measures })),
    /** The same of the span before. */
    seriesBefore: z.array(z.object({ at: z.string(), now: measures })),
  });

export const leadReportAnswer = report(leadMeasures);
export type LeadReportAnswer = z.infer<typeof leadReportAnswer>;
export const attemptReportAnswer = report(attemptMeasures);
export type AttemptReportAnswer = z.infer<typeof attemptReportAnswer>;

/** What a matrix says of a pair. */
export const matrixMeasures = attemptMeasures.pick({ attempts: true, sold: true, revenue: true, margin: true });
export type MatrixMeasures = z.infer<typeof matrixMeasures>;
/** One of both ways: those with the most attempts, and how many there are in all. */
const matrixSide = z.object({ keys: z.array(reportKey), count });
export const performanceReportAnswer = attemptReportAnswer.extend({
  /**
   * Every row, the first dimension by the second; null where the report is told by one alone. `cells` has a line for each key of the first and one for all others of it, where
   * there are more; a line has as many cells of the second. Null where nothing was tried.
   */
  matrix: z.object({ sides: z.tuple([matrixSide, matrixSide]), cells: z.array(z.array(matrixMeasures.nullable())) }).nullable(),
});
export type PerformanceReportAnswer = z.infer<typeof performanceReportAnswer>;

/** Why leads were not sold, and why tiers were passed by. */
const reasonCounts = z.array(z.object({ key: z.string(), label: z.string(), count, before: count }));
export const reasonReportAnswer = z.object({
  status: z.literal(true),
  asOf: z.string(),
  span: spanView,
  before: spanView,
  attempts: count,
  attemptsBefore: count,
  sold: count,
  soldBefore: count,
  /** By the internal reason, labelled as in console §4. */
  reasons: reasonCounts,
  /** By the filter reason key, of tiers that were filtered. */
  filterReasons: reasonCounts,
  series: z.array(z.object({ at: z.string(), reasons: z.array(z.object({ key: z.string(), count })) })),
});
export type ReasonReportAnswer = z.infer<typeof reasonReportAnswer>;

/** Buyers' answer times, of one tier or all. */
export const timeoutReportQuery = reportQuery
  .omit({ publisherId: true, publisherTierId: true, variantId: true })
  /** With a unit one buyer tier is told by time: `seriesOf`, or the one of the most time-outs. */
  .extend({ buyerId: id, buyerTierId: id, seriesOf: id, unit: reportUnit.optional() });
export const timeoutReportDownload = timeoutReportQuery.extend(csvForm.shape);
export const timeoutReportAnswer = z.object({
  status: z.literal(true),
  asOf: z.string(),
  span: spanView,
  before: spanView,
  tiers: z.array(
    z.object({
      buyerTier: reportKey,
      buyer: reportKey,
      /** As it is set now. */
      timeLimitMs: z.number(),
      calls: count,
      timeouts: count,
      callsBefore: count,
      timeoutsBefore: count,
      /** Of calls that were answered, to within 4.5 percent. */
      p50Ms: z.number().nullable(),
      p75Ms: z.number().nullable(),
      p90Ms: z.number().nullable(),
      p99Ms: z.number().nullable(),
      /** Posts that the buyer took after the limit, and how long nine of ten of them took in all. */
      lateAccepts: count,
      lateP90Ms: z.number().nullable(),
      /**
       * Calls by how long they took: from how many milliseconds on, how many, and how many of them were time-outs. A sale stands once, with its revenue, at the slower of the calls
       * that it took: the post, or the ping that was bid at.
       */
      buckets: z.array(z.object({ fromMs: z.number(), calls: count, sold: count, revenue: sumText, timeouts: count })),
      /** Late accepts by how long they took in all, with what the buyer said it pays: a limit as long would have made them sales. Late bids are not heard. */
      lates: z.array(z.object({ fromMs: z.number(), calls: count, revenue: sumText })),
    }),
  ),
  /** How long one of the tiers took, point by point; times are of calls that were answered. Null without a unit, and where there is no tier. */
  series: z
    .object({
      buyerTierId: z.string(),
      points: z.array(
        z.object({ at: z.string(), calls: count, timeouts: count, p50Ms: z.number().nullable(), p90Ms: z.number().nullable() }),
      ),
    })
    .nullable(),
});
export type TimeoutReportAnswer = z.infer<typeof timeoutReportAnswer>;

/** Of sales that came of a bid: by campaign, publisher, state, buyer. */
export const bidPriceQuery = reportQuery
  .omit({ variantId: true, unit: true, beforeFrom: true, beforeTo: true })
  .extend({ buyerId: id, buyerTierId: id, ...stateFilter });
export const bidPriceDownload = bidPriceQuery.extend(csvForm.shape);
const bidPrices = {
  /** Sales that came of a bid. */
  wins: count,
  /** Those of them at another price than that bid, and those of these that were below it. */
  otherPrice: count,
  lower: count,
  /** Of sales at another price: what was bid, what is paid before returns, and how much more that is. */
  bid: sumText,
  paid: sumText,
  difference: sumText,
};
export const bidPriceAnswer = z.object({
  status: z.literal(true),
  asOf: z.string(),
  span: spanView,
  total: z.object(bidPrices),
  /** Buyer tiers that bought at another price, the most often first. */
  tiers: z.array(z.object({ buyerTier: reportKey, ...bidPrices })),
});
export type BidPriceAnswer = z.infer<typeof bidPriceAnswer>;

/** By state, with how many buyers there are for leads of each. */
export const mapReportQuery = reportQuery.extend(rowQuery);
export const mapReportDownload = mapReportQuery.extend(csvForm.shape);
export const mapReportAnswer = report(leadMeasures).extend({
  /** Buyers that were asked about leads of a state and those that bought some; null where the report is narrowed to a publisher. */
  coverage: z.array(z.object({ state: stateCode, asked: count, bought: count })).nullable(),
});
export type MapReportAnswer = z.infer<typeof mapReportAnswer>;

export const compareKind = z.enum([
  ...(['publisher', 'publisherTier', 'buyer', 'buyerTier', 'campaign', 'group', 'variant', 'reason'] as const),
  ...(['subId', 'state', 'vertical', 'region', 'span'] as const),
]);
export type CompareKind = z.infer<typeof compareKind>;
/** Two of a kind: `a` and `b` are ids, slugs of regions or of verticals of the region, sub ids, codes of states or decline reasons; of two spans the second is `bFrom` to `bTo`. */
export const compareQuery = reportQuery.pick({ region: true, vertical: true, timeZone: true, from: true, to: true, unit: true }).extend({
  of: compareKind,
  a: z.string().max(200).default(''),
  b: z.string().max(200).default(''),
  bFrom: z.iso.datetime({ offset: true }).optional(),
  bTo: z.iso.datetime({ offset: true }).optional(),
});
export type CompareQuery = z.infer<typeof compareQuery>;
export const compareDownload = compareQuery.extend(csvForm.shape);
/** What leads and tiers tried have in common, and null for what only the others have. */
export const compareMeasures = leadMeasures.extend({
  ...{ open: count.nullable(), wins: count.nullable(), links: count.nullable(), followed: count.nullable() },
  ...attemptMeasures.pick({ p50Ms: true, p75Ms: true, p90Ms: true, followP50Ms: true, followP90Ms: true }).shape,
});
export type CompareMeasures = z.infer<typeof compareMeasures>;
const compareSide = z.object({
  key: reportKey,
  span: spanView,
  total: compareMeasures,
  series: z.array(z.object({ at: z.string(), now: compareMeasures })),
});
export type CompareSide = z.infer<typeof compareSide>;
export const compareAnswer = z.object({
  status: z.literal(true),
  asOf: z.string(),
  of: compareKind,
  /** What an attempt is: a lead, or a buyer tier tried for one. */
  counts: z.enum(['leads', 'attempts']),
  sides: z.tuple([compareSide, compareSide]),
});
export type CompareAnswer = z.infer<typeof compareAnswer>;
