import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CallLogEntry, CallLogRow } from '#contract/log.ts';
import { CopyButton, CopyTextButton } from '#web/ui/CopyButton.tsx';
import { toCurl } from '#web/ui/curl.ts';
import { formatCount, formatElapsed } from '#web/ui/format.ts';
import { PrettyView } from '#web/ui/PrettyView.tsx';
import { useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import type { Place } from '../api/lead.ts';
import { callEntryQuery, callLogQuery, unmaskCall } from '../api/log.ts';
import { downloadCsv } from '../download-csv.ts';
import { FilterBar } from '../lead/FilterBar.tsx';
import { FILTERS } from '../lead/filters.tsx';
import { WordText } from '../lead/StatusText.tsx';
import { Fact } from '../lead/Wire.tsx';
import { useColumnsInSight } from '../report/ReportTable.tsx';
import { useDefaultView } from '../report/use-default-view.ts';
import { ViewNotes, ViewsMenu } from '../report/ViewsMenu.tsx';
import { LogCode, LogTime } from './LogCells.tsx';
import { type LogColumn, LogPage } from './LogPage.tsx';
import { useLogAddress } from './log-address.ts';
import { CALL_LOG_ADDRESS, type CallLogSearch, isNarrowed, toLogFilters } from './log-search.ts';
import { callEndWord, callKindWord } from './log-words.ts';
import { Unmask } from './Unmask.tsx';

const CALL_FILTERS = [
  ...[FILTERS.q, FILTERS.text, FILTERS.period, FILTERS.campaign, FILTERS.publisher, FILTERS.publisherTier],
  ...[FILTERS.end, FILTERS.callReason, FILTERS.code, FILTERS.refusedWith, FILTERS.call, FILTERS.test],
];

const COLUMNS: readonly LogColumn<CallLogRow>[] = [
  { id: 'came', head: 'Came', width: '124px', cell: ({ at }) => <LogTime at={at} /> },
  {
    ...{ id: 'publisher', head: 'Publisher tier', width: 'minmax(130px, 1.5fr)' },
    cell: ({ publisherName, publisherTierName, test }) => (
      <span className="log-name">
        {publisherName}, {publisherTierName} {test && <span className="pill warn">Test</span>}
      </span>
    ),
  },
  {
    ...{ id: 'key', head: 'Key', width: '84px' },
    cell: ({ keyPrefix }) => <code className="mono muted log-key">{keyPrefix === null ? '–' : `${keyPrefix}…`}</code>,
  },
  { id: 'call', head: 'Call', width: '106px', cell: ({ call }) => <span className="muted log-call">{callKindWord[call]}</span> },
  {
    ...{ id: 'address', head: 'Address', width: 'minmax(0, 1.2fr)', isExtra: true },
    cell: ({ method, path }) => (
      <code className="mono muted log-more">
        {method} {path}
      </code>
    ),
  },
  { id: 'ended', head: 'Ended as', width: '128px', cell: ({ end }) => <WordText word={callEndWord[end]} /> },
  { id: 'http', head: 'HTTP', width: '40px', cell: ({ statusCode }) => <LogCode code={statusCode} /> },
  {
    ...{ id: 'code', head: 'Code', width: 'minmax(0, 1fr)', isExtra: true },
    cell: ({ code }) => <code className="mono muted log-more">{code ?? '–'}</code>,
  },
  {
    ...{ id: 'why', head: 'Why', width: 'minmax(0, 1.6fr)' },
    cell: ({ reasonLabel, more }) => (
      <span className="log-said muted">
        {reasonLabel}
        {more > 0 && <span className="pill warn tabular">and {formatCount(more)} like it</span>}
      </span>
    ),
  },
  {
    ...{ id: 'took', head: 'Took', width: '68px', isNum: true },
    cell: ({ elapsedMs }) => <span className="num muted log-took">{formatElapsed(elapsedMs)}</span>,
  },
];

/** Every call of a publisher: what made a lead, and what did not. */
export function CallLog() {
  const { place, search, filters, opened, change, clear, toggle } = useLogAddress<CallLogSearch>();
  const { zone } = useReporting();
  useDefaultView(place, 'call-log', search, CALL_LOG_ADDRESS);
  const { inOrder } = useColumnsInSight('call-log', COLUMNS);
  const log = useInfiniteQuery(callLogQuery(place, filters, zone));
  return (
    <LogPage<CallLogRow>
      title="API process logs"
      kind="call-log"
      views={<ViewsMenu place={place} page="call-log" search={search} address={CALL_LOG_ADDRESS} columns={inOrder} />}
      place={place}
      log={log}
      isNarrowed={isNarrowed(search)}
      searches="A lead id, email or phone is found whole, among calls that made a lead; the text of a call by any part of it, as it is shown. A call with a key that nobody has is nobody’s, and stands nowhere."
      columns={COLUMNS}
      body={(row) => <Entry row={row} place={place} />}
      opened={opened}
      onToggle={toggle}
      onClear={clear}
      onCsv={() =>
        downloadCsv('call-log', { ...toLogFilters(place, search, zone, Date.now()), timeZone: zone, columns: inOrder.join(',') })
      }
      filters={
        <>
          <FilterBar
            label="Find calls of publishers"
            filters={CALL_FILTERS}
            isNarrowed={isNarrowed(search)}
            onChange={change}
            onClear={clear}
            {...{ place, search }}
          />
          <ViewNotes place={place} page="call-log" search={search} />
        </>
      }
    />
  );
}

function Entry({ row, place }: { row: CallLogRow; place: Place }) {
  const entry = useQuery(callEntryQuery(row._id));
  const [open, setOpen] = useState<CallLogEntry | null>(null);
  const shown = open ?? entry.data;
  if (!shown)
    return entry.isError ? (
      <ErrorState error={entry.error} onRetry={() => void entry.refetch()} />
    ) : (
      <SkeletonLines count={5} height={18} />
    );
  const { contentType, ip, body, answer, mayUnmask } = shown;
  const headers: Record<string, string> = { authorization: 'Bearer YOUR-KEY', ...(contentType && { 'content-type': contentType }) };
  const curl = () => toCurl({ method: row.method, url: window.location.origin + row.path, headers, body });
  return (
    <>
      <dl className="attempt-facts">
        <Fact name="Key" value={row.keyPrefix === null ? 'not kept' : `${row.keyPrefix}…`} />
        <Fact name="From" value={ip} />
        <Fact name="Format" value={contentType || 'none'} />
        <Fact name="Took" value={formatElapsed(row.elapsedMs)} />
        {row.code && <Fact name="Code" value={<code className="mono">{row.code}</code>} />}
        {row.leadId && (
          <Fact
            name="Lead"
            value={
              <span className="row">
                <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: row.leadId }} className="link">
                  Open the lead
                </Link>
                <CopyButton text={row.leadId} label="Copy the lead’s id" />
              </span>
            }
          />
        )}
      </dl>
      {row.more > 0 && (
        <p className="attempt-late warn small">
          {formatCount(row.more)} more calls with the same outcome came in the same ten seconds. Of so many, one is kept.
        </p>
      )}
      {mayUnmask && body !== '' && (
        <Unmask isOpen={open !== null} unmask={async (reason) => setOpen(await unmaskCall(row._id, reason))} onHide={() => setOpen(null)} />
      )}
      <div className="wire-line">
        <code className="mono">
          <strong>{row.method}</strong> {row.path}
        </code>
        <CopyTextButton text={curl} label="Copy as curl" />
      </div>
      <div className="wire-pair">
        <PrettyView label="They sent" body={body} />
        <PrettyView label={row.statusCode === null ? 'No answer yet' : `We answered ${row.statusCode}`} body={answer} />
      </div>
    </>
  );
}
