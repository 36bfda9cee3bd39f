import { NumberInput } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { TimeoutReportAnswer } from '#contract/report.ts';
import { TIMEOUT_WORDS } from '#contract/report-words.ts';
import { formatCount, formatElapsed } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import type { Place } from '../api/lead.ts';
import { useMayReadLeads, usePermissionHere } from '../shell/use-place.ts';
import { timeLines } from './answer-times.ts';
import { OF_CALLS } from './figure-help.ts';
import { narrowing } from './leads-behind.ts';
import { ShownChoice, UnitChoice, unitLabel, usePoints } from './OutcomeChart.tsx';
import { barsOf, otherLimit, suggestedLimitMs } from './other-limit.ts';
import { share } from './outcome-columns.tsx';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { type Behind, type ReportColumn, ReportTable, useColumnsInSight } from './ReportTable.tsx';
import type { ReportSearch } from './report-search.ts';
import { SeriesChart } from './SeriesChart.tsx';
import { useReportSearch } from './use-report-search.ts';

type Tier = TimeoutReportAnswer['tiers'][number];
const FILTERS = ['campaignId', 'buyerId'] as const;

/** How long buyers take to answer, tier by tier, and what another time limit would have done. */
export function Timeouts() {
  const { inOrder } = useColumnsInSight('time-outs', timeoutColumns);
  const { buyerTierId } = useReportSearch();
  return (
    <ReportPage
      name="time-outs"
      seriesOf={buyerTierId}
      title="Buyer time-outs"
      counts="Counts calls of buyers, pings and posts, by when the lead came. Times are told within 4.5%; those of answered calls, without the time-outs. A late accept is a post that the buyer took after the limit; a bid that comes late is not heard."
      filters={FILTERS}
      csvColumns={inOrder}
      columns={inOrder}
    >
      {(view) => <TimeoutBody {...view} />}
    </ReportPage>
  );
}

/** The calls of a tier that timed out, as the log lists them: by when they were made. */
function timedOutCalls(search: ReportSearch): Behind<Tier> {
  const { period, from, to } = narrowing(search);
  const span = { period: period!, ...(from && to && { from, to }) };
  return {
    word: OUTCOME_WORDS.timeouts,
    route: 'server-logs/buyer-tier-logs',
    of: ({ keys: [tier], now }) => (now.timeouts > 0 ? { buyerTierId: tier!._id, outcome: 'timeouts', ...span } : undefined),
  };
}

function TimeoutBody({ answer, place, search, change }: ReportView<TimeoutReportAnswer>) {
  const mayReadLogs = usePermissionHere()?.pageStatePermission.serverLogs;
  const { tiers } = answer;
  const sum = (of: (tier: Tier) => number) => tiers.reduce((all, tier) => all + of(tier), 0);
  const [calls, timeouts] = [sum((tier) => tier.calls), sum((tier) => tier.timeouts)];
  const [callsBefore, timeoutsBefore] = [sum((tier) => tier.callsBefore), sum((tier) => tier.timeoutsBefore)];
  const chosen = tiers.find(({ buyerTier }) => buyerTier._id === search.buyerTierId) ?? tiers[0];
  return (
    <>
      <ReportFigures
        figures={[
          { kind: 'count', label: TIMEOUT_WORDS.calls, how: OF_CALLS.calls, now: calls, before: callsBefore, moreIs: 'neutral' },
          { kind: 'count', label: OUTCOME_WORDS.timeouts, how: OF_CALLS.timeouts, now: timeouts, before: timeoutsBefore, moreIs: 'bad' },
          {
            ...{ kind: 'rate', label: TIMEOUT_WORDS.timeoutShare, how: OF_CALLS.share, moreIs: 'bad' },
            now: { part: timeouts, whole: calls },
            before: { part: timeoutsBefore, whole: callsBefore },
          },
        ]}
      />
      {chosen ? (
        <>
          <ReportTable
            title="Buyer tiers"
            says="The most time-outs first; choose one to see how long it takes"
            name="time-outs"
            heads={['Buyer tier']}
            columns={timeoutColumns}
            rows={tiers.map((tier) => ({ keys: [tier.buyerTier], now: tier }))}
            rowCount={tiers.length}
            {...{ place, search, change }}
            {...(mayReadLogs && { behind: timedOutCalls(search) })}
            looked={{ id: chosen.buyerTier._id, onLook: (buyerTierId) => change({ buyerTierId }) }}
          />
          <div className="report-pair timeout-pair">
            {answer.series?.buyerTierId === chosen.buyerTier._id && search.measure === TIMES ? (
              <OverTime tier={chosen} points={answer.series.points} {...{ answer, search, change }} />
            ) : (
              <Histogram tier={chosen} change={change} />
            )}
            <WhatIf key={chosen.buyerTier._id} tier={chosen} place={place} />
          </div>
        </>
      ) : (
        <section className="card">
          <EmptyState title="No buyer was called in this span.">Choose another span, or take filters away.</EmptyState>
        </section>
      )}
    </>
  );
}

