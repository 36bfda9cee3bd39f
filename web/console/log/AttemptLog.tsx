import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { AttemptLogEntry, AttemptLogRow } from '#contract/log.ts';
import { CopyButton } from '#web/ui/CopyButton.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatElapsed } from '#web/ui/format.ts';
import { MoneyText, Sentence, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { leadFiltersQuery, type Place } from '../api/lead.ts';
import { attemptEntryQuery, attemptLogQuery, unmaskAttempt } from '../api/log.ts';
import { downloadCsv } from '../download-csv.ts';
import { FilterBar } from '../lead/FilterBar.tsx';
import { FILTERS } from '../lead/filters.tsx';
import { legWord, wordOfAttempt } from '../lead/lead-words.ts';
import { StatusPill, WordText } from '../lead/StatusText.tsx';
import { CallTimes, Fact, Wire } from '../lead/Wire.tsx';
import { useColumnsInSight } from '../report/ReportTable.tsx';
import { useDefaultView } from '../report/use-default-view.ts';
import { ViewNotes, ViewsMenu } from '../report/ViewsMenu.tsx';
import { useMayReadLeads } from '../shell/use-place.ts';
import { LogCode, LogTime } from './LogCells.tsx';
import { type LogColumn, LogPage } from './LogPage.tsx';
import { useLogAddress } from './log-address.ts';
import { ATTEMPT_LOG_ADDRESS, type AttemptLogSearch, isNarrowed, toLogFilters } from './log-search.ts';
import { Unmask } from './Unmask.tsx';

const ATTEMPT_FILTERS = [
  ...[FILTERS.q, FILTERS.said, FILTERS.text, FILTERS.period, FILTERS.buyer, FILTERS.buyerTier],
  ...[FILTERS.campaign, FILTERS.publisher, FILTERS.publisherTier],
  ...[FILTERS.outcome, FILTERS.http, FILTERS.leg, FILTERS.took, FILTERS.test],
];

/** A tier that was filtered was not called: it is a verdict of its lead, and stands there. */
function WayToFiltered({ place, search: { buyerId, buyerTierId, period, from, to, test } }: { place: Place; search: AttemptLogSearch }) {
  const { data } = useQuery(leadFiltersQuery(place));
  const navigate = useNavigate();
  if (!useMayReadLeads()) return null;
  const goTo = (filterReason: string | undefined) => {
    const search = { filterReason, triedBuyerId: buyerId, triedTierId: buyerTierId, period, from, to, test, pings: 'false' as const };
    void navigate({ to: '/setup/$region/$vertical/leads', params: place, search });
  };
  return (
    <div className="log-way muted small no-print">
      Buyer tiers that were filtered were not called, and stand in no line here.
      <FilterChip
        name="Leads by filter reason"
        options={data?.filterReasons ?? []}
        value={undefined}
        emptyText="Nothing found."
        onChange={goTo}
      />
    </div>
  );
}

const COLUMNS: readonly LogColumn<AttemptLogRow>[] = [
  { id: 'began', head: 'Began', width: '124px', cell: ({ startedAt }) => <LogTime at={startedAt} /> },
  {
    ...{ id: 'buyer', head: 'Buyer', width: 'minmax(130px, 1.4fr)' },
    cell: ({ buyerTierName, leg, test }) => (
      <span className="log-name">
        {buyerTierName} <span className="muted">{legWord[leg]}</span> {test && <span className="pill warn">Test</span>}
      </span>
    ),
  },
  {
    ...{ id: 'outcome', head: 'Outcome', width: '104px' },
    cell: ({ outcome, statusCode }) => <WordText word={wordOfAttempt({ outcome, isAnswered: statusCode !== null })} />,
  },
  { id: 'http', head: 'HTTP', width: '40px', cell: ({ statusCode }) => <LogCode code={statusCode} /> },
  {
    ...{ id: 'said', head: 'What the buyer said', width: 'minmax(0, 2fr)' },
    cell: ({ reason }) => <span className="log-said muted">{reason}</span>,
  },
  {
    ...{ id: 'publisher', head: 'Publisher', width: 'minmax(0, 1.2fr)', isExtra: true },
    cell: ({ publisherName, publisherTierName }) => (
      <span className="log-more muted">
        {publisherName}, {publisherTierName}
      </span>
    ),
  },
  {
    ...{ id: 'price', head: 'Price', width: '72px', isNum: true },
    cell: ({ price, bid }) => <span className="num log-money">{(price ?? bid) && <MoneyText amount={(price ?? bid)!} />}</span>,
  },
  {
    ...{ id: 'parts', head: 'Connect, wait, read', width: '148px', isNum: true, isExtra: true },
    cell: ({ connectMs, waitMs, readMs }) => (
      <span className="num log-more muted">
        {[connectMs, waitMs, readMs].map((ms) => (ms === null ? '–' : formatElapsed(ms))).join(', ')}
      </span>
    ),
  },
  {
    ...{ id: 'took', head: 'Took', width: '68px', isNum: true },
    cell: ({ elapsedMs }) => <span className="num muted log-took">{formatElapsed(elapsedMs)}</span>,
  },
];

/** Every call to a buyer, and what was said. */
export function AttemptLog() {
  const { place, search, filters, opened, change, clear, toggle } = useLogAddress<AttemptLogSearch>();
  const { zone } = useReporting();
  useDefaultView(place, 'attempt-log', search, ATTEMPT_LOG_ADDRESS);
  const { inOrder } = useColumnsInSight('attempt-log', COLUMNS);
  const log = useInfiniteQuery(attemptLogQuery(place, filters, zone));
  return (
    <LogPage<AttemptLogRow>
      title="Buyer tier logs"
      kind="attempt-log"
      views={<ViewsMenu place={place} page="attempt-log" search={search} address={ATTEMPT_LOG_ADDRESS} columns={inOrder} />}
      place={place}
      log={log}
      isNarrowed={isNarrowed(search)}
      searches="A lead id, email or phone is found whole; a reason and the text of a call by any part of them, as they are shown; all else by its filter."
      columns={COLUMNS}
      body={(row) => <Entry row={row} place={place} />}
      opened={opened}
      onToggle={toggle}
      onClear={clear}
      onCsv={() =>
        downloadCsv('attempt-log', { ...toLogFilters(place, search, zone, Date.now()), timeZone: zone, columns: inOrder.join(',') })
      }
      filters={
        <>
          <FilterBar
            label="Find calls to buyers"
            filters={ATTEMPT_FILTERS}
            isNarrowed={isNarrowed(search)}
            onChange={change}
            onClear={clear}
            {...{ place, search }}
          />
          <WayToFiltered place={place} search={search} />
          <ViewNotes place={place} page="attempt-log" search={search} />
        </>
      }
    />
  );
}

function Entry({ row, place }: { row: AttemptLogRow; place: Place }) {
  const entry = useQuery(attemptEntryQuery(row._id));
  const [open, setOpen] = useState<AttemptLogEntry | null>(null);
  const shown = open ?? entry.data;
  if (!shown)
    return entry.isError ? (
      <ErrorState error={entry.error} onRetry={() => void entry.refetch()} />
    ) : (
      <SkeletonLines count={5} height={18} />
    );
  const { attempt, leadId, leadStatus, why, mayUnmask } = shown;
  return (
    <>
      <p className="log-lead">
        <StatusPill status={leadStatus} />
        <span>
          <Sentence text={why} />
        </span>
        <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId }} className="link">
          Open the lead
        </Link>
        <CopyButton text={leadId} label="Copy the lead’s id" />
      </p>
      <dl className="attempt-facts">
        <Fact name="Buyer" value={attempt.buyerName} />
        <Fact name="Group" value={attempt.groupName} />
        <Fact name="Publisher" value={`${row.publisherName}, ${row.publisherTierName}`} />
        {attempt.bid && <Fact name="Bid" value={<MoneyText amount={attempt.bid} exact />} />}
        {attempt.price && <Fact name="Price" value={<MoneyText amount={attempt.price} exact />} />}
        <CallTimes call={attempt} />
      </dl>
      {attempt.reasons.length > 0 && (
        <p className="attempt-reasons">
          <strong>Reason:</strong> {attempt.reasons.join('; ')}
        </p>
      )}
      {mayUnmask && attempt.wire && (
        <Unmask
          isOpen={open !== null}
          unmask={async (reason) => setOpen(await unmaskAttempt(row._id, reason))}
          onHide={() => setOpen(null)}
        />
      )}
      {attempt.wire ? <Wire wire={attempt.wire} /> : <p className="muted small">Nothing went over the wire for this attempt.</p>}
    </>
  );
}
