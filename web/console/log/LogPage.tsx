import { Button } from '@mantine/core';
import { type InfiniteData, type UseInfiniteQueryResult, useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type CSSProperties, Fragment, type ReactNode } from 'react';
import { FileTools } from '#web/ui/FileTools.tsx';
import { formatCount } from '#web/ui/format.ts';
import { IconChevronRight } from '#web/ui/icons.ts';
import { OlderRows } from '#web/ui/OlderRows.tsx';
import { RefreshButton } from '#web/ui/RefreshButton.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import type { Place } from '../api/lead.ts';
import { logRowQuery } from '../api/log.ts';
import { ColumnChoice, useColumnsInSight } from '../report/ReportTable.tsx';
import { TabBar } from '../shell/TabBar.tsx';
import { usePlaceName } from '../shell/use-place.ts';
import { useNewLeads } from './use-new-leads.ts';
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
  /** Its menu of views. */
  views: ReactNode;
  place: Place;
  filters: ReactNode;
  log: UseInfiniteQueryResult<InfiniteData<Page<One>>>;
  isNarrowed: boolean;
  /** What the search can find, for who found nothing. */
  searches: string;
  /** All that it may show. */
  columns: readonly LogColumn<One>[];
  kind: 'attempt-log' | 'call-log';
  body: (row: One) => ReactNode;
  /** Ids of the lines that are open. */
  opened: readonly string[];
  onToggle: (id: string) => void;
  onClear: () => void;
  onCsv: () => void;
}

export interface LogColumn<Row> {
  id: string;
  head: string;
  /** Of its track in the grid of a line. */
  width: string;
  isNum?: true;
  /** Not in sight until it is chosen. */
  isExtra?: true;
  cell: (row: Row) => ReactNode;
}

/** The frame of both logs: tabs, filters, and a list whose lines open to the whole conversation. */
export function LogPage<One extends Row>({ title, views, place, filters, log, isNarrowed, columns, ...list }: LogPageProps<One>) {
  const placeName = usePlaceName();
  const { inOrder, ids, setIds, reset } = useColumnsInSight(list.kind, columns);
  const shown = columns.filter(({ id }) => inOrder.includes(id));
  const style = { '--log-tracks': shown.map(({ width }) => width).join(' ') } as CSSProperties;
  const rows = log.data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <div className="page">
      <title>{`${title} · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>{title}</h1>
        {log.data && (
          <span className="muted tabular" role="status">
            {rows.length === 0 && log.hasNextPage ? 'none so far' : `${formatCount(rows.length)}${log.hasNextPage ? '+' : ''} found`}
          </span>
        )}
        {views}
      </div>
      <TabBar label="Log pages">
        {TABS.map(({ to, label }) => (
          <Link key={to} to={to} params={place} activeProps={{ 'aria-current': 'page' }}>
            {label}
          </Link>
        ))}
      </TabBar>
      {filters}
      <section className="card leads-card" aria-label={title} style={style}>
        <div className="leads-bar">
          <Refresh log={log} place={place} />
          <ColumnChoice columns={columns} ids={ids} onChange={setIds} onReset={reset} />
          <FileTools
            isBarred={rows.length === 0 && !log.hasNextPage}
            title="Everything found, with the columns shown here"
            onSave={list.onCsv}
          />
        </div>
        {log.isPending ? (
          <div className="card-body">
            <SkeletonLines count={12} height={22} />
          </div>
        ) : log.data ? (
          <>
            <OpenedElsewhere
              {...list}
              columns={shown}
              place={place}
              ids={list.opened.filter((id) => rows.every((row) => row._id !== id))}
            />
            <Lines {...list} columns={shown} rows={rows} log={log} isNarrowed={isNarrowed} />
          </>
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
      <RefreshButton query={log} />
      {fresh > 0 && (
        <span className="pill info tabular" role="status">
          {fresh >= 50 ? '50+' : fresh} new {fresh === 1 ? 'lead' : 'leads'}
        </span>
      )}
      <NotRefreshed query={log} />
    </>
  );
}

type LinesProps<One extends Row> = Pick<
  LogPageProps<One>,
  'log' | 'isNarrowed' | 'searches' | 'columns' | 'kind' | 'body' | 'opened' | 'onToggle' | 'onClear'
> & {
  rows: One[];
};

function Lines<One extends Row>({ rows, log, isNarrowed, searches, onClear, ...line }: LinesProps<One>) {
  const { kind, opened, columns } = line;
  return (
    <>
      {rows.length > 0 && (
        <>
          <div className={`log-columns ${kind}`} aria-hidden="true">
            <span />
            {columns.map(({ id, head, isNum }) => (
              <span key={id} className={isNum && 'num'}>
                {head}
              </span>
            ))}
          </div>
          <ol className="attempt-list">
            {rows.map((row) => (
              <Line key={row._id} row={row} isOpen={opened.includes(row._id)} {...line} />
            ))}
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
      <OlderRows list={log} isEmpty={rows.length === 0} label="Earlier calls" />
    </>
  );
}

type LineProps<One extends Row> = Pick<LogPageProps<One>, 'kind' | 'columns' | 'body' | 'onToggle'> & { row: One; isOpen: boolean };

function Line<One extends Row>({ row, isOpen, kind, columns, body, onToggle }: LineProps<One>) {
  return (
    <li className="attempt">
      <button
        type="button"
        className={`log-head ${kind}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? `log-${row._id}` : undefined}
        onClick={() => onToggle(row._id)}
      >
        <IconChevronRight size={16} className="attempt-chevron" aria-hidden />
        {columns.map(({ id, cell }) => (
          <Fragment key={id}>{cell(row)}</Fragment>
        ))}
      </button>
      {isOpen && (
        <div id={`log-${row._id}`} className="log-body">
          {body(row)}
        </div>
      )}
    </li>
  );
}

type ElsewhereProps<One extends Row> = Pick<LogPageProps<One>, 'place' | 'kind' | 'columns' | 'body' | 'onToggle'> & { ids: string[] };

/** Lines that the address opens and the list does not show: further back, or left out by its filters. */
function OpenedElsewhere<One extends Row>({ place, ids, ...line }: ElsewhereProps<One>) {
  const log = line.kind === 'attempt-log' ? 'attempts' : 'calls';
  const found = useQueries({ queries: ids.map((id) => logRowQuery<One>(log, place, id)) });
  if (ids.length === 0) return null;
  const rows = found.flatMap(({ data }) => data ?? []);
  const failed = found.find(({ error }) => error)?.error;
  const gone = found.filter(({ data }) => data === null).length;
  return (
    <>
      {rows.length > 0 && (
        <ol className="attempt-list" aria-label="Opened by the address">
          {rows.map((row) => (
            <Line key={row._id} row={row} isOpen {...line} />
          ))}
        </ol>
      )}
      {(gone > 0 || failed) && (
        <p className="muted small log-gone" role="status">
          {failed
            ? `Not opened: ${failed.message}`
            : `${gone === 1 ? 'A call that the address opens is' : `${gone} calls that the address opens are`} not here any more, or of another vertical.`}
        </p>
      )}
    </>
  );
}
