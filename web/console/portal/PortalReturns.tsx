import { useQuery } from '@tanstack/react-query';
import type { PortalAnswer } from '#contract/portal.ts';
import { FileTools } from '#web/ui/FileTools.tsx';
import { formatCount } from '#web/ui/format.ts';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { spans } from '#web/ui/period.ts';
import { ExactTime, MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { portalReturnsQuery } from '../api/portal.ts';
import { downloadCsv } from '../download-csv.ts';
import { shortId } from '../lead/lead-columns.tsx';
import { instantsOf } from '../report/report-search.ts';
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
        <FileTools isPushed onSave={() => downloadCsv('portal-returns', { ...asked, timeZone: zone })} isBarred={!data?.rows.length} />
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
                <th scope="col">Given back</th>
                <th scope="col">Lead</th>
                <th scope="col">Tier</th>
                <th scope="col">Reason</th>
                <th scope="col" className="num">
                  {kind === 'buyer' ? 'You got back' : 'Taken back'}
                </th>
              </tr>
            </thead>
            <tbody>
              {data.rows.map((row) => (
                <tr key={row.leadId + row.returnedAt}>
                  <th scope="row">
                    <ExactTime at={row.returnedAt} />
                  </th>
                  <td data-head="Lead">
                    <button
                      type="button"
                      className="bare link mono small"
                      title={row.leadId}
                      onClick={() =>
                        change({ tab: 'leads', q: row.leadId, open: row.leadId, period: undefined, from: undefined, to: undefined })
                      }
                    >
                      {shortId(row.leadId)}
                    </button>
                  </td>
                  <td data-head="Tier">{row.tierName}</td>
                  <td data-head="Reason" className="portal-reason">
                    {row.reason}
                    {row.note && <small className="muted portal-note">{row.note}</small>}
                  </td>
                  <td className="num" data-head={kind === 'buyer' ? 'You got back' : 'Taken back'}>
                    <MoneyText amount={row.amount} exact />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
