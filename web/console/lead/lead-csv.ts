import type { LeadRow } from '#contract/lead.ts';
import { toCsv } from '#web/ui/csv.ts';
import { formatInstant } from '#web/ui/format.ts';
import { type TimeZone, timeZoneLabel } from '#web/ui/zone.ts';
import { statusWord } from './lead-words.ts';

const cells: Record<string, (row: LeadRow, zone: TimeZone) => string | number> = {
  receivedAt: (row, zone) => formatInstant(row.receivedAt, zone),
  status: (row) => statusWord[row.status].label,
  reason: (row) => row.reasonLabel ?? '',
  consumer: (row) => row.primaryValue,
  publisher: (row) => row.publisherName,
  publisherTier: (row) => row.publisherTierName,
  subId: (row) => row.subId,
  campaign: (row) => row.campaignName,
  buyers: (row) => row.buyers.map((one) => `${one.buyerName} (${one.buyerTierName})`).join('; '),
  revenue: (row) => row.revenue,
  payout: (row) => row.payout,
  margin: (row) => row.margin,
  attempts: (row) => row.attempts,
  elapsed: (row) => Math.round(row.elapsedMs),
  id: (row) => row._id,
};
const heads: Record<string, string> = {
  receivedAt: 'Received',
  status: 'Status',
  reason: 'Reason',
  consumer: 'Consumer',
  publisher: 'Publisher',
  publisherTier: 'Publisher tier',
  subId: 'Sub id',
  campaign: 'Campaign',
  buyers: 'Buyers',
  revenue: 'Revenue',
  payout: 'Payout',
  margin: 'Margin',
  attempts: 'Attempts',
  elapsed: 'Elapsed ms',
  id: 'Lead id',
};

/** The rows and the columns that are on the screen, and always the lead id, without which no one can ask about a line. */
export function leadsCsv(rows: readonly LeadRow[], shownColumns: ReadonlySet<string>, zone: TimeZone): string {
  const columns = Object.keys(cells).filter((id) => id === 'id' || shownColumns.has(id));
  const header = columns.map((id) => (id === 'receivedAt' ? `Received (${timeZoneLabel[zone]})` : (heads[id] ?? id)));
  return toCsv(
    header,
    rows.map((row) => columns.map((id) => cells[id]?.(row, zone) ?? '')),
  );
}
