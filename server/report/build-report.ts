/** Puts a report together: totals, rows with their names, and every point of time, of the span and of the one before. */
import type { AttemptDimension, AttemptMeasures, LeadDimension, LeadMeasures, ReportKey, ReportUnit } from '#contract/report.ts';
import { MOST_ROWS } from '#contract/report-limits.ts';
import type { Db } from '#server/kit/database.ts';
import { type Look, lookAtFacts, type ReportScope } from './read-facts.sql.ts';
import {
  type Dimension,
  type FiguresBy,
  type FiguresRow,
  type ReportFilters,
  readAttemptFigures,
  readLeadFigures,
  type Time,
} from './report.sql.ts';
import { namerOf } from './report-names.sql.ts';
import { pointsOf } from './report-span.ts';
import { compareBy, orderOf } from './row-order.ts';
import type { Span } from './split-span.ts';

export interface Ordered<Of> {
  span: Span;
  before: Span;
  filters: ReportFilters;
  by: Of[];
  /** Null where nothing is told by time. */
  unit: ReportUnit | null;
  timeZone: string;
  /** As the address says it; the most attempts first without one. */
  sort?: string | undefined;
  /** Whether rows have what the span before had. */
  hasRowsBefore?: boolean;
  /** Whether each point has its times to answer. */
  hasPointTimes?: boolean;
  /** Which rows are told; all without it. */
  isRow?: ((figures: { sold: number }) => boolean) | undefined;
}

type Part = { span: Span; before?: Span | undefined; filters: ReportFilters; most?: number; sort?: string | undefined };
export interface Grain<Of, Measures> {
  figures: (look: Look, asked: Part, by: Of[], time?: Time) => Promise<FiguresBy<Measures>>;
  none: Measures;
}

const NOTHING = {
  ...{ attempts: 0, sold: 0, rejected: 0, terrors: 0, timeouts: 0, filtered: 0, pings: 0, bids: 0 },
  ...{ revenue: '0.00', payout: '0.00', margin: '0.00', epl: '0.00' },
  ...{ returned: 0, returnedRevenue: '0.00', returnedPayout: '0.00', returnedMargin: '0.00' },
};
export const LEADS: Grain<LeadDimension, LeadMeasures> = {
  figures: readLeadFigures,
  none: { ...NOTHING, open: 0 },
};
export const ATTEMPTS: Grain<AttemptDimension, AttemptMeasures> = {
  figures: readAttemptFigures,
  none: {
    ...NOTHING,
    ...{ wins: 0, links: 0, followed: 0, p50Ms: null, p75Ms: null, p90Ms: null, followP50Ms: null, followP90Ms: null },
  },
};

export interface NamedRow<Measures> {
  keys: ReportKey[];
  now: Measures;
  before?: Measures | undefined;
}

type Counted = { attempts: number; sold: number };

export function buildReport<Of extends Dimension, Measures extends Counted>(
  db: Db,
  scope: ReportScope,
  grain: Grain<Of, Measures>,
  order: Ordered<Of>,
) {
  return lookAtFacts(db, scope, async (look) => (await buildWithin(look, grain, order)).answer);
}

/** Of one moment with whatever else is read by that look; and all of its rows, beside those of the answer. */
export async function buildWithin<Of extends Dimension, Measures extends Counted>(
  look: Look,
  grain: Grain<Of, Measures>,
  order: Ordered<Of>,
) {
  const { span, before, filters, by, unit, timeZone, sort, hasRowsBefore } = order;
  const pointsIn = (of: Span) => (unit ? pointsOf(of, unit, timeZone) : []);
  const [points, pointsBefore] = [pointsIn(span), pointsIn(before)];
  const time = unit ? { unit, zone: timeZone, hasTimes: order.hasPointTimes === true } : undefined;
  const now = await grain.figures(look, { span, before: hasRowsBefore ? before : undefined, filters, most: MOST_ROWS, sort }, by, time);
  const past = now.before ?? (await grain.figures(look, { span: before, filters }, [], time));
  const rows = await inOrder(look, grain, order, now.rows);
  const at = (points: number[], known: Map<number, Measures>) =>
    points.map((point) => ({ at: new Date(point).toISOString(), now: known.get(point) ?? grain.none }));
  const answer = {
    status: true as const,
    asOf: new Date().toISOString(),
    ...{ span: viewSpan(span), before: viewSpan(before) },
    ...{ total: now.total, totalBefore: past.total, by },
    rows: rows.slice(0, MOST_ROWS),
    rowCount: rows.length + (now.rest?.rows ?? 0),
    ...{ series: at(points, now.series), seriesBefore: at(pointsBefore, past.series) },
  };
  return { answer, rows };
}

