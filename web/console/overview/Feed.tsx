import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useCallback, useMemo, useState } from 'react';
import type { LeadRow } from '#contract/lead.ts';
import { IconPlayerPause, IconPlayerPlay } from '#web/ui/icons.ts';
import { MoneyText, TimeAgo } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { type Place, recentLeadsQuery } from '../api/lead.ts';
import { type LiveFigures, useLiveFigures } from '../api/use-live-figures.ts';
import { StatusText } from '../lead/StatusText.tsx';
import { useMayReadLeads } from '../shell/use-place.ts';
import { type FeedSnapshot, type FeedState, feedLimit, mergeRow, openLeadFeed } from './lead-feed.ts';

const figuresEveryMs = 2000;
const stateText: Record<FeedState, string> = { connecting: 'Connecting…', live: 'Live', reconnecting: 'Reconnecting…' };

/** The feed itself, and fresh figures when it moves. */
function useLeadFeed({ region, vertical }: Place): FeedSnapshot {
  const [snapshot, setSnapshot] = useState<FeedSnapshot>({ state: 'connecting', rows: [], fresh: new Set() });
  const follow = useCallback(
    ({ moved, here }: LiveFigures) =>
      openLeadFeed(`/api/console/feed?${new URLSearchParams({ region, vertical })}`, {
        onChange: setSnapshot,
        onLead: moved,
        onHere: here,
      }),
    [region, vertical],
  );
  useLiveFigures('overview', figuresEveryMs, follow);
  return snapshot;
}

export function Feed({ place }: { place: Place }) {
  const { state, rows: live, fresh } = useLeadFeed(place);
  // Who may not open leads sees those that end while looking.
  const mayRead = useMayReadLeads();
  const recent = useQuery({ ...recentLeadsQuery(place), enabled: mayRead });
  const rows = useMemo(() => live.reduceRight(mergeRow, recent.data?.rows ?? []).slice(0, feedLimit), [live, recent.data]);
  const pause = usePause(rows);
  return (
    <section className="card feed-card no-print" aria-labelledby="feed-title">
      <header>
        <h2 id="feed-title">Live feed</h2>
        <span className={`feed-state feed-${state}`} role="status">
          <i className="dot" aria-hidden /> {stateText[state]}
        </span>
        <span className="push row">
          {pause.waiting > 0 && <span className="small muted">{pause.waiting} new</span>}
          <button type="button" className="tool-button" aria-pressed={pause.held} onClick={pause.toggle}>
            {pause.held ? <IconPlayerPlay size={14} aria-hidden /> : <IconPlayerPause size={14} aria-hidden />}
            {pause.held ? 'Go on' : 'Pause'}
          </button>
        </span>
      </header>
      {recent.isLoading && live.length === 0 ? (
        <div className="card-body">
          <SkeletonLines count={8} height={34} />
        </div>
      ) : mayRead && recent.isError && live.length === 0 ? (
        <ErrorState error={recent.error} onRetry={() => void recent.refetch()} />
      ) : rows.length === 0 ? (
        <EmptyState title={mayRead ? 'No leads yet today.' : 'No lead ended since you came.'}>
          They appear here the moment a publisher posts one.
        </EmptyState>
      ) : (
        <ol className="feed-list" onMouseEnter={pause.onEnter} onMouseLeave={pause.onLeave} onFocus={pause.onEnter} onBlur={pause.onLeave}>
          {pause.shown.map((row) => (
            <FeedRow key={row._id} row={row} place={place} fresh={fresh.has(row._id)} />
          ))}
        </ol>
      )}
    </section>
  );
}

/** While the pointer or the focus rests on the list, it stands still; the button holds it for longer. */
function usePause(rows: LeadRow[]) {
  const [held, setHeld] = useState(false);
  const [still, setStill] = useState<LeadRow[] | null>(null);
  const shown = still ?? rows;
  const ids = new Set(shown.map((row) => row._id));
  return {
    shown,
    held,
    waiting: still ? rows.filter((row) => !ids.has(row._id)).length : 0,
    toggle: () => {
      setHeld(!held);
      setStill(held ? null : rows);
    },
    onEnter: () => setStill((before) => before ?? rows),
    onLeave: () => !held && setStill(null),
  };
}

function FeedRow({ row, place, fresh }: { row: LeadRow; place: Place; fresh: boolean }) {
  const said = <FeedLines row={row} />;
  const mayRead = useMayReadLeads();
  return (
    <li className={fresh ? 'feed-row feed-fresh' : 'feed-row'}>
      {mayRead ? (
        <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId: row._id }} className="feed-lead">
          {said}
        </Link>
      ) : (
        <div className="feed-lead">{said}</div>
      )}
    </li>
  );
}

function FeedLines({ row }: { row: LeadRow }) {
  const buyers = row.buyers.map((one) => one.buyerName).join(', ');
  return (
    <>
      <span className="feed-line">
        <StatusText status={row.status} />
        {row.test && <span className="pill warn">Test</span>}
        <span className="feed-money">{row.status === 'sold' && <MoneyText amount={row.revenue} />}</span>
      </span>
      <span className="feed-line small muted">
        <span className="feed-who">
          {row.publisherName}
          {row.status === 'sold' ? buyers && ` → ${buyers}` : row.reasonLabel && ` · ${row.reasonLabel}`}
        </span>
        <TimeAgo at={row.receivedAt} />
      </span>
    </>
  );
}
