import { useQuery } from '@tanstack/react-query';
import type { PortalAnswer } from '#contract/portal.ts';
import { IconDownload, IconFileText } from '#web/ui/icons.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { portalStatementQuery } from '../api/portal.ts';
import { downloadCsv } from '../download-csv.ts';
import { monthName, monthNow } from '../ledger/month.ts';
import { MonthPicker, StatementBody } from '../ledger/Statement.tsx';
import { sayStanding } from './AccountLine.tsx';
import { usePortalSearch } from './use-portal.ts';

/** The company's own account over a month, to read, print and save. */
export function PortalStatement({ portal: { kind, organizationName } }: { portal: PortalAnswer }) {
  const { search, change } = usePortalSearch(kind);
  const { zone } = useReporting();
  const now = monthNow(zone, Date.now());
  const month = search.month ?? now;
  const statement = useQuery(portalStatementQuery(month, zone));
  return (
    <>
      <div className="row portal-statement-tools no-print">
        <MonthPicker month={month} now={now} onChange={(next) => change({ month: next })} />
        <button
          type="button"
          className="tool-button push"
          onClick={() => downloadCsv('portal-statement', { month, timeZone: zone })}
          disabled={!statement.data}
          title="Every entry of the month, with a running balance"
        >
          <IconDownload size={15} aria-hidden /> CSV
        </button>
        <button type="button" className="tool-button" onClick={() => window.print()} disabled={!statement.data}>
          <IconFileText size={15} aria-hidden /> Print
        </button>
      </div>
      <section
        className="card statement"
        aria-label={`Statement for ${monthName(month)}`}
        data-stale={statement.isPlaceholderData || undefined}
      >
        {statement.isPending && (
          <div className="card-body">
            <SkeletonLines count={8} height={22} />
          </div>
        )}
        {statement.isError && !statement.data && <ErrorState error={statement.error} onRetry={() => void statement.refetch()} />}
        {statement.data && (
          <StatementBody
            kind={kind}
            statement={statement.data}
            isRunning={month === now}
            say={(balance) => sayStanding(balance, organizationName)}
          />
        )}
      </section>
    </>
  );
}
