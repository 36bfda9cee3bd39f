/** Two of a kind side by side: each is a report of its own, narrowed to one, or one of two spans or verticals. */
import type {
  AttemptMeasures,
  CompareAnswer,
  CompareKind,
  CompareMeasures,
  CompareQuery,
  CompareSide,
  LeadMeasures,
} from '#contract/report.ts';
import { DECLINE_LABELS } from '#engine/reason-label.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { ATTEMPTS, type Grain, LEADS, viewSpan } from './build-report.ts';
import { lookAtFacts, type ReportScope } from './read-facts.sql.ts';
import type { Dimension, ReportFilters } from './report.sql.ts';
import { filtersOf, namerOf, unknownRecord } from './report-names.sql.ts';
import { pointsOf, spansOf } from './report-span.ts';
import type { Span } from './split-span.ts';

/** The field of a query that narrows to a side. */
const NARROWED_BY: Partial<Record<CompareKind, string>> = {
  ...{ publisher: 'publisherId', publisherTier: 'publisherTierId', buyer: 'buyerId', buyerTier: 'buyerTierId' },
  ...{ campaign: 'campaignId', group: 'groupId', variant: 'variantId', subId: 'subId', state: 'state' },
};
const OF_BUYERS: readonly CompareKind[] = ['buyer', 'buyerTier', 'group'];

export interface ComparedPlace {
  scope: ReportScope;
  name: string;
}

/** Finds what is counted where: a vertical of the region of the query, or all verticals of a region, by the slug. Throws where there is none, or none for this person. */
export interface Places {
  verticalOf(slug: string): Promise<ComparedPlace>;
  regionOf(slug: string): Promise<ComparedPlace>;
}

export async function compare(db: Db, query: CompareQuery, { verticalOf, regionOf }: Places): Promise<CompareAnswer> {
  const { of, a, b } = query;
  if (of !== 'span' && a === b) throw new HttpError(400, 'compare_same', 'These are the same. Choose two that differ.');
  const { span, before } = spansOf({ ...query, beforeFrom: query.bFrom, beforeTo: query.bTo }, Date.now());
  const sideOf = async (value: string, own: Span): Promise<CompareSide> => {
    const { scope, name } = of === 'region' ? await regionOf(value) : await verticalOf(of === 'vertical' ? value : query.vertical);
    const filters = await narrowedTo(db, scope, of, value);
    const key = { _id: value, name: of === 'vertical' || of === 'region' ? name : await nameOf(db, scope, of, value) };
    const asked = { span: own, filters };
    return {
      key,
      ...(OF_BUYERS.includes(of) ? await readSide(db, scope, ATTEMPTS, asked, query) : await readSide(db, scope, LEADS, asked, query)),
    };
  };
  const sides: CompareAnswer['sides'] = [await sideOf(a, span), await sideOf(b, of === 'span' ? before : span)];
  return { status: true, asOf: new Date().toISOString(), of, counts: OF_BUYERS.includes(of) ? 'attempts' : 'leads', sides };
}

/** Of a vertical, a region or a span all is told. */
async function narrowedTo(db: Db, { organizationId }: ReportScope, of: CompareKind, value: string): Promise<ReportFilters> {
  if (of === 'reason' && value !== '' && !Object.hasOwn(DECLINE_LABELS, value)) throw unknownRecord();
  if (of === 'reason') return { reason: value };
  const field = NARROWED_BY[of];
  return field ? filtersOf(db, organizationId, { [field]: value }) : {};
}

/** A span is called by its ends, which whoever shows it writes in a zone. */
async function nameOf(
  db: Db,
  { organizationId }: ReportScope,
  of: Exclude<CompareKind, 'vertical' | 'region'>,
  value: string,
): Promise<string> {
  return of === 'span' ? '' : (await namerOf(db, organizationId, of, [value]))(value);
}

async function readSide<Of extends Dimension, Measures extends LeadMeasures | AttemptMeasures>(
  db: Db,
  scope: ReportScope,
  grain: Grain<Of, Measures>,
  asked: { span: Span; filters: ReportFilters },
  { unit, timeZone }: Pick<CompareQuery, 'unit' | 'timeZone'>,
): Promise<Omit<CompareSide, 'key'>> {
  const points = pointsOf(asked.span, unit, timeZone);
  const { total, series } = await lookAtFacts(db, scope, (look) => grain.figures(look, asked, [], { unit, zone: timeZone }));
  const whole = (now: LeadMeasures | AttemptMeasures): CompareMeasures => ({ ...ABSENT, ...now });
  return {
    span: viewSpan(asked.span),
    total: whole(total),
    series: points.map((at) => ({ at: new Date(at).toISOString(), now: whole(series.get(at) ?? grain.none) })),
  };
}

/** What leads have not, or tiers tried have not. */
const ABSENT: Omit<CompareMeasures, Exclude<keyof LeadMeasures, 'open'>> = {
  ...{ open: null, wins: null, links: null, followed: null },
  ...{ p50Ms: null, p75Ms: null, p90Ms: null, followP50Ms: null, followP90Ms: null },
};
