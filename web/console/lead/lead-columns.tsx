import { Link } from '@tanstack/react-router';
import { cameByWords } from '#contract/came-by.ts';
import type { LeadRow } from '#contract/lead.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { type Columns, type ColumnVisibilityState, columnHelper } from '#web/ui/DataTable.tsx';
import { formatElapsed, formatInstant, formatShortInstant } from '#web/ui/format.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { StatusText } from './StatusText.tsx';
import './leads.css';

const column = columnHelper<LeadRow>();
const number = { numeric: true };

function ReceivedLink({ row }: { row: LeadRow }) {
  const { zone } = useReporting();
  return (
    <Link
      from="/setup/$region/$vertical/leads"
      to="/setup/$region/$vertical/leads/$leadId"
      params={(place) => ({ ...place, leadId: row._id })}
      className="link tabular"
      title={formatInstant(row.receivedAt, zone)}
    >
      {formatShortInstant(row.receivedAt, zone)}
    </Link>
  );
}

export const shortId = (id: string): string => (id.length > 14 ? `…${id.slice(-8)}` : id);

/** Module scope: a new list of columns at each render would rebuild the table. */
export const leadColumns: Columns<LeadRow> = column.columns([
  column.accessor('receivedAt', {
    id: 'receivedAt',
    header: 'Received',
    cell: ({ row }) => <ReceivedLink row={row.original} />,
    meta: { sticky: true },
  }),
  column.accessor('status', {
    id: 'status',
    header: 'Status',
    cell: ({ row }) => (
      <span className="row lead-status">
        <StatusText status={row.original.status} />
        {row.original.test && <span className="pill warn">Test</span>}
        {row.original.returned && <span className="pill bad">Returned</span>}
      </span>
    ),
  }),
  column.accessor('reasonLabel', {
    id: 'reason',
    header: 'Reason',
    cell: ({ row }) => <span title={row.original.reason ?? undefined}>{row.original.reasonLabel ?? <Nothing />}</span>,
  }),
  column.accessor('primaryValue', { id: 'consumer', header: 'Consumer', cell: ({ getValue }) => getValue() || <Nothing /> }),
  column.accessor('publisherName', { id: 'publisher', header: 'Publisher' }),
  column.accessor('publisherTierName', { id: 'publisherTier', header: 'Publisher tier' }),
  column.accessor('subId', { id: 'subId', header: 'Sub id', cell: ({ getValue }) => getValue() || <Nothing /> }),
  column.accessor('campaignName', { id: 'campaign', header: 'Campaign' }),
  column.accessor((row) => cameByWords(row.cameBy), { id: 'cameBy', header: 'Came by' }),
  column.accessor((row) => row.buyers.map((one) => one.buyerName).join(', '), {
    id: 'buyers',
    header: 'Buyer',
    cell: ({ getValue }) => getValue() || <Nothing />,
  }),
  column.accessor('revenue', {
    id: 'revenue',
    header: 'Revenue',
    cell: ({ getValue }) => <MoneyText amount={getValue()} faint />,
    meta: number,
  }),
  column.accessor('payout', {
    id: 'payout',
    header: 'Payout',
    cell: ({ getValue }) => <MoneyText amount={getValue()} faint />,
    meta: number,
  }),
  column.accessor('margin', {
    id: 'margin',
    header: 'Margin',
    cell: ({ getValue }) => <MoneyText amount={getValue()} faint />,
    meta: number,
  }),
  column.accessor((row) => row.returned?.revenue ?? '0.00', {
    id: 'returned',
    header: 'Returned',
    cell: ({ getValue }) => <MoneyText amount={getValue()} faint />,
    meta: number,
  }),
  column.accessor('attempts', { id: 'attempts', header: 'Attempts', meta: number }),
  column.accessor('elapsedMs', { id: 'elapsed', header: 'Elapsed', cell: ({ getValue }) => formatElapsed(getValue()), meta: number }),
  column.accessor('_id', {
    id: 'id',
    header: 'Lead id',
    cell: ({ getValue }) => (
      <span className="lead-id">
        <code className="mono" title={getValue()}>
          {shortId(getValue())}
        </code>
        <CopyButton text={getValue()} label="Copy the lead id" />
      </span>
    ),
  }),
]);

const Nothing = () => (
  <span className="muted" aria-hidden="true">
    –
  </span>
);

/** Columns that can be switched off, with their names; "Received" carries the link and stays. */
export const optionalColumns = leadColumns.slice(1).map((one) => ({ id: one.id ?? '', label: String(one.header) }));
export const defaultVisibility: ColumnVisibilityState = {
  ...{ publisherTier: false, campaign: false, cameBy: false, margin: false, returned: false },
};
export const shownColumns = (visibility: ColumnVisibilityState): Set<string> =>
  new Set(leadColumns.map((one) => one.id ?? '').filter((id) => visibility[id] !== false));

/** Of the columns that an address names, with commas between them; undefined where it names none that there is. */
export function visibilityOf(columns: string | undefined): ColumnVisibilityState | undefined {
  const named = columns?.split(',') ?? [];
  if (!leadColumns.some(({ id }) => named.includes(id ?? ''))) return undefined;
  return Object.fromEntries(optionalColumns.map(({ id }) => [id, named.includes(id)]));
}
