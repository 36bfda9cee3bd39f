import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useParams } from '@tanstack/react-router';
import { BUYER_DAY_WORDS, PUBLISHER_DAY_WORDS } from '#contract/day-words.ts';
import type { OverviewAnswer } from '#contract/lead.ts';
import { DIMENSION_WORDS } from '#contract/report-words.ts';
import { CsvButton } from '#web/ui/FileTools.tsx';
import { formatCount, formatElapsed, formatLongDay, formatRate } from '#web/ui/format.ts';
import {
  IconAlertTriangle,
  IconCalendar,
  IconCheck,
  IconClockExclamation,
  IconCoinOff,
  IconGauge,
  IconHourglass,
  IconLock,
  IconPlayerPause,
  IconPlugConnectedX,
  IconTransform,
} from '#web/ui/icons.ts';
import { PrintButton } from '#web/ui/PrintButton.tsx';
import { MoneyText, Sentence, TimeAgo, useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, SkeletonLines } from '#web/ui/states.tsx';
import { timeZoneLabel } from '#web/ui/zone.ts';
import { overviewQuery, type Place } from '../api/lead.ts';
import { downloadCsv } from '../download-csv.ts';
import type { LeadsSearch } from '../lead/leads-search.ts';
import { useMayReadLeads, usePermissionHere, usePlaceName } from '../shell/use-place.ts';
import { Feed } from './Feed.tsx';
import { FigureRow, FigureRowSkeleton, ReturnedToday } from './FigureRow.tsx';
import { HourChart } from './HourChart.tsx';
import '#web/ui/stacking-table.css';
import './overview.css';

const route = getRouteApi('/framed/setup/$region/$vertical/overview');

export function Overview() {
  const place = route.useParams();
  const placeName = usePlaceName();
  const { zone } = useReporting();
  const overview = useQuery(overviewQuery(place, zone));
  const { data } = overview;
  return (
    <div className="page">
      <title>{`Overview · ${placeName} · Sluice`}</title>
      <div className="page-head">
        <h1>Today in {placeName}</h1>
        <span className="muted">
          {formatLongDay(data ? Date.parse(data.asOf) : Date.now(), zone)} ({timeZoneLabel[zone]})
        </span>
        <span className="muted small push">
          {data && (
            <>
              Figures from <TimeAgo at={data.asOf} />, compared with yesterday up to this time of day; pings and test leads are left out
            </>
          )}
        </span>
        <PrintButton isBarred={!data} />
      </div>
      <div className="overview-grid">
        <div className="overview-main">
          {data ? (
            <OverviewFigures data={data} />
          ) : overview.isError ? (
            <FiguresError error={overview.error} onRetry={() => void overview.refetch()} />
          ) : (
            <FiguresSkeleton />
          )}
        </div>
        <Feed key={`${place.region}/${place.vertical}`} place={place} />
      </div>
    </div>
  );
}

function OverviewFigures({ data }: { data: OverviewAnswer }) {
  return (
    <>
      <FigureRow today={data.today} before={data.yesterdaySoFar} />
      <ReturnedToday today={data.today} />
      <Warnings warnings={data.warnings} />
      <HourChart hours={data.hours} />
      <div className="overview-pair">
        <TopPublishers rows={data.topPublishers} />
        <TopBuyers rows={data.topBuyers} />
      </div>
    </>
  );
}

const FiguresError = ({ error, onRetry }: { error: unknown; onRetry: () => void }) => (
  <div className="card">
    <ErrorState error={error} onRetry={onRetry} />
  </div>
);

const FiguresSkeleton = () => (
  <>
    <FigureRowSkeleton />
    <div className="card card-body overview-blank">
      <SkeletonLines count={3} />
    </div>
    <div className="card card-body overview-blank">
      <SkeletonLines count={8} height={22} />
    </div>
  </>
);

