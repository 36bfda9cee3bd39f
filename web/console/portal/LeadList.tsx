import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { PortalAnswer } from '#contract/portal.ts';
import { FileTools, listFileTitle } from '#web/ui/FileTools.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatInstant, formatShortInstant } from '#web/ui/format.ts';
import { IconChevronDown, IconChevronRight } from '#web/ui/icons.ts';
import { type OlderPages, OlderRows } from '#web/ui/OlderRows.tsx';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { spans } from '#web/ui/period.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { downloadCsv } from '../download-csv.ts';
import { ColumnChoice, useColumnsInSight } from '../report/ReportTable.tsx';
import { instantsOf } from '../report/report-search.ts';
import { type Search, usePortalSearch } from './use-portal.ts';

/** What the address narrows the leads to, as the call takes it; without a span all there are. */
export function useAskedLeads(search: Search): Record<string, string> {
  const { zone } = useReporting();
  const span = search.period ? instantsOf(search, zone, Math.floor(Date.now() / 60_000) * 60_000) : {};
  return {
    ...span,
    ...(search.tier && { tierId: search.tier }),
    ...(search.q && { q: search.q }),
  };
}

/** A column of a list; the first one stands always, and opens its rows. */
export interface ListColumn<Row> {
  id: string;
  head: string;
  isNumber?: true;
  /** Not in sight until it is chosen. */
  isExtra?: true;
  /** Of its cells. */
  className?: string;
  cell: (row: Row) => ReactNode;
}

interface ListColumns {
  shown: readonly Pick<ListColumn<never>, 'id' | 'head' | 'isNumber'>[];
  /** Of its file: their names, by commas. */
  asked: string;
  choice: ReactNode;
}

/** What is shown of a list's columns, the way to choose others, and what its file has. */
export function useListColumns<Row>(name: string, columns: readonly ListColumn<Row>[]) {
  const { inOrder, ids, setIds, reset } = useColumnsInSight(name, columns);
  return {
    shown: columns.filter(({ id }) => inOrder.includes(id)),
    asked: inOrder.join(','),
    choice: <ColumnChoice columns={columns} ids={ids} onChange={setIds} onReset={reset} />,
  };
}

export const cellsOf = <Row,>(columns: readonly ListColumn<Row>[], row: Row): ReactNode =>
  columns.map(({ id, head, isNumber, className = isNumber && 'num', cell }) => (
    <td key={id} data-head={head} className={className}>
      {cell(row)}
    </td>
  ));

interface LeadListProps {
  portal: PortalAnswer;
  label: string;
  searchLabel: string;
  file: string;
  asked: Record<string, string>;
  chips?: ReactNode;
  isNarrowed: boolean;
  leads: OlderPages & { isPending: boolean; isError: boolean; isRefetchError: boolean; error: unknown; refetch: () => unknown };
  count: number;
  none: string;
  /** Of the column that stands always. */
  head: string;
  columns: ListColumns;
  /** The rows of the table. */
  children: ReactNode;
}

/** Leads of one's own, the newest first, with what narrows them. */
export function LeadList({
  portal,
  label,
  searchLabel,
  file,
  asked,
  chips,
  isNarrowed,
  leads,
  count,
  none,
  head,
  columns,
  children,
}: LeadListProps) {
  const { search, change } = usePortalSearch(portal.kind);
  const { zone } = useReporting();
  return (
    <section className="card" aria-label={label}>
      <div className="portal-bar filter-bar">
        <SearchBox
          value={search.q ?? ''}
          label={searchLabel}
          className="portal-search"
          onSearch={(q) => change({ q: q || undefined, open: undefined })}
        />
        <PeriodChip
          presets={spans}
          value={{ period: search.period, from: search.from, to: search.to }}
          onChange={(next) => change({ ...next, open: undefined })}
        />
        {portal.tiers.length > 1 && (
          <FilterChip
            name="Tier"
            options={portal.tiers.map((tier) => ({ value: tier._id, label: tier.name }))}
            value={search.tier}
            emptyText="No tiers found."
            onChange={(tier) => change({ tier, open: undefined })}
          />
        )}
        {chips}
        {columns.choice}
        <FileTools
          title={listFileTitle('Every lead found', columns.asked)}
          onSave={() => downloadCsv(file, { ...asked, timeZone: zone, columns: columns.asked })}
          isBarred={count === 0 && !leads.hasNextPage}
        />
      </div>
      {leads.isPending && (
        <div className="card-body">
          <SkeletonLines count={8} height={22} />
        </div>
      )}
      {leads.isError && !leads.data && <ErrorState error={leads.error} onRetry={() => void leads.refetch()} />}
      <NotRefreshed query={leads} />
      {leads.data !== undefined && count === 0 && !leads.hasNextPage && (
        <EmptyState
          title={isNarrowed ? 'No leads match.' : none}
          action={
            isNarrowed && (
              <Button
                variant="default"
                size="xs"
                onClick={() =>
                  change({
                    q: undefined,
                    period: undefined,
                    from: undefined,
                    to: undefined,
                    tier: undefined,
                    status: undefined,
                    subId: undefined,
                  })
                }
              >
                Clear filters
              </Button>
            )
          }
        />
      )}
      {count > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label={`${label}, table`} tabIndex={0}>
          <table className="plain-table portal-table stacking">
            <thead>
              <tr>
                <th scope="col">{head}</th>
                {columns.shown.map(({ id, head, isNumber }) => (
                  <th key={id} scope="col" className={isNumber && 'num'}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>{children}</tbody>
          </table>
        </section>
      )}
      <OlderRows list={leads} isEmpty={count === 0} label="Show older" />
    </section>
  );
}

/** The fields of a lead that was opened. */
export function LeadFields({ fields, none }: { fields: readonly { label: string; value: string }[]; none: string }) {
  if (fields.length === 0) return <p className="muted">{none}</p>;
  return (
    <dl className="portal-fields">
      {fields.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value || '–'}</dd>
        </div>
      ))}
    </dl>
  );
}

interface LeadRowProps {
  at: string;
  isOpen: boolean;
  onTurn: () => void;
  /** How many columns there are behind the time. */
  span: number;
  /** What stands below the row while it is open. */
  opened: ReactNode;
  /** Its cells behind the time. */
  children: ReactNode;
}

/** A lead, opened by its time. */
export function LeadRow({ at, isOpen, onTurn, span, opened, children }: LeadRowProps) {
  const { zone } = useReporting();
  return (
    <>
      <tr>
        <th scope="row">
          <button type="button" className="bare link portal-open" aria-expanded={isOpen} title={formatInstant(at, zone)} onClick={onTurn}>
            {isOpen ? <IconChevronDown size={15} aria-hidden /> : <IconChevronRight size={15} aria-hidden />}
            <span className="tabular">{formatShortInstant(at, zone)}</span>
          </button>
        </th>
        {children}
      </tr>
      {isOpen && (
        <tr className="portal-opened">
          <td colSpan={span + 1}>{opened}</td>
        </tr>
      )}
    </>
  );
}