/** The rows of a report, for a file: all, or of sub ids so many and one for all others. */
export function listReportRows<Of extends Dimension, Measures extends Counted>(
  db: Db,
  scope: ReportScope,
  grain: Grain<Of, Measures>,
  order: Omit<Ordered<Of>, 'unit' | 'timeZone' | 'before'> & { before?: Span },
  most?: number,
): Promise<NamedRow<Measures>[]> {
  const { span, before, filters, by, sort, hasRowsBefore } = order;
  const asked = { span, before: hasRowsBefore ? before : undefined, filters, sort, ...(most && { most }) };
  return lookAtFacts(db, scope, async (look) => {
    const { rows, rest } = await grain.figures(look, asked, by);
    return [...(await inOrder(look, grain, order, rows)), ...(rest ? [othersRow(by, rest)] : [])];
  });
}

/** In a file, after its rows. */
const othersRow = <Measures>(
  by: readonly unknown[],
  { rows, ...figures }: FiguresRow<Measures> & { rows: number },
): NamedRow<Measures> => ({
  keys: by.map((_, at) => ({ _id: '', name: at === 0 ? `All others (${rows})` : '' })),
  ...figures,
});

/** All points of time of the leads of a span, for a file, each with the one at the same place of the span before, where that has as many. */
export function listReportPoints(
  db: Db,
  scope: ReportScope,
  { span, before, filters, unit, timeZone }: Pick<Ordered<never>, 'span' | 'before' | 'filters' | 'timeZone'> & { unit: ReportUnit },
): Promise<{ at: number; now: LeadMeasures; before: LeadMeasures | undefined }[]> {
  const [points, pointsBefore] = [pointsOf(span, unit, timeZone), pointsOf(before, unit, timeZone)];
  const time = { unit, zone: timeZone };
  return lookAtFacts(db, scope, async (look) => {
    const now = await LEADS.figures(look, { span, filters }, [], time);
    const past = await LEADS.figures(look, { span: before, filters }, [], time);
    const pastAt = (point: number | undefined) => (point === undefined ? undefined : (past.series.get(point) ?? LEADS.none));
    return points.map((at, index) => ({ at, now: now.series.get(at) ?? LEADS.none, before: pastAt(pointsBefore[index]) }));
  });
}

/** Those that are told, by their names; in the order that was asked for, then the most attempts first, then by name. */
async function inOrder<Of extends Dimension, Measures extends Counted>(
  look: Look,
  grain: Grain<Of, Measures>,
  { by, sort, hasRowsBefore = false, isRow = () => true }: Pick<Ordered<Of>, 'by' | 'sort' | 'hasRowsBefore' | 'isRow'>,
  all: FiguresBy<Measures>['rows'],
): Promise<NamedRow<Measures>[]> {
  const rows = all.filter(({ now, before }) => isRow(now) || (before !== undefined && isRow(before)));
  const namers: ((id: string) => string)[] = [];
  for (const [at, one] of by.entries())
    namers.push(
      await namerOf(
        look.db,
        look.scope.organizationId,
        one,
        rows.map(({ keys }) => keys[at]!),
      ),
    );
  const named = rows.map(({ keys, ...figures }) => ({ keys: keys.map((_id, at) => ({ _id, name: namers[at]!(_id) })), ...figures }));
  const nameOf = ({ keys }: NamedRow<Measures>) => keys.map(({ name }) => name).join(' ');
  const byFigure = compareBy(orderOf(sort, Object.keys(grain.none), hasRowsBefore), grain.none);
  return named.sort((a, b) => byFigure(a, b) || b.now.attempts - a.now.attempts || (nameOf(a) < nameOf(b) ? -1 : 1));
}

export const viewSpan = ({ from, to }: Span) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
