/** The map of leads: figures by state, and how many buyers there are for each. */
import type { Db } from '#server/kit/database.ts';
import { buildWithin, LEADS, type Ordered } from './build-report.ts';
import { readCoverage } from './coverage.sql.ts';
import { lookAtFacts, type ReportScope } from './read-facts.sql.ts';

/** Buyers are counted by state, not by publisher and state. */
const UNCOUNTED = ['publisher_id', 'publisher_tier_id', 'variant_id'];

export function buildMap(db: Db, scope: ReportScope, order: Omit<Ordered<'state'>, 'by' | 'unit'>) {
  const { span, filters } = order;
  const isCovered = UNCOUNTED.every((column) => filters[column] === undefined);
  return lookAtFacts(db, scope, async (look) => ({
    ...(await buildWithin(look, LEADS, { ...order, by: ['state'], unit: null })).answer,
    coverage: isCovered ? await readCoverage(look, span, filters) : null,
  }));
}
