import { Button } from '@mantine/core';
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { formatCount } from '#web/ui/format.ts';
import { IconChevronRight, IconDownload, IconReload } from '#web/ui/icons.ts';
import { ExactTime } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import type { Place } from '../api/lead.ts';
import { usePlaceName } from '../shell/use-place.ts';
import { useNewLeads } from './use-new-leads.ts';
import '../shell/page-tabs.css';
import '../lead/leads.css';
import '../lead/lead.css';
import './log.css';

const TABS = [
  { to: '/setup/$region/$vertical/server-logs/buyer-tier-logs', label: 'Buyer tier logs' },
  { to: '/setup/$region/$vertical/server-logs/api-process-logs', label: 'API process logs' },
] as const;

interface Row {
  _id: string;
}
interface Page<One> {
  rows: One[];
  older: string | null;
  lookedTo: string | null;
}

interface LogPageProps<One extends Row> {
  title: string;
  place: Place;
  filters: ReactNode;
  log: UseInfiniteQueryResult<InfiniteData<Page<One>>>;
  isNarrowed: boolean;
  /** What the search can find, for who found nothing. */
  searches: string;
  /** Heads of the columns, as `head` fills them. */
  columns: readonly string[];
  kind: 'attempt-log' | 'call-log';
  head: (row: One) => ReactNode;
  body: (row: One) => ReactNode;
  onClear: () => void;
  onCsv: () => void;
}

/** The frame of both logs: tabs, filters, and a list whose lines open to the whole conversation. */
export function LogPage<One extends Row>({ title, place, filters, log, isNarrowed, ...list }: LogPageProps<One>) {
  const placeName = usePlaceName();
  const rows = log.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="page">
      <title>{`${title} · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        {log.data && (
          <span className="muted tabular" role="status">
            {formatCount(rows.length)}
            {log.hasNextPage ? '+' : ''} found
          </span>
        )}
      </div>
      <nav className="page-tabs no-print" aria-label="Log pages">
        {TABS.map(({ to, label }) => (
          <Link key={to} to={to} params={place} activeProps={{ 'aria-current': 'page' }}>
            {label}
          </Link>
        ))}
      </nav>
      {filters}
      <section className="card leads-card" aria-label={title}>
        <div className="leads-bar">
          <Refresh log={log} place={place} />
          <button
            type="button"
            className="tool-button push"
            disabled={rows.length === 0 && !log.hasNextPage}
            title="Everything found"
            onClick={list.onCsv}
          >
            <IconDownload size={15} aria-hidden /> CSV
          </button>
        </div>
        {log.isPending ? (
          <div className="card-body">
            <SkeletonLines count={12} height={22} />
          </div>
        ) : log.data ? (
          <Lines {...list} rows={rows} log={log} isNarrowed={isNarrowed} />
        ) : (
          <ErrorState error={log.error} onRetry={() => void log.refetch()} />
        )}
      </section>
    </div>
  );
}

/** Leads that ended since are told, and shown when asked for: what one reads does not move. */
function Refresh({ log, place }: { log: UseInfiniteQueryResult<unknown>; place: Place }) {
  const fresh = useNewLeads(place, log.dataUpdatedAt);
  return (
    <>
      <button type="button" className="tool-button" onClick={() => void log.refetch()} disabled={log.isFetching}>
        <IconReload size={15} aria-hidden className={log.isFetching ? 'turning' : undefined} /> {log.isFetching ? 'Loading…' : 'Refresh'}
      </button>
      {fresh > 0 && (
        <span className="pill info tabular" role="status">
          {fresh >= 50 ? '50+' : fresh} new {fresh === 1 ? 'lead' : 'leads'}
        </span>
      )}
      {log.isError && log.data !== undefined && (
        <span className="stale-note bad small" role="alert">
          Not refreshed: {log.error.message}
        </span>
      )}
    </>
  );
}

type LinesProps<One extends Row> = Pick<
  LogPageProps<One>,
  'log' | 'isNarrowed' | 'searches' | 'columns' | 'kind' | 'head' | 'body' | 'onClear'
> & {
  rows: One[];
};

function Lines<One extends Row>({ rows, log, isNarrowed, searches, columns, kind, head, body, onClear }: LinesProps<One>) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => setOpened((before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]));
  const lookedTo = log.data?.pages.at(-1)?.lookedTo ?? null;
  return (
    <>
      {rows.length > 0 && (
        <>
          <div className={`log-columns ${kind}`} aria-hidden="true">
            <span />
            {columns.map((name) => (
              <span key={name}>{name}</span>
            ))}
          </div>
          <ol className="attempt-list">
            {rows.map((row) => {
              const isOpen = opened.has(row._id);
              return (
                <li key={row._id} className="attempt">
                  <button
                    type="button"
                    className={`log-head ${kind}`}
                    aria-expanded={isOpen}
                    aria-controls={isOpen ? `log-${row._id}` : undefined}
                    onClick={() => toggle(row._id)}
                  >
                    <IconChevronRight size={16} className="attempt-chevron" aria-hidden />
                    {head(row)}
                  </button>
                  {isOpen && (
                    <div id={`log-${row._id}`} className="log-body">
                      {body(row)}
                    </div>
                  )}
                </li>
              );
            })}
          </ol>
        </>
      )}
      {rows.length === 0 && !log.hasNextPage && (
        <EmptyState
          title={isNarrowed ? 'Nothing matches.' : 'Nothing has been logged yet.'}
          action={
            isNarrowed && (
              <Button variant="default" size="xs" onClick={onClear}>
                Clear filters
              </Button>
            )
          }
        >
          {isNarrowed ? searches : 'Every call stands here as soon as the first lead comes.'}
        </EmptyState>
      )}
      {log.hasNextPage && (
        <div className="log-more">
          {lookedTo !== null && (
            <span className="muted small" role="status">
              {rows.length === 0 ? 'Nothing found' : 'Searched'} back to <ExactTime at={lookedTo} />.
            </span>
          )}
          <Button size="xs" variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
            {lookedTo === null ? 'Earlier calls' : 'Search further back'}
          </Button>
        </div>
      )}
    </>
  );
}
