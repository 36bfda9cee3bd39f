import { NumberInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { TimeoutReportAnswer } from '#contract/report.ts';
import { formatCount, formatElapsed, formatRate } from '#web/ui/format.ts';
import { EmptyState } from '#web/ui/states.tsx';
import type { Place } from '../api/lead.ts';
import { usePermissionHere } from '../shell/use-place.ts';
import { barsOf, otherLimit, suggestedLimitMs } from './other-limit.ts';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { SeriesChart } from './SeriesChart.tsx';
import '#web/ui/stacking-table.css';

type Tier = TimeoutReportAnswer['tiers'][number];
const FILTERS = ['campaignId', 'buyerId'] as const;

/** How long buyers take to answer, tier by tier, and what another time limit would have done. */
export const Timeouts = () => (
  <ReportPage
    name="time-outs"
    title="Buyer time-outs"
    counts="Counts calls of buyers, pings and posts, by when the lead came. Times are told within 4.5%; those of answered calls, without the time-outs. A late accept is a post that the buyer took after the limit."
    filters={FILTERS}
    csvColumns={[]}
  >
    {(view) => <TimeoutBody {...view} />}
  </ReportPage>
);

function TimeoutBody({ answer, place, search, change }: ReportView<TimeoutReportAnswer>) {
  const { tiers } = answer;
  const sum = (of: (tier: Tier) => number) => tiers.reduce((all, tier) => all + of(tier), 0);
  const [calls, timeouts] = [sum((tier) => tier.calls), sum((tier) => tier.timeouts)];
  const [callsBefore, timeoutsBefore] = [sum((tier) => tier.callsBefore), sum((tier) => tier.timeoutsBefore)];
  const chosen = tiers.find(({ buyerTier }) => buyerTier._id === search.buyerTierId) ?? tiers[0];
  return (
    <>
      <ReportFigures
        figures={[
          { kind: 'count', label: 'Calls', now: calls, before: callsBefore, moreIs: 'neutral' },
          { kind: 'count', label: 'Time-outs', now: timeouts, before: timeoutsBefore, moreIs: 'bad' },
          {
            ...{ kind: 'rate', label: 'Of the calls', moreIs: 'bad' },
            now: { part: timeouts, whole: calls },
            before: { part: timeoutsBefore, whole: callsBefore },
          },
        ]}
      />
      {chosen ? (
        <>
          <TierTable tiers={tiers} chosen={chosen} onChoose={(buyerTierId) => change({ buyerTierId })} />
          <div className="report-pair timeout-pair">
            <Histogram tier={chosen} />
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

const ms = (value: number | null) => (value === null ? <span className="muted">–</span> : formatElapsed(value));

function TierTable({ tiers, chosen, onChoose }: { tiers: Tier[]; chosen: Tier; onChoose: (id: string) => void }) {
  return (
    <section className="card report-table-card" aria-label="Buyer tiers">
      <header>
        <h2>Buyer tiers</h2>
        <span className="muted small">The most time-outs first; choose one to see how long it takes</span>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="scroll-x" aria-label="Buyer tiers, table" tabIndex={0}>
        <table className="plain-table report-table stacking">
          <thead>
            <tr>
              {['Buyer tier', 'Time limit', 'Calls', 'Time-outs', 'Of the calls', 'Before', 'Median', 'p75', 'p90', 'Late accepts'].map(
                (head, at) => (
                  <th key={head} scope="col" className={at === 0 ? undefined : 'num'}>
                    {head}
                  </th>
                ),
              )}
            </tr>
          </thead>
          <tbody>
            {tiers.map((tier) => (
              <tr key={tier.buyerTier._id} data-chosen={tier === chosen || undefined}>
                <th scope="row">
                  <button
                    type="button"
                    className="bare link report-name"
                    aria-pressed={tier === chosen}
                    onClick={() => onChoose(tier.buyerTier._id)}
                  >
                    {tier.buyerTier.name}
                  </button>
                </th>
                <td data-head="Time limit" className="num">
                  {formatElapsed(tier.timeLimitMs)}
                </td>
                <td data-head="Calls" className="num">
                  {formatCount(tier.calls)}
                </td>
                <td data-head="Time-outs" className={tier.timeouts > 0 ? 'num warn' : 'num muted'}>
                  {formatCount(tier.timeouts)}
                </td>
                <td data-head="Of the calls" className="num">
                  {formatRate(tier.timeouts, tier.calls)}
                </td>
                <td data-head="Before" className="num muted">
                  {formatRate(tier.timeoutsBefore, tier.callsBefore)}
                </td>
                <td data-head="Median" className="num">
                  {ms(tier.p50Ms)}
                </td>
                <td data-head="p75" className="num">
                  {ms(tier.p75Ms)}
                </td>
                <td data-head="p90" className="num">
                  {ms(tier.p90Ms)}
                </td>
                <td data-head="Late accepts" className={tier.lateAccepts > 0 ? 'num warn' : 'num muted'}>
                  {formatCount(tier.lateAccepts)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function Histogram({ tier }: { tier: Tier }) {
  const { labels, series } = useMemo(() => {
    const bars = barsOf(tier.buckets);
    return {
      labels: bars.map(({ fromMs }) => (fromMs < 1000 ? `${fromMs} ms` : `${fromMs / 1000} s`)),
      series: [
        { name: 'Answered', look: 'main' as const, values: bars.map(({ answered }) => answered) },
        { name: 'Time-outs', look: 'bad' as const, values: bars.map(({ timeouts }) => timeouts) },
      ],
    };
  }, [tier]);
  return <SeriesChart title={`How long ${tier.buyerTier.name} takes`} unit="From" labels={labels} series={series} />;
}

function WhatIf({ tier, place }: { tier: Tier; place: Place }) {
  const suggested = suggestedLimitMs(tier);
  const [limitMs, setLimitMs] = useState(suggested ?? tier.timeLimitMs);
  const { lostAnswers, lostSales, wonSales } = otherLimit(tier, limitMs);
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
            <dt>Sales among them</dt>
            <dd className={lostSales > 0 ? 'bad tabular' : 'tabular'}>{formatCount(lostSales)}</dd>
          </div>
          <div>
            <dt>Late accepts that would have been sales</dt>
            <dd className={wonSales > 0 ? 'good tabular' : 'tabular'}>
              {formatCount(wonSales)} of {formatCount(tier.lateAccepts)}
            </dd>
          </div>
        </dl>
        {maySetUp && (
          <Link
            to="/setup/$region/$vertical/tier/edit/$id"
            params={{ ...place, id: tier.buyerTier._id } as never}
            search={{ of: 'buyer' } as never}
            className="link"
          >
            Change the limit of this tier
          </Link>
        )}
      </div>
    </section>
  );
}
