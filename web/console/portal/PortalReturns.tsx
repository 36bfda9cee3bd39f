import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PortalAnswer, PortalKind, PortalReturn } from '#contract/portal.ts';
import { type ReturnColumn, returnWords } from '#contract/portal-words.ts';
import { FileTools, listFileTitle } from '#web/ui/FileTools.tsx';
import { formatCount } from '#web/ui/format.ts';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { spans } from '#web/ui/period.ts';
import { ExactTime, MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { portalReturnsQuery } from '../api/portal.ts';
import { downloadCsv } from '../download-csv.ts';
import { shortId } from '../lead/lead-columns.tsx';
import { instantsOf } from '../report/report-search.ts';
import { cellsOf, type ListColumn, useListColumns } from './LeadList.tsx';
import { usePortalSearch } from './use-portal.ts';

/** Leads that were given back: by the buyer, or at the publisher's cost. */
export function PortalReturns({ portal }: { portal: PortalAnswer }) {
  const { kind } = portal;
  const { search, change } = usePortalSearch(kind);
  const { zone } = useReporting();
  const shown = search.period ? search : { ...search, period: 'thisMonth' as const };
  const asked = instantsOf(shown, zone, Math.floor(Date.now() / 60_000) * 60_000);
  const returns = useQuery(portalReturnsQuery({ ...asked }));
  const { data } = returns;
  const words = returnWords(kind);
  const openLead = (leadId: string) =>
    change({ tab: 'leads', q: leadId, open: leadId, columns: undefined, period: undefined, from: undefined, to: undefined });
  const columns = useListColumns('portal-returns', returnColumns(kind, openLead));
  return (
    <section className="card" aria-label="Returns" data-stale={returns.isPlaceholderData || undefined}>
      <div className="portal-bar filter-bar">
        <PeriodChip presets={spans} value={{ period: shown.period, from: shown.from, to: shown.to }} onChange={(next) => change(next)} />
        {data && (
          <span className="muted" role="status">
            {formatCount(data.rows.length)} given back
            {data.isCut ? ', the latest' : ''}: <MoneyText amount={data.total} />
          </span>
        )}
        {columns.choice}
        <FileTools
          title={listFileTitle('Every return found', columns.asked)}
          onSave={() => downloadCsv('portal-returns', { ...asked, timeZone: zone, columns: columns.asked })}
          isBarred={!data?.rows.length}
        />
      </div>
      {returns.isPending && (
        <div className="card-body">
          <SkeletonLines count={5} height={22} />
        </div>
      )}
      {returns.isError && !data && <ErrorState error={returns.error} onRetry={() => void returns.refetch()} />}
      <NotRefreshed query={returns} />
      {data && data.rows.length === 0 && (
        <EmptyState title="Nothing was given back in this span.">
          {kind === 'buyer'
            ? 'A lead is given back from your list of leads, within its days.'
            : 'What a buyer gives back, and what it costs you, stands here.'}
        </EmptyState>
      )}
      {data && data.rows.length > 0 && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label="Returns, table" tabIndex={0}>
          <table className="plain-table portal-table stacking">
            <thead>
              <tr>
                <th scope="col">{words.returnedAt}</th>
                {columns.shown.map(({ id, head, isNumber }) => (
                  <th key={id} scope="col" className={isNumber && 'num'}>
                    {head}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr key={row.leadId + row.returnedAt}>
                  <th scope="row">
                    <ExactTime at={row.returnedAt} />
                  </th>
                  {cellsOf(columns.shown, row)}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}

/** `openLead` shows the lead among those of the portal. */
export function returnColumns(kind: PortalKind, openLead: (leadId: string) => void): readonly ListColumn<PortalReturn>[] {
  const words = returnWords(kind);
  const column = (id: ReturnColumn, cell: (row: PortalReturn) => ReactNode): ListColumn<PortalReturn> => ({ id, head: words[id], cell });
  return [
    column('id', ({ leadId }) => (
      <button type="button" className="bare link mono small" title={leadId} onClick={() => openLead(leadId)}>
        {shortId(leadId)}
      </button>
    )),
    column('tier', ({ tierName }) => tierName),
    {
      ...column('reason', ({ reason, note }) => (
        <>
          {reason}
          {note && <small className="muted portal-note">{note}</small>}
        </>
      )),
      className: 'portal-reason',
    },
    { ...column('amount', ({ amount }) => <MoneyText amount={amount} exact />), isNumber: true },
  ];
}
