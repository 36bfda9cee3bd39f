/** Puts a report together: totals, rows with their names, and every point of time, of the span and of the one before. */
import type { AttemptDimension, AttemptMeasures, LeadDimension, LeadMeasures, ReportKey, ReportUnit } from '#contract/report.ts';
import { MOST_ROWS } from '#contract/report-limits.ts';
import type { Db } from '#server/kit/database.ts';
import { type Look, lookAtFacts, type ReportScope } from './read-facts.sql.ts';
import { type Dimension, type FiguresBy, type ReportFilters, readAttemptFigures, readLeadFigures } from './report.sql.ts';
import { namerOf } from './report-names.sql.ts';
import { pointsOf } from './report-span.ts';
import type { Span } from './split-span.ts';

export interface Ordered<Of> {
  span: Span;
  before: Span;
  filters: ReportFilters;
  by: Of[];
  /** Null where nothing is told by time. */
  unit: ReportUnit | null;
  timeZone: string;
}

type Part = { span: Span; filters: ReportFilters; most?: number };
export interface Grain<Of, Measures> {
  figures: (look: Look, asked: Part, by: Of[], time?: { unit: ReportUnit; zone: string }) => Promise<FiguresBy<Measures>>;
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
}

export function buildReport<Of extends Dimension, Measures extends { attempts: number }>(
  db: Db,
  scope: ReportScope,
  grain: Grain<Of, Measures>,
  order: Ordered<Of>,
) {
  return lookAtFacts(db, scope, (look) => buildWithin(look, grain, order));
}

/** Of one moment with whatever else is read by that look. */
export async function buildWithin<Of extends Dimension, Measures extends { attempts: number }>(
  look: Look,
  grain: Grain<Of, Measures>,
  { span, before, filters, by, unit, timeZone }: Ordered<Of>,
) {
  const pointsIn = (of: Span) => (unit ? pointsOf(of, unit, timeZone) : []);
  const [points, pointsBefore] = [pointsIn(span), pointsIn(before)];
  const time = unit ? { unit, zone: timeZone } : undefined;
  const now = await grain.figures(look, { span, filters, most: MOST_ROWS }, by, time);
  const past = await grain.figures(look, { span: before, filters }, [], time);
  const at = (points: number[], known: Map<number, Measures>) =>
    points.map((point) => ({ at: new Date(point).toISOString(), now: known.get(point) ?? grain.none }));
  return {
    status: true as const,
    asOf: new Date().toISOString(),
    ...{ span: viewSpan(span), before: viewSpan(before) },
    ...{ total: now.total, totalBefore: past.total, by },
    rows: (await nameRows(look, by, now.rows)).slice(0, MOST_ROWS),
    rowCount: now.rows.length + (now.rest?.rows ?? 0),
    ...{ series: at(points, now.series), seriesBefore: at(pointsBefore, past.series) },
  };
}

/** The rows of a report, for a file: all, or of sub ids so many and one for all others. */
export function listReportRows<Of extends Dimension, Measures extends { attempts: number }>(
  db: Db,
  scope: ReportScope,
  grain: Grain<Of, Measures>,
  { span, filters, by }: Pick<Ordered<Of>, 'span' | 'filters' | 'by'>,
  most?: number,
): Promise<NamedRow<Measures>[]> {
  return lookAtFacts(db, scope, async (look) => {
    const { rows, rest } = await grain.figures(look, { span, filters, ...(most && { most }) }, by);
    return [...(await nameRows(look, by, rows)), ...(rest ? [othersRow(by, rest)] : [])];
  });
}

/** In a file, after its rows. */
const othersRow = <Measures>(by: readonly unknown[], { rows, now }: { rows: number; now: Measures }): NamedRow<Measures> => ({
  keys: by.map((_, at) => ({ _id: '', name: at === 0 ? `All others (${rows})` : '' })),
  now,
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

/** The most attempts first, then by name. */
async function nameRows<Measures extends { attempts: number }>(
  look: Look,
  by: Dimension[],
  rows: FiguresBy<Measures>['rows'],
): Promise<NamedRow<Measures>[]> {
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
  const named = rows.map(({ keys, now }) => ({ keys: keys.map((_id, at) => ({ _id, name: namers[at]!(_id) })), now }));
  const nameOf = ({ keys }: NamedRow<Measures>) => keys.map(({ name }) => name).join(' ');
  return named.sort((a, b) => b.now.attempts - a.now.attempts || (nameOf(a) < nameOf(b) ? -1 : 1));
}

export const viewSpan = ({ from, to }: Span) => ({ from: new Date(from).toISOString(), to: new Date(to).toISOString() });
