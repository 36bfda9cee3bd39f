/** Rows that stand beside a lead's result and are written in one statement with it: what promotions paid, and the variant it went by. */
import { list, type ResultRow } from './lead.sql.ts';

/** Undefined when no promotion paid anything. */
export function promotionParameters(results: ResultRow[]): unknown[] | undefined {
  const rows = results.flatMap(({ leadId, promoted }) => promoted.map((one) => ({ leadId, ...one })));
  if (rows.length === 0) return undefined;
  return [
    list(rows, (row) => row.leadId),
    list(rows, (row) => row.saleIndex),
    list(rows, (row) => row.promotionId),
    list(rows, (row) => row.extra),
  ];
}

/** Its parameters follow the `before` ones; so do those below. */
export const insertPromotions = (before: number): string =>
  `insert into promotion_sale (organization_id, lead_id, sale_index, promotion_id, extra)
    select $1::uuid, n.* from unnest($${before + 1}::uuid[], $${before + 2}::smallint[], $${before + 3}::uuid[], $${before + 4}::numeric[]) as n
    on conflict do nothing`;

/** Undefined when no campaign was under test. */
export function variantParameters(results: ResultRow[]): unknown[] | undefined {
  const rows = results.flatMap(({ leadId, variant }) => (variant ? [{ leadId, ...variant }] : []));
  if (rows.length === 0) return undefined;
  return [
    list(rows, (row) => row.leadId),
    list(rows, (row) => row.testId),
    list(rows, (row) => row.variantId),
    list(rows, (row) => row.consumer),
  ];
}

export const insertVariants = (before: number): string =>
  `insert into lead_variant (organization_id, lead_id, ab_test_id, variant_id, consumer)
    select $1::uuid, n.* from unnest($${before + 1}::uuid[], $${before + 2}::uuid[], $${before + 3}::uuid[], $${before + 4}::uuid[]) as n
    on conflict do nothing`;