type Name = keyof typeof TIMEOUT_WORDS;
const count = (id: Name, of: (tier: Tier) => number, isBad = false): ReportColumn<Tier> => ({
  ...{ id, head: TIMEOUT_WORDS[id], value: of },
  cell: (tier) => <span className={of(tier) === 0 ? 'muted' : isBad ? 'warn' : undefined}>{formatCount(of(tier))}</span>,
});

/** For who reads leads with the way to those of the tier that wait to be settled. */
function LateAccepts({ tier: { buyerTier, lateAccepts } }: { tier: Tier }) {
  const place = useParams({ strict: false }) as Place;
  const mayRead = useMayReadLeads();
  if (lateAccepts === 0) return <span className="muted">0</span>;
  if (!mayRead) return <span className="warn">{formatCount(lateAccepts)}</span>;
  return (
    <Link
      to="/setup/$region/$vertical/leads/to-settle"
      params={{ region: place.region, vertical: place.vertical }}
      search={{ buyerTierId: buyerTier._id }}
      className="link"
      title="Those of this tier that wait to be settled"
      aria-label={`${formatCount(lateAccepts)}: what waits to be settled with ${buyerTier.name}`}
    >
      {formatCount(lateAccepts)}
    </Link>
  );
}

const time = (id: Name, of: (tier: Tier) => number | null, isExtra?: true): ReportColumn<Tier> => ({
  ...{ id, head: TIMEOUT_WORDS[id], value: of, ...(isExtra && { isExtra }) },
  cell: (tier) => (of(tier) === null ? <span className="muted">–</span> : formatElapsed(of(tier)!)),
});
export const timeoutColumns: readonly ReportColumn<Tier>[] = [
  time('timeLimit', (tier) => tier.timeLimitMs),
  count('calls', (tier) => tier.calls),
  count('timeouts', (tier) => tier.timeouts, true),
  share(
    'timeoutShare',
    TIMEOUT_WORDS.timeoutShare,
    (tier) => tier.timeouts,
    (tier) => tier.calls,
  ),
  share(
    'shareBefore',
    TIMEOUT_WORDS.shareBefore,
    (tier) => tier.timeoutsBefore,
    (tier) => tier.callsBefore,
  ),
  ...[time('p50Ms', (tier) => tier.p50Ms), time('p75Ms', (tier) => tier.p75Ms), time('p90Ms', (tier) => tier.p90Ms)],
  time('p99Ms', (tier) => tier.p99Ms, true),
  { id: 'lateAccepts', head: TIMEOUT_WORDS.lateAccepts, value: (tier) => tier.lateAccepts, cell: (tier) => <LateAccepts tier={tier} /> },
];

const TIMES = 'times';

const ShownOfTier = ({ value, change }: { value: string | undefined; change: (part: ReportSearch) => void }) => (
  <ShownChoice
    options={[
      { value: undefined, label: 'All calls' },
      { value: TIMES, label: 'Over time' },
    ]}
    {...{ value, change }}
  />
);