type Warning = OverviewAnswer['warnings'][number];
const warningLook: Record<Warning['kind'], { icon: typeof IconGauge; tone: string; label: string }> = {
  breaker: { icon: IconPlugConnectedX, tone: 'bad', label: 'Breaker' },
  resting: { icon: IconHourglass, tone: 'warn', label: 'Asked to wait' },
  throttled: { icon: IconGauge, tone: 'warn', label: 'Throttled' },
  paused: { icon: IconPlayerPause, tone: 'info', label: 'Paused' },
  capNearFull: { icon: IconGauge, tone: 'warn', label: 'Cap nearly full' },
  underFloor: { icon: IconCoinOff, tone: 'bad', label: 'Under the floor' },
  capFull: { icon: IconGauge, tone: 'bad', label: 'Cap full' },
  timeouts: { icon: IconClockExclamation, tone: 'warn', label: 'Time-outs' },
  errors: { icon: IconAlertTriangle, tone: 'bad', label: 'Errors' },
  unreachable: { icon: IconPlugConnectedX, tone: 'bad', label: 'Unreachable' },
  noKey: { icon: IconLock, tone: 'bad', label: 'No key' },
  noLander: { icon: IconLock, tone: 'warn', label: 'No lander' },
  landerClosed: { icon: IconPlayerPause, tone: 'warn', label: 'Lander closed' },
  unmapped: { icon: IconTransform, tone: 'warn', label: 'Unmapped values' },
  pauseDate: { icon: IconCalendar, tone: 'info', label: 'Pause date' },
  closedToday: { icon: IconCalendar, tone: 'info', label: 'No hours' },
  fundsShort: { icon: IconCoinOff, tone: 'bad', label: 'No balance' },
  fundsLow: { icon: IconCoinOff, tone: 'warn', label: 'Low balance' },
  feedFailing: { icon: IconPlugConnectedX, tone: 'bad', label: 'Feed fails' },
  unsettled: { icon: IconCoinOff, tone: 'warn', label: 'To settle' },
};

