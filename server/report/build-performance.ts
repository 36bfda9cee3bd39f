/** Publishers by buyers: every pair in one matrix, in which nothing that was tried is missing. */
import type { AttemptDimension, AttemptMeasures, MatrixMeasures, PerformanceReportAnswer } from '#contract/report.ts';
import { addMoney, formatMoney, parseSum } from '#engine/money.ts';
import type { Db } from '#server/kit/database.ts';
import { ATTEMPTS, buildWithin, type NamedRow, type Ordered } from './build-report.ts';
import { lookAtFacts, type ReportScope } from './read-facts.sql.ts';

/** Lines and columns that can still be looked over; the others stand together in one more. */
const MOST_LINES = { first: 40, second: 25 };

export function buildPerformance(
  db: Db,
  scope: ReportScope,
  order: Omit<Ordered<AttemptDimension>, 'unit'>,
): Promise<PerformanceReportAnswer> {
  return lookAtFacts(db, scope, async (look) => {
    const { answer, rows } = await buildWithin(look, ATTEMPTS, { ...order, unit: null });
    return { ...answer, matrix: order.by.length === 2 ? matrixOf(rows) : null };
  });
}

function matrixOf(all: readonly NamedRow<AttemptMeasures>[]): NonNullable<PerformanceReportAnswer['matrix']> {
  const rows = all.filter(({ now }) => now.attempts > 0);
  const [first, second] = [sideOf(rows, 0, MOST_LINES.first), sideOf(rows, 1, MOST_LINES.second)];
  const cells: (MatrixMeasures | null)[][] = Array.from({ length: first.lines }, () => Array.from({ length: second.lines }, () => null));
  for (const { keys, now } of rows) {
    const [line, at] = [first.lineOf(keys[0]!._id), second.lineOf(keys[1]!._id)];
    cells[line]![at] = sumOf(cells[line]![at]!, now);
  }
  return { sides: [first.side, second.side], cells };
}

/** The most attempts first, then by name. */
function sideOf(rows: readonly NamedRow<AttemptMeasures>[], part: 0 | 1, most: number) {
  const sums = new Map<string, { key: NamedRow<AttemptMeasures>['keys'][number]; attempts: number }>();
  for (const { keys, now } of rows) {
    const key = keys[part]!;
    sums.set(key._id, { key, attempts: (sums.get(key._id)?.attempts ?? 0) + now.attempts });
  }
  const inOrder = [...sums.values()].sort((a, b) => b.attempts - a.attempts || (a.key.name < b.key.name ? -1 : 1));
  const keys = inOrder.slice(0, most).map(({ key }) => key);
  const lines = new Map(keys.map(({ _id }, at) => [_id, at]));
  return {
    side: { keys, count: sums.size },
    lines: Math.min(sums.size, most + 1),
    lineOf: (id: string) => lines.get(id) ?? keys.length,
  };
}

function sumOf(before: MatrixMeasures | null, { attempts, sold, revenue, margin }: AttemptMeasures): MatrixMeasures {
  if (!before) return { attempts, sold, revenue, margin };
  const money = (one: string, other: string) => formatMoney(addMoney(parseSum(one), parseSum(other)));
  return {
    attempts: before.attempts + attempts,
    sold: before.sold + sold,
    revenue: money(before.revenue, revenue),
    margin: money(before.margin, margin),
  };
}