function Histogram({ tier, change }: { tier: Tier; change: (part: ReportSearch) => void }) {
  const { labels, series } = useMemo(() => {
    const bars = barsOf(tier.buckets);
    return {
      labels: bars.map(({ fromMs }) => (fromMs < 1000 ? `${fromMs} ms` : `${fromMs / 1000} s`)),
      series: [
        { name: 'Answered', look: 'main' as const, values: bars.map(({ answered }) => answered) },
        { name: OUTCOME_WORDS.timeouts, look: 'bad' as const, values: bars.map(({ timeouts }) => timeouts) },
      ],
    };
  }, [tier]);
  return (
    <SeriesChart
      title={`How long ${tier.buyerTier.name} takes`}
      unit="From"
      labels={labels}
      series={series}
      tools={<ShownOfTier value={undefined} change={change} />}
    />
  );
}

interface OverTimeProps extends Pick<ReportView<TimeoutReportAnswer>, 'answer' | 'search' | 'change'> {
  tier: Tier;
  points: NonNullable<TimeoutReportAnswer['series']>['points'];
}

function OverTime({ tier, points, answer, search, change }: OverTimeProps) {
  const { unit, labels } = usePoints(search, points);
  const series = useMemo(() => timeLines(points), [points]);
  return (
    <SeriesChart
      title={`How long ${tier.buyerTier.name} took, by ${unit}`}
      unit={unitLabel[unit]}
      labels={labels}
      series={series}
      tools={
        <>
          <ShownOfTier value={TIMES} change={change} />
          <UnitChoice search={search} span={answer.span} change={change} />
        </>
      }
    />
  );
}

function WhatIf({ tier, place }: { tier: Tier; place: Place }) {
  const suggested = suggestedLimitMs(tier);
  const [limitMs, setLimitMs] = useState(suggested ?? tier.timeLimitMs);
  const { lostAnswers, lostSales, lostRevenue, wonSales, wonRevenue } = otherLimit(tier, limitMs);
  const maySetUp = usePermissionHere()?.pageStatePermission.setup === true;
  return (
    <section className="card" aria-label="Another time limit">
      <header>
        <h2>Another time limit</h2>
        <span className="muted small push">now {formatElapsed(tier.timeLimitMs)}</span>
      </header>
      <div className="card-body what-if">
        <NumberInput
          label="If the limit had been"
          description={suggested === null ? undefined : `Half as long again as what 99 of 100 answers take: ${formatElapsed(suggested)}`}
          suffix=" ms"
          min={50}
          max={300_000}
          step={100}
          allowDecimal={false}
          allowNegative={false}
          value={limitMs}
          onChange={(value) => typeof value === 'number' && setLimitMs(value)}
        />
        <dl className="what-if-list">
          <div>
            <dt>Answers that would have come too late</dt>
            <dd className={lostAnswers > 0 ? 'warn tabular' : 'tabular'}>{formatCount(lostAnswers)}</dd>
          </div>
          <div>
            <dt>Sales that came of them</dt>
            <dd className={lostSales > 0 ? 'bad tabular' : 'tabular'}>{formatCount(lostSales)}</dd>
          </div>
          <div>
            <dt>Revenue of those sales</dt>
            <dd className={lostSales > 0 ? 'bad' : undefined}>
              <MoneyText amount={lostRevenue} faint />
            </dd>
          </div>
          <div>
            <dt>Late accepts that would have been sales</dt>
            <dd className={wonSales > 0 ? 'good tabular' : 'tabular'}>
              {formatCount(wonSales)} of {formatCount(tier.lateAccepts)}
            </dd>
          </div>
          <div>
            <dt>What those would have brought</dt>
            <dd className={wonSales > 0 ? 'good' : undefined}>
              <MoneyText amount={wonRevenue} faint />
            </dd>
          </div>
        </dl>
        <p className="muted small">
          A sale counts once, at the slower of the calls it took: a bid that is cut off loses the sale that came of it. Nobody listens for a
          bid after the limit, so what a longer one would have won in bids is not known.
        </p>
        {maySetUp && (
          <Link
            to="/setup/$region/$vertical/tier/edit/$id"
            params={{ ...place, id: tier.buyerTier._id } as never}
            search={{ of: 'buyer' } as never}
            className="link no-print"
          >
            Change the limit of this tier
          </Link>
        )}
      </div>
    </section>
  );
}
