import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { ACCEPT_RATE, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { BuyerMeasures, PortalAnswer, PublisherMeasures } from '#contract/portal.ts';
import { MOST_FILE_ROWS } from '#contract/report-limits.ts';
import { FileTools } from '#web/ui/FileTools.tsx';
import { formatCount, formatElapsed, formatRate } from '#web/ui/format.ts';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { beforeInstants, spans } from '#web/ui/period.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { portalFiguresQuery } from '../api/portal.ts';
import { downloadCsv } from '../download-csv.ts';
import { ChoiceRow } from '../report/ChoiceRow.tsx';
import { OF_BUYER, OF_PUBLISHER } from '../report/figure-help.ts';
import { pointLabel } from '../report/point-label.ts';
import { type Figure, ReportFigures } from '../report/ReportFigures.tsx';
import { inFile } from '../report/ReportTable.tsx';
import { instantsOf, spanOf, unitOf } from '../report/report-search.ts';
import { SeriesChart } from '../report/SeriesChart.tsx';
import '../report/report.css';
import { AccountLine } from './AccountLine.tsx';
import { CapBars } from './CapBars.tsx';
import { type Search, usePortalSearch } from './use-portal.ts';

/** The span that is looked at, to the minute, so that a minute's renders ask for the same. */
function useAsked(search: Search) {
  const { zone } = useReporting();
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const span = instantsOf(search, zone, now);
  const before = beforeInstants(spanOf(search).period, span, now, zone);
  const unit = unitOf({}, span);
  return { unit, asked: { timeZone: zone, ...span, beforeFrom: before.from, beforeTo: before.to, unit } };
}

interface Column<Measures> {
  head: string;
  cell: (now: Measures) => ReactNode;
}

interface FrameProps<Measures> {
  portal: PortalAnswer;
  what: string;
  /** What a lead is that came to be a sale. */
  word: string;
  file: string;
  tools?: ReactNode;
  asked: Record<string, string>;
  unit: ReturnType<typeof useAsked>['unit'];
  answer: ReturnType<typeof useQuery<Answer<Measures>>>;
  figures: (answer: Answer<Measures>) => Figure[];
  all: (now: Measures) => number;
  sold: (now: Measures) => number;
  rowHead: string;
  columns: readonly Column<Measures>[];
}

interface Answer<Measures> {
  total: Measures;
  totalBefore: Measures;
  rows: { key: string; name: string; now: Measures }[];
  rowCount: number;
  series: { at: string; now: Measures }[];
  seriesBefore: { at: string; now: Measures }[];
}

function Frame<Measures>(props: FrameProps<Measures>) {
  const { portal, file, tools, asked, answer } = props;
  const { search, change } = usePortalSearch(portal.kind);
  const { period, from, to } = spanOf(search);
  return (
    <>
      <AccountLine portal={portal} />
      <search className="filter-bar portal-bar" aria-label="Span">
        <PeriodChip presets={spans} value={{ period, from, to }} onChange={(next) => change(next)} />
        {tools}
        <FileTools
          isPushed
          onSave={() =>
            downloadCsv(file, { timeZone: asked.timeZone!, from: asked.from!, to: asked.to!, ...(search.by && { by: search.by }) })
          }
          isBarred={!answer.data}
        />
      </search>
      {answer.isPending && (
        <div className="card card-body">
          <SkeletonLines count={8} height={22} />
        </div>
      )}
      {answer.isError && !answer.data && (
        <div className="card">
          <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
        </div>
      )}
      {answer.data && (
        <div className="report-body" data-stale={answer.isPlaceholderData || undefined} aria-busy={answer.isPlaceholderData}>
          <NotRefreshed query={answer} />
          <Figures {...props} data={answer.data} />
        </div>
      )}
      <CapBars portal={portal} />
      <p className="muted small report-foot">Test leads are left out; a return counts where its lead does.</p>
    </>
  );
}

function Figures<Measures>({
  what,
  word,
  unit,
  figures,
  all,
  sold,
  rowHead,
  columns,
  data,
}: FrameProps<Measures> & { data: Answer<Measures> }) {
  const { zone } = useReporting();
  const labels = useMemo(() => data.series.map(({ at }) => pointLabel(at, unit, zone, data.series.length > 26)), [data, unit, zone]);
  const series = useMemo(
    () => [
      { name: word, look: 'main' as const, values: data.series.map(({ now }) => sold(now)) },
      { name: `Other ${what.toLowerCase()}`, look: 'faint' as const, values: data.series.map(({ now }) => all(now) - sold(now)) },
      {
        name: `${what} in the span before`,
        look: 'before' as const,
        values: data.series.map((_, at) => (data.seriesBefore[at] ? all(data.seriesBefore[at].now) : null)),
      },
    ],
    [data, what, word, all, sold],
  );
  return (
    <>
      <ReportFigures figures={figures(data)} />
      <SeriesChart title={`${what} by ${unit}`} unit={unit.charAt(0).toUpperCase() + unit.slice(1)} labels={labels} series={series} />
      <section className="card report-table-card" aria-label={`By ${rowHead.toLowerCase()}`}>
        <header>
          <h2>{`By ${rowHead.toLowerCase()}`}</h2>
          {data.rows.length < data.rowCount && (
            <span className="muted small">
              The {formatCount(data.rows.length)} largest of {formatCount(data.rowCount)}; {inFile(data.rowCount, MOST_FILE_ROWS)}
            </span>
          )}
        </header>
        {data.rows.length === 0 ? (
          <EmptyState title="Nothing in this span.">Choose a longer one.</EmptyState>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          <section className="scroll-x" aria-label={`By ${rowHead.toLowerCase()}, table`} tabIndex={0}>
            <table className="plain-table report-table stacking">
              <thead>
                <tr>
                  <th scope="col">{rowHead}</th>
                  {columns.map(({ head }) => (
                    <th key={head} scope="col" className="num">
                      {head}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {data.rows.map(({ key, name, now }) => (
                  <tr key={key}>
                    <th scope="row">{name}</th>
                    {columns.map(({ head, cell }) => (
                      <td key={head} className="num" data-head={head}>
                        {cell(now)}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )}
      </section>
    </>
  );
}

const publisherColumns: readonly Column<PublisherMeasures>[] = [
  { head: OUTCOME_WORDS.attempts, cell: (now) => formatCount(now.attempts) },
  { head: OUTCOME_WORDS.sold, cell: (now) => formatCount(now.sold) },
  { head: ACCEPT_RATE, cell: (now) => formatRate(now.sold, now.attempts) },
  { head: 'Rejected', cell: (now) => formatCount(now.rejected) },
  { head: 'Payout', cell: (now) => <MoneyText amount={now.payout} faint /> },
  { head: 'Taken back', cell: (now) => <MoneyText amount={now.returnedPayout} faint /> },
  { head: 'EPL', cell: (now) => <MoneyText amount={now.epl} faint /> },
];
const attempts = (now: PublisherMeasures) => now.attempts;
const soldLeads = (now: { sold: number }) => now.sold;

export function PublisherFigures({ portal }: { portal: PortalAnswer }) {
  const { search, change } = usePortalSearch('publisher');
  const { asked, unit } = useAsked(search);
  const by = search.by ?? 'tier';
  const answer = useQuery(portalFiguresQuery('publisher', { ...asked, by }));
  return (
    <Frame<PublisherMeasures>
      {...{ portal, asked, unit, answer: answer as FrameProps<PublisherMeasures>['answer'] }}
      what={OUTCOME_WORDS.attempts}
      word={OUTCOME_WORDS.sold}
      file="portal-publisher-figures"
      all={attempts}
      sold={soldLeads}
      columns={publisherColumns}
      rowHead={by === 'tier' ? 'Tier' : 'Sub id'}
      tools={
        <ChoiceRow
          label="By"
          options={[
            { value: 'tier', label: 'Tier' },
            { value: 'subId', label: 'Sub id' },
          ]}
          value={by}
          onChoose={(value) => change({ by: value === 'subId' ? 'subId' : undefined })}
        />
      }
      figures={({ total, totalBefore }) => [
        { kind: 'count', label: OUTCOME_WORDS.attempts, how: OF_PUBLISHER.attempts, now: total.attempts, before: totalBefore.attempts },
        { kind: 'count', label: OUTCOME_WORDS.sold, how: OF_PUBLISHER.sold, now: total.sold, before: totalBefore.sold },
        {
          kind: 'rate',
          label: ACCEPT_RATE,
          how: OF_PUBLISHER.acceptRate,
          now: { part: total.sold, whole: total.attempts },
          before: { part: totalBefore.sold, whole: totalBefore.attempts },
        },
        { kind: 'count', label: 'Rejected', how: OF_PUBLISHER.rejected, now: total.rejected, before: totalBefore.rejected, moreIs: 'bad' },
        { kind: 'money', label: 'Payout', how: OF_PUBLISHER.payout, now: total.payout, before: totalBefore.payout },
        { kind: 'money', label: 'EPL', how: OF_PUBLISHER.epl, now: total.epl, before: totalBefore.epl },
      ]}
    />
  );
}

const buyerColumns: readonly Column<BuyerMeasures>[] = [
  { head: 'Offered', cell: (now) => formatCount(now.offered) },
  { head: OUTCOME_WORDS.sold, cell: (now) => formatCount(now.sold) },
  { head: ACCEPT_RATE, cell: (now) => formatRate(now.sold, now.offered) },
  { head: OUTCOME_WORDS.rejected, cell: (now) => formatCount(now.rejected) },
  { head: OUTCOME_WORDS.timeouts, cell: (now) => formatCount(now.timeouts) },
  { head: OUTCOME_WORDS.terrors, cell: (now) => formatCount(now.terrors) },
  { head: 'Spent', cell: (now) => <MoneyText amount={now.spent} faint /> },
  { head: 'Given back', cell: (now) => <MoneyText amount={now.returnedAmount} faint /> },
  { head: 'Median', cell: (now) => (now.p50Ms === null ? '–' : formatElapsed(now.p50Ms)) },
  { head: 'P90', cell: (now) => (now.p90Ms === null ? '–' : formatElapsed(now.p90Ms)) },
];
const offered = (now: BuyerMeasures) => now.offered;

export function BuyerFigures({ portal }: { portal: PortalAnswer }) {
  const { search } = usePortalSearch('buyer');
  const { asked, unit } = useAsked(search);
  const answer = useQuery(portalFiguresQuery('buyer', asked));
  return (
    <Frame<BuyerMeasures>
      {...{ portal, asked, unit, answer: answer as FrameProps<BuyerMeasures>['answer'] }}
      what="Leads offered"
      word={OUTCOME_WORDS.sold}
      file="portal-buyer-figures"
      all={offered}
      sold={soldLeads}
      columns={buyerColumns}
      rowHead="Tier"
      figures={({ total, totalBefore }) => [
        { kind: 'count', label: 'Offered', how: OF_BUYER.offered, now: total.offered, before: totalBefore.offered },
        { kind: 'count', label: OUTCOME_WORDS.sold, how: OF_BUYER.sold, now: total.sold, before: totalBefore.sold },
        {
          kind: 'rate',
          label: ACCEPT_RATE,
          how: OF_BUYER.acceptRate,
          now: { part: total.sold, whole: total.offered },
          before: { part: totalBefore.sold, whole: totalBefore.offered },
        },
        {
          kind: 'count',
          label: OUTCOME_WORDS.timeouts,
          how: OF_BUYER.timeouts,
          now: total.timeouts,
          before: totalBefore.timeouts,
          moreIs: 'bad',
        },
        { kind: 'money', label: 'Spent', how: OF_BUYER.spent, now: total.spent, before: totalBefore.spent, moreIs: 'neutral' },
        { kind: 'time', label: 'Median answer', how: OF_BUYER.median, now: total.p50Ms, before: totalBefore.p50Ms },
      ]}
    />
  );
}
