/** In what order the rows of a report stand: by a figure, by what follows from figures, of the span, of the one before, or by how far it moved. */
import { type RawBuilder, sql } from 'kysely';
import type { PageMeasures } from '#contract/landing-page.ts';
import type { PaymentMeasures } from '#contract/payment.ts';
import type { AttemptMeasures, LeadMeasures } from '#contract/report.ts';

export type Measure = keyof LeadMeasures | keyof AttemptMeasures | keyof PageMeasures | keyof PaymentMeasures;

/** What follows from others of the row, as its page has it: a share of one in another, or what is left of one. */
export const DERIVED = {
  soldShare: { of: ['sold', 'attempts'], isShare: true },
  winRate: { of: ['wins', 'bids'], isShare: true },
  followedShare: { of: ['followed', 'links'], isShare: true },
  lost: { of: ['links', 'followed'], isShare: false },
  submitShare: { of: ['submits', 'views'], isShare: true },
  conversion: { of: ['sold', 'views'], isShare: true },
  rate: { of: ['approved', 'attempts'], isShare: true },
} as const satisfies Record<string, { of: readonly [Measure, Measure]; isShare: boolean }>;

export type Figure = Measure | keyof typeof DERIVED;
export const isDerived = (name: string): name is keyof typeof DERIVED => Object.hasOwn(DERIVED, name);

/** Whether a row with `measures` has the figure. */
export const isIn = (measures: readonly string[], name: string): boolean =>
  isDerived(name) ? DERIVED[name].of.every((part) => measures.includes(part)) : measures.includes(name);

/** A share as a part of one; null where there is none. */
export function figureOf(row: object, name: string): number | null {
  const numberOf = (measure: string) => {
    const value = (row as Record<string, string | number | null>)[measure];
    return value === null || value === undefined ? null : Number(value);
  };
  if (!isDerived(name)) return numberOf(name);
  const [one, other] = DERIVED[name].of.map(numberOf);
  if (one == null || other == null) return null;
  if (!DERIVED[name].isShare) return one - other;
  return other === 0 ? null : one / other;
}

export interface RowOrder {
  name: string;
  of: 'now' | 'before' | 'change';
  isDown: boolean;
}

/** The bar of outcomes stands for the share of accepts. */
const ALSO: Record<string, string> = { outcomes: 'soldShare' };
const SORT = /^(-?)([A-Za-z0-9]+?)(Before|Change)?$/;

/** As an address says it: '-revenueChange'. Undefined where rows with `measures` have no such figure, or nothing of before where `hasBefore` is false. */
export function orderOf(sort: string | undefined, measures: readonly string[], hasBefore: boolean): RowOrder | undefined {
  const [, minus, asked, end] = SORT.exec(sort ?? '') ?? [];
  const name = ALSO[asked ?? ''] ?? asked;
  if (name === undefined || !isIn(measures, name) || (end && !hasBefore)) return undefined;
  return { name, of: end === 'Before' ? 'before' : end === 'Change' ? 'change' : 'now', isDown: minus === '-' };
}

interface Compared {
  now: object;
  before?: object | undefined;
}

/** How a row stands in an order; `none` has nothing, as rows of one span alone have in the other. */
export function placeIn({ name, of }: RowOrder, { now, before }: Compared, none: object): number | null {
  const past = () => figureOf(before ?? none, name);
  if (of !== 'change') return of === 'now' ? figureOf(now, name) : past();
  const [one, other] = [figureOf(now, name), past()];
  return one === null || other === null ? null : one - other;
}

/** By where rows stand; what stands nowhere goes last, whichever way. */
export const placesFirst =
  (isDown: boolean) =>
  (one: number | null, other: number | null): number => {
    if (one === null || other === null) return one === other ? 0 : one === null ? 1 : -1;
    return isDown ? other - one : one - other;
  };

export function compareBy(order: RowOrder | undefined, none: object): (a: Compared, b: Compared) => number {
  if (!order) return () => 0;
  const byPlace = placesFirst(order.isDown);
  return (a, b) => byPlace(placeIn(order, a, none), placeIn(order, b, none));
}

/** The same to order rows in the database by, from what tells a measure of either span. */
export function orderSql(
  { name, of, isDown }: RowOrder,
  measure: (name: string, isBefore: boolean) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const figure = (isBefore: boolean) => {
    if (!isDerived(name)) return measure(name, isBefore);
    const [one, other] = DERIVED[name].of.map((part) => measure(part, isBefore));
    return DERIVED[name].isShare ? sql`${one}::float8 / nullif(${other}, 0)` : sql`${one} - ${other}`;
  };
  const value = of === 'change' ? sql`${figure(false)} - ${figure(true)}` : figure(of === 'before');
  return sql`${value} ${sql.raw(isDown ? 'desc' : 'asc')} nulls last`;
}