function Warnings({ warnings }: { warnings: Warning[] }) {
  return (
    <section className="card" aria-labelledby="wrong-title">
      <header>
        <h2 id="wrong-title">What is wrong now</h2>
        {warnings.length > 0 && <span className="pill bad">{warnings.length}</span>}
      </header>
      {warnings.length === 0 ? (
        <p className="all-well">
          <IconCheck size={18} className="good" aria-hidden /> Nothing. Every tier is open and below its caps, and all that were called
          lately answered.
        </p>
      ) : (
        <ul className="warning-list">
          {warnings.map(({ kind, subjectId, text }) => {
            const { icon: Icon, tone, label } = warningLook[kind];
            return (
              <li key={kind + subjectId + text}>
                <Icon size={18} className={tone} aria-hidden />
                <span className={`warning-kind ${tone}`}>{label}</span>
                <span>
                  <Sentence text={text} />
                  {kind === 'unsettled' && <SettleLink />}
                  {kind === 'feedFailing' && <FeedLink id={subjectId} />}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

/** For who reads leads; to others the sentence alone is told. */
function SettleLink() {
  const place = route.useParams();
  if (!useMayReadLeads()) return null;
  return (
    <>
      {' '}
      <Link to="/setup/$region/$vertical/leads/to-settle" params={place} className="link">
        Settle
      </Link>
    </>
  );
}

/** For who has its page. */
function FeedLink({ id }: { id: string }) {
  const { region, vertical } = route.useParams();
  if (!usePermissionHere()?.pageStatePermission['dataMgmt-Outbound']) return null;
  return (
    <>
      {' '}
      <Link to={`/setup/${region}/${vertical}/data-mgmt/outbound/feeds/${id}` as '/'} className="link">
        Its runs
      </Link>
    </>
  );
}

const { leads, payout } = PUBLISHER_DAY_WORDS;
const PUBLISHER_HEADS = [leads, PUBLISHER_DAY_WORDS.soldShare, payout, PUBLISHER_DAY_WORDS.revenue];
const { attempts, soldShare, revenue, timeouts, p50Ms } = BUYER_DAY_WORDS;
const BUYER_HEADS = [attempts, soldShare, revenue, timeouts, p50Ms];

/** All of today as a file, of which the table has the first; on paper with the rest of the page. */
function TopTools({ list, of, isBarred }: { list: string; of: string; isBarred: boolean }) {
  const { region, vertical } = route.useParams();
  const { zone } = useReporting();
  return (
    <CsvButton
      isPushed
      label={`CSV of ${of}`}
      title={`All ${of} of today`}
      onSave={() => downloadCsv(list, { region, vertical, timeZone: zone })}
      isBarred={isBarred}
    />
  );
}

function TopPublishers({ rows }: { rows: OverviewAnswer['topPublishers'] }) {
  return (
    <section className="card" aria-labelledby="publishers-title">
      <header>
        <h2 id="publishers-title">Top publishers</h2>
        <TopTools list="overview-publishers" of="publishers" isBarred={rows.length === 0} />
        <Link to="/setup/home-publisher" className="link small no-print">
          All publishers
        </Link>
      </header>
      {rows.length === 0 ? (
        <EmptyState title="No publisher has sent a lead today." />
      ) : (
        <TopTable label="Top publishers today" heads={[DIMENSION_WORDS.publisher, ...PUBLISHER_HEADS]}>
          {rows.map((row) => (
            <tr key={row._id}>
              <th scope="row">
                <LeadsToday name={row.name} of={{ publisherId: row._id }} />
              </th>
              <td className="num" data-head={PUBLISHER_DAY_WORDS.leads}>
                {formatCount(row.leads)}
              </td>
              <td className="num" data-head={PUBLISHER_DAY_WORDS.soldShare}>
                {formatRate(row.sold, row.leads)}
              </td>
              <td className="num" data-head={PUBLISHER_DAY_WORDS.payout}>
                <MoneyText amount={row.payout} />
              </td>
              <td className="num" data-head={PUBLISHER_DAY_WORDS.revenue}>
                <MoneyText amount={row.revenue} />
              </td>
            </tr>
          ))}
        </TopTable>
      )}
    </section>
  );
}

function TopBuyers({ rows }: { rows: OverviewAnswer['topBuyers'] }) {
  return (
    <section className="card" aria-labelledby="buyers-title">
      <header>
        <h2 id="buyers-title">Top buyers</h2>
        <TopTools list="overview-buyers" of="buyers" isBarred={rows.length === 0} />
        <Link to="/setup/home-buyer" className="link small no-print">
          All buyers
        </Link>
      </header>
      {rows.length === 0 ? (
        <EmptyState title="No buyer has been asked today." />
      ) : (
        <TopTable label="Top buyers today" heads={[DIMENSION_WORDS.buyer, ...BUYER_HEADS]}>
          {rows.map((row) => (
            <tr key={row._id}>
              <th scope="row">
                <LeadsToday name={row.name} of={{ buyerId: row._id }} />
              </th>
              <td className="num" data-head={BUYER_DAY_WORDS.attempts}>
                {formatCount(row.attempts)}
              </td>
              <td className="num" data-head={BUYER_DAY_WORDS.soldShare}>
                {formatRate(row.sold, row.attempts)}
              </td>
              <td className="num" data-head={BUYER_DAY_WORDS.revenue}>
                <MoneyText amount={row.revenue} />
              </td>
              <td className={row.timeouts > 0 ? 'num warn' : 'num muted'} data-head={BUYER_DAY_WORDS.timeouts}>
                {formatCount(row.timeouts)}
              </td>
              <td className="num" data-head={BUYER_DAY_WORDS.p50Ms}>
                {row.p50Ms === null ? '–' : formatElapsed(row.p50Ms)}
              </td>
            </tr>
          ))}
        </TopTable>
      )}
    </section>
  );
}

/** A name that leads to its leads of today, for whoever may read leads. */
function LeadsToday({ name, of }: { name: string; of: Partial<LeadsSearch> }) {
  const place = useParams({ strict: false }) as Place;
  if (!useMayReadLeads()) return name;
  return (
    <Link to="/setup/$region/$vertical/leads" params={place} search={{ ...of, period: 'today', test: 'false' }} className="link">
      {name}
    </Link>
  );
}

function TopTable({ label, heads, children }: { label: string; heads: string[]; children: React.ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x" aria-label={label} tabIndex={0}>
      <table className="plain-table top-table stacking">
        <thead>
          <tr>
            {heads.map((head, at) => (
              <th key={head} scope="col" className={at === 0 ? undefined : 'num'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </section>
  );
}
