/** The leads list as a file: every lead the filters find, the newest first, with the columns that are shown. */
import { setImmediate } from 'node:timers/promises';
import { cameByWords } from '#contract/came-by.ts';
import type { CsvCell } from '#contract/csv.ts';
import type { LeadRow } from '#contract/lead.ts';
import { wallTime } from '#server/kit/csv-file.ts';
import type { Db } from '#server/kit/database.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { type LeadListRow, type LeadsQuery, listLeads, listSalesOf, type SaleOfLead, viewLeadRow } from './lead-list.sql.ts';

const PAGE = 500;
/** Rows between two looks at what else there is to do: a lead that comes in does not wait for a whole page. */
const YIELD_EVERY = 20;

const COLUMNS: Record<string, { head: string; cell: (row: LeadRow, zone: string) => CsvCell }> = {
  receivedAt: { head: 'Received', cell: (row, zone) => wallTime(row.receivedAt, zone) },
  status: { head: 'Status', cell: (row) => row.status },
  reason: { head: 'Reason', cell: (row) => row.reasonLabel },
  consumer: { head: 'Consumer', cell: (row) => row.primaryValue },
  publisher: { head: 'Publisher', cell: (row) => row.publisherName },
  publisherTier: { head: 'Publisher tier', cell: (row) => row.publisherTierName },
  subId: { head: 'Sub id', cell: (row) => row.subId },
  campaign: { head: 'Campaign', cell: (row) => row.campaignName },
  cameBy: { head: 'Came by', cell: (row) => cameByWords(row.cameBy) },
  buyers: { head: 'Buyers', cell: (row) => row.buyers.map((one) => `${one.buyerName} (${one.buyerTierName})`).join('; ') },
  revenue: { head: 'Revenue', cell: (row) => row.revenue },
  payout: { head: 'Payout', cell: (row) => row.payout },
  margin: { head: 'Margin', cell: (row) => row.margin },
  returned: { head: 'Returned', cell: (row) => row.returned?.revenue ?? '' },
  attempts: { head: 'Attempts', cell: (row) => row.attempts },
  elapsed: { head: 'Elapsed ms', cell: (row) => Math.round(row.elapsedMs) },
  test: { head: 'Test', cell: (row) => row.test },
  id: { head: 'Lead id', cell: (row) => row._id },
};

/** The asked columns in our order, and always the lead id, without which no one can ask about a line; unknown ones fall away. */
export function leadCsv(asked: string, zone: string): { header: string[]; line: (row: LeadRow) => CsvCell[] } {
  const wanted = new Set(asked === '' ? Object.keys(COLUMNS) : [...asked.split(','), 'id']);
  const columns = Object.entries(COLUMNS).filter(([id]) => wanted.has(id));
  const header = columns.map(([id, { head }]) => (id === 'receivedAt' ? `${head} (${zone})` : head));
  return { header, line: (row) => columns.map(([, { cell }]) => cell(row, zone)) };
}

interface Page {
  rows: LeadListRow[];
  sales: ReadonlyMap<string, SaleOfLead[]>;
  /** The lead that the next page goes on from. */
  older: string | null;
}

/**
 * Page by page while the caller reads, the next one being fetched meanwhile; a caller that goes away ends it, and so does `askAgain`, which throws when
 * they no longer may.
 */
export async function* walkLeads(
  db: Db,
  organization: OrganizationPlan,
  verticalId: string,
  query: LeadsQuery,
  askAgain: () => Promise<unknown>,
  pageSize = PAGE,
): AsyncGenerator<LeadRow> {
  const read = async (before: string | undefined): Promise<Page> => {
    const { rows, older } = await listLeads(db, organization, verticalId, { ...query, after: undefined, before, limit: pageSize });
    const ids = rows.map((row) => row.id);
    return { rows, older, sales: await listSalesOf(db, organization.organizationId, ids) };
  };
  let reading: Promise<Page> | undefined = read(query.before);
  while (reading) {
    const { rows, older, sales }: Page = await reading;
    reading = older === null ? undefined : read(older);
    // Where the caller goes away first, nobody waits for it.
    reading?.catch(() => {});
    await askAgain();
    for (const [at, row] of rows.entries()) {
      if (at % YIELD_EVERY === 0) await setImmediate();
      yield viewLeadRow(organization, row, sales.get(row.id));
    }
  }
}
