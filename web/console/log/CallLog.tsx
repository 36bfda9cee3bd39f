import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { CallLogEntry, CallLogRow } from '#contract/log.ts';
import { REFUSALS } from '#contract/refusal.ts';
import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { CopyTextButton } from '#web/ui/CopyButton.tsx';
import { toCurl } from '#web/ui/curl.ts';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatCount, formatElapsed, formatInstant, formatShortInstant } from '#web/ui/format.ts';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { PrettyView } from '#web/ui/PrettyView.tsx';
import { spans } from '#web/ui/period.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { leadChoices } from '../api/choices.ts';
import type { Place } from '../api/lead.ts';
import { callEntryQuery, callLogQuery, unmaskCall } from '../api/log.ts';
import { downloadCsv } from '../download-csv.ts';
import { WordText } from '../lead/StatusText.tsx';
import { Fact } from '../lead/Wire.tsx';
import { LogPage } from './LogPage.tsx';
import { testOptions, useLogAddress } from './log-address.ts';
import { type CallLogSearch, callEnds, callKinds, isNarrowed, toLogFilters } from './log-search.ts';
import { callEndWord, callKindWord } from './log-words.ts';
import { Unmask } from './Unmask.tsx';

const endOptions = callEnds.map((value) => ({
  value,
  label: callEndWord[value].label,
  mark: <WordText word={callEndWord[value]} />,
}));
const kindOptions = callKinds.map((value) => ({ value, label: callKindWord[value] }));
/** Calls without a key that is ours are nobody's, and stand in no log. */
const codeOptions = Object.entries(REFUSALS)
  .filter(([code]) => code !== 'key_missing' && code !== 'key_unknown')
  .map(([value, { label }]) => ({ value, label: `${label} (${value})` }));

/** Every call of a publisher: what made a lead, and what did not. */
export function CallLog() {
  const { place, search, change, clear } = useLogAddress<CallLogSearch>();
  const { zone } = useReporting();
  const log = useInfiniteQuery(callLogQuery(place, search, zone));
  return (
    <LogPage<CallLogRow>
      title="API process logs"
      kind="call-log"
      place={place}
      log={log}
      isNarrowed={isNarrowed(search)}
      searches="A lead id, email or phone is found whole, among calls that made a lead; the text of a call by any part of it, as it is shown. A call with a key that nobody has is nobody’s, and stands nowhere."
      columns={['Came', 'Publisher tier', 'Key', 'Call', 'Ended as', 'HTTP', 'Why', 'Took']}
      head={(row) => <Head row={row} />}
      body={(row) => <Entry row={row} place={place} />}
      onClear={clear}
      onCsv={() => downloadCsv('call-log', { ...toLogFilters(place, search, zone, Date.now()), timeZone: zone })}
      filters={
        <search className="lead-filters" aria-label="Find calls of publishers">
          <ExactSearch
            key={`q ${search.q ?? ''}`}
            value={search.q ?? ''}
            label="Search by lead id, email, phone or primary field"
            placeholder="Lead id, email or phone, then Enter"
            className="lead-search"
            onSearch={(q) => change({ q: q || undefined })}
          />
          <ExactSearch
            key={`text ${search.text ?? ''}`}
            value={search.text ?? ''}
            label="Search by any text that went over the wire, as it is shown"
            placeholder="Text sent or answered"
            className="log-text"
            isFirst={false}
            onSearch={(text) => change({ text: text || undefined })}
          />
          <PeriodChip presets={spans} value={{ period: search.period, from: search.from, to: search.to }} onChange={change} />
          <ChoiceChip
            name="Publisher tier"
            source={leadChoices(place, 'publisherTier')}
            value={search.publisherTierId}
            emptyText="No publisher tiers found."
            onChange={(publisherTierId) => change({ publisherTierId })}
          />
          <FilterChip
            name="Ended as"
            options={endOptions}
            value={search.end}
            emptyText="Nothing found."
            onChange={(end) => change({ end: callEnds.find((one) => one === end) })}
          />
          <FilterChip
            name="Refused for"
            options={codeOptions}
            value={search.code}
            emptyText="Nothing found."
            onChange={(code) => change({ code })}
          />
          <FilterChip
            name="Call"
            options={kindOptions}
            value={search.call}
            emptyText=""
            onChange={(call) => change({ call: callKinds.find((one) => one === call) })}
          />
          <FilterChip
            name="Test"
            options={testOptions}
            value={search.test}
            emptyText=""
            onChange={(test) => change({ test: test === 'true' || test === 'false' ? test : undefined })}
          />
          {isNarrowed(search) && (
            <button type="button" className="bare link clear-all" onClick={clear}>
              Clear all
            </button>
          )}
        </search>
      }
    />
  );
}

function Head({ row }: { row: CallLogRow }) {
  const { zone } = useReporting();
  const why = row.reasonLabel ?? (row.end === 'refused' ? (REFUSALS[row.code ?? '']?.label ?? row.code) : null);
  return (
    <>
      <span className="tabular log-when" title={formatInstant(row.at, zone)}>
        {formatShortInstant(row.at, zone)}
      </span>
      <span className="log-name">
        {row.publisherName}, {row.publisherTierName} {row.test && <span className="pill warn">Test</span>}
      </span>
      <code className="mono muted log-key">{row.keyPrefix === null ? '–' : `${row.keyPrefix}…`}</code>
      <span className="muted log-call">{callKindWord[row.call]}</span>
      <WordText word={callEndWord[row.end]} />
      <span className="tabular muted log-code">
        <span className="sr-only">HTTP </span>
        {row.statusCode ?? '–'}
      </span>
      <span className="log-said muted">
        {why}
        {row.more > 0 && <span className="pill warn tabular">and {formatCount(row.more)} like it</span>}
      </span>
      <span className="num muted">{formatElapsed(row.elapsedMs)}</span>
    </>
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
              <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: row.leadId }} className="link">
                Open the lead
              </Link>
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
