import { useQuery } from '@tanstack/react-query';
import type { PortalAnswer } from '#contract/portal.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { portalStatementQuery } from '../api/portal.ts';
import { downloadCsv } from '../download-csv.ts';
import { monthNow } from '../ledger/month.ts';
import { MonthPicker, StatementSheet, StatementTools } from '../ledger/Statement.tsx';
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
        <span className="row push">
          <StatementTools isThere={!!statement.data} onSave={() => downloadCsv('portal-statement', { month, timeZone: zone })} />
        </span>
      </div>
      <StatementSheet kind={kind} month={month} now={now} statement={statement} say={(balance) => sayStanding(balance, organizationName)} />
    </>
  );
}
