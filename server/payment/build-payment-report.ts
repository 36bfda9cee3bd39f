/** Puts the report of payments together: totals, rows with their names, and every point of time, of the span and of the one before. */

import { moveLabel } from '#contract/move.ts';
import type { PaymentDimension, PaymentMeasures, PaymentReportAnswer } from '#contract/payment.ts';
import type { ReportKey, ReportUnit } from '#contract/report.ts';
import { MOST_FILE_ROWS, MOST_ROWS } from '#contract/report-limits.ts';
import type { Db } from '#server/kit/database.ts';
import { viewSpan } from '#server/report/build-report.ts';
import type { ReportScope } from '#server/report/read-facts.sql.ts';
import { namerOf } from '#server/report/report-names.sql.ts';
import { pointsOf } from '#server/report/report-span.ts';
import { compareBy, orderOf } from '#server/report/row-order.ts';
import type { Span } from '#server/report/split-span.ts';
import {
  NO_PAYMENTS,
  type PaymentFilters,
  type PaymentsAsked,
  type PaymentsBy,
  sumOtherCurrencies,
  sumPayments,
} from './payment-report.sql.ts';

export interface PaymentReportOrder {
  scope: ReportScope;
  span: Span;
  before: Span;
  unit: ReportUnit;
  timeZone: string;
  by: PaymentDimension;
  /** As the address says it; the most attempts first without one. */
  sort?: string | undefined;
  /** Whether rows have what the span before had. */
  hasRowsBefore?: boolean;
  filters: PaymentFilters;
  currency: string;
}

export interface NamedPayments {
  keys: ReportKey[];
  now: PaymentMeasures;
  before?: PaymentMeasures | undefined;
}

/** Of one moment, so that rows, points and totals agree. */
const atOnce = <T>(db: Db, use: (snapshot: Db) => Promise<T>): Promise<T> =>
  db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(use);

export function buildPaymentReport(db: Db, order: PaymentReportOrder): Promise<PaymentReportAnswer> {
  const { scope, span, before, unit, timeZone, by, sort, filters, currency } = order;
  const [points, pointsBefore] = [pointsOf(span, unit, timeZone), pointsOf(before, unit, timeZone)];
  const asked = askedOf(order);
  const at = (all: readonly number[], known: ReadonlyMap<number, PaymentMeasures>) =>
    all.map((point) => ({ at: new Date(point).toISOString(), now: known.get(point) ?? NO_PAYMENTS }));
  return atOnce(db, async (snapshot) => {
    const now = await sumPayments(snapshot, asked, { by: { dimension: by, most: MOST_ROWS, sort }, points, pointsBefore });
    const earlier = now.before ?? (await sumPayments(snapshot, { scope, span: before, filters, currency }, { points: pointsBefore }));
    const rows = await nameRows(snapshot, order, now.rows);
    const processors = await listProcessors(snapshot, scope);
    return {
      status: true,
      asOf: new Date().toISOString(),
      ...{ span: viewSpan(span), before: viewSpan(before), by: [by] },
      ...{ total: now.total, totalBefore: earlier.total },
      ...{ rows, rowCount: rows.length + now.rest.values },
      series: at(points, now.series),
      seriesBefore: at(pointsBefore, earlier.series),
      otherCurrencies: now.hasOtherCurrencies ? await sumOtherCurrencies(snapshot, asked) : [],
      hasProcessors: processors.some(({ status }) => status !== 'archived'),
      hasPayments: await hasPayments(snapshot, scope),
      processors: processors.map(({ id, name, status }) => ({ _id: id, name: status === 'archived' ? `${name} (archived)` : name })),
    };
  });
}

const askedOf = ({ scope, span, before, hasRowsBefore, filters, currency }: PaymentReportOrder): PaymentsAsked => ({
  ...{ scope, span, filters, currency },
  ...(hasRowsBefore && { before }),
});

/** For a file: so many rows, and one for all others. */
export const listPaymentRows = (db: Db, order: PaymentReportOrder, most = MOST_FILE_ROWS): Promise<NamedPayments[]> =>
  atOnce(db, async (snapshot) => {
    const { by, sort } = order;
    const { rows: found, rest } = await sumPayments(snapshot, askedOf(order), { by: { dimension: by, most, sort } });
    const rows = await nameRows(snapshot, order, found);
    const { values, ...others } = rest;
    return values === 0 ? rows : [...rows, { keys: [{ _id: '', name: `All others (${values})` }], ...others }];
  });

/** The most attempts first, then by name. */
async function nameRows(db: Db, order: PaymentReportOrder, rows: PaymentsBy['rows']): Promise<NamedPayments[]> {
  const { scope, by, sort, hasRowsBefore = false } = order;
  const nameOf = await paymentNamer(
    db,
    scope,
    by,
    rows.map(({ key }) => key),
  );
  const named: NamedPayments[] = rows.map(({ key, ...figures }) => ({ keys: [{ _id: key, name: nameOf(key) }], ...figures }));
  const byFigure = compareBy(orderOf(sort, Object.keys(NO_PAYMENTS), hasRowsBefore), NO_PAYMENTS);
  return named.sort((a, b) => byFigure(a, b) || b.now.attempts - a.now.attempts || (a.keys[0]!.name < b.keys[0]!.name ? -1 : 1));
}

export async function paymentNamer(
  db: Db,
  scope: ReportScope,
  by: PaymentDimension,
  ids: readonly string[],
): Promise<(id: string) => string> {
  switch (by) {
    case 'processor': {
      const known = new Map((await listProcessors(db, scope)).map(({ id, name }) => [id, name]));
      return (id) => known.get(id) ?? 'Unknown';
    }
    case 'move':
      return (move) => (move === '0' ? 'No BIN' : moveLabel(Number(move)));
    case 'bin':
      return (bin) => bin || 'No BIN';
    case 'reason':
      return (reason) => reason || 'Not declined';
    default: {
      const nameOf = await namerOf(db, scope.organizationId, by, ids);
      return (id) => (id === '' ? NAMELESS[by] : nameOf(id));
    }
  }
}

const NAMELESS = {
  ...{ campaign: 'No lead', publisher: 'No lead', publisherTier: 'No lead', buyer: 'No buyer', buyerTier: 'No buyer' },
} as const;

export const listProcessors = (db: Db, { organizationId, verticalId }: ReportScope) =>
  db
    .selectFrom('payment_processor')
    .select(['id', 'name', 'status'])
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .orderBy('name')
    .execute();

async function hasPayments(db: Db, { organizationId, verticalId }: ReportScope): Promise<boolean> {
  const one = await db
    .selectFrom('payment')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('vertical_id', '=', verticalId)
    .limit(1)
    .executeTakeFirst();
  return one !== undefined;
}
