import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AttemptLogEntry, AttemptLogRow } from '#contract/log.ts';
import { ChoiceChip } from '#web/ui/ChoiceChip.tsx';
import { ExactSearch } from '#web/ui/ExactSearch.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatElapsed, formatInstant, formatShortInstant } from '#web/ui/format.ts';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { spans } from '#web/ui/period.ts';
import { MoneyText, Sentence, useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { leadChoices } from '../api/choices.ts';
import type { Place } from '../api/lead.ts';
import { attemptEntryQuery, attemptLogQuery, unmaskAttempt } from '../api/log.ts';
import { downloadCsv } from '../download-csv.ts';
import { attemptWord, legWord, wordOfAttempt } from '../lead/lead-words.ts';
import { StatusPill, WordText } from '../lead/StatusText.tsx';
import { CallTimes, Fact, Wire } from '../lead/Wire.tsx';
import { LogPage } from './LogPage.tsx';
import { testOptions, useLogAddress } from './log-address.ts';
import { type AttemptLogSearch, isNarrowed, outcomes, SLOW, toLogFilters } from './log-search.ts';
import { Unmask } from './Unmask.tsx';

const outcomeOptions = outcomes.map((value) => ({
  value,
  label: attemptWord[value].label,
  mark: <WordText word={attemptWord[value]} />,
}));
const legOptions = [
  { value: 'ping', label: 'Ping' },
  { value: 'post', label: 'Post' },
];
const slowOptions = SLOW.map((value) => ({ value, label: `${formatElapsed(Number(value))} or more` }));

/** Every call to a buyer, and what was said. */
export function AttemptLog() {
  const { place, search, change, clear } = useLogAddress<AttemptLogSearch>();
  const { zone } = useReporting();
  const log = useInfiniteQuery(attemptLogQuery(place, search, zone));
  return (
    <LogPage<AttemptLogRow>
      title="Buyer tier logs"
      kind="attempt-log"
      place={place}
      log={log}
      isNarrowed={isNarrowed(search)}
      searches="A lead id, email or phone is found whole; a reason and the text of a call by any part of them, as they are shown; all else by its filter."
      columns={['Began', 'Buyer', 'Outcome', 'HTTP', 'What the buyer said', 'Price', 'Took']}
      head={(row) => <Head row={row} />}
      body={(row) => <Entry row={row} place={place} />}
      onClear={clear}
      onCsv={() => downloadCsv('attempt-log', { ...toLogFilters(place, search, zone, Date.now()), timeZone: zone })}
      filters={
        <search className="lead-filters" aria-label="Find calls to buyers">
          <ExactSearch
            key={`q ${search.q ?? ''}`}
            value={search.q ?? ''}
            label="Search by lead id, email, phone or primary field"
            placeholder="Lead id, email or phone, then Enter"
            className="lead-search"
            onSearch={(q) => change({ q: q || undefined })}
          />
          <ExactSearch
            key={`reason ${search.reason ?? ''}`}
            value={search.reason ?? ''}
            label="Search by what the buyer said"
            placeholder="Buyer’s reason"
            className="log-reason"
            isFirst={false}
            onSearch={(reason) => change({ reason: reason || undefined })}
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
            name="Buyer"
            source={leadChoices(place, 'buyer')}
            value={search.buyerId}
            emptyText="No buyers found."
            onChange={(buyerId) => change({ buyerId })}
          />
          <ChoiceChip
            name="Buyer tier"
            source={leadChoices(place, 'buyerTier')}
            value={search.buyerTierId}
            emptyText="No buyer tiers found."
            onChange={(buyerTierId) => change({ buyerTierId })}
          />
          <FilterChip
            name="Outcome"
            options={outcomeOptions}
            value={search.outcome}
            emptyText=""
            onChange={(outcome) => change({ outcome: outcomes.find((one) => one === outcome) })}
          />
          <FilterChip
            name="Leg"
            options={legOptions}
            value={search.leg}
            emptyText=""
            onChange={(leg) => change({ leg: leg === 'ping' || leg === 'post' ? leg : undefined })}
          />
          <FilterChip name="Took" options={slowOptions} value={search.tookMs} emptyText="" onChange={(tookMs) => change({ tookMs })} />
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

function Head({ row }: { row: AttemptLogRow }) {
  const { zone } = useReporting();
  return (
    <>
      <span className="tabular log-when" title={formatInstant(row.startedAt, zone)}>
        {formatShortInstant(row.startedAt, zone)}
      </span>
      <span className="log-name">
        {row.buyerTierName} <span className="muted">{legWord[row.leg]}</span> {row.test && <span className="pill warn">Test</span>}
      </span>
      <WordText word={wordOfAttempt({ outcome: row.outcome, isAnswered: row.statusCode !== null })} />
      <span className="tabular muted log-code">
        <span className="sr-only">HTTP </span>
        {row.statusCode ?? '–'}
      </span>
      <span className="log-said muted">{row.reason}</span>
      <span className="num log-money">
        {row.price ? <MoneyText amount={row.price} /> : row.bid ? <MoneyText amount={row.bid} /> : null}
      </span>
      <span className="num muted">{formatElapsed(row.elapsedMs)}</span>
    </>
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
