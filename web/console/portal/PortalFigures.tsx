import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { BuyerMeasures, PortalAnswer, PublisherMeasures } from '#contract/portal.ts';
import { BUYER_FIGURE_WORDS, PUBLISHER_FIGURE_WORDS } from '#contract/portal-words.ts';
import { MOST_FILE_ROWS } from '#contract/report-limits.ts';
import { DIMENSION_WORDS } from '#contract/report-words.ts';
import { FileTools, listFileTitle } from '#web/ui/FileTools.tsx';
import { PeriodChip } from '#web/ui/PeriodChip.tsx';
import { beforeInstants, spans } from '#web/ui/period.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { portalFiguresQuery } from '../api/portal.ts';
import { downloadCsv } from '../download-csv.ts';
import { ChoiceRow } from '../report/ChoiceRow.tsx';
import { OF_BUYER, OF_PUBLISHER } from '../report/figure-help.ts';
import { tellsBefore } from '../report/outcome-columns.tsx';
import { pointLabel } from '../report/point-label.ts';
import { type Figure, ReportFigures } from '../report/ReportFigures.tsx';
import { type ReportColumn, ReportTable, useColumnsInSight } from '../report/ReportTable.tsx';
import { instantsOf, spanOf, unitOf } from '../report/report-search.ts';
import { SeriesChart } from '../report/SeriesChart.tsx';
import { BeforeText } from '../report/SpanText.tsx';
import '../report/report.css';
import { AccountLine } from './AccountLine.tsx';
import { CapBars } from './CapBars.tsx';
import { buyerColumns, publisherColumns } from './portal-columns.tsx';
import { type Search, usePortalSearch } from './use-portal.ts';

/** The span that is looked at, to the minute, so that a minute's renders ask for the same; its rows with what they were before where a column of that is shown. */
function useAsked(search: Search, name: string, columns: readonly { id: string; isExtra?: true }[]) {
  const { zone } = useReporting();
  const { inOrder } = useColumnsInSight(name, columns);
  const now = Math.floor(Date.now() / 60_000) * 60_000;
  const span = instantsOf(search, zone, now);
  const before = beforeInstants(spanOf(search).period, span, now, zone);
  const unit = unitOf({}, span);
  const rowsBefore = String(tellsBefore(inOrder, search.sort));
  const asked = { timeZone: zone, ...span, beforeFrom: before.from, beforeTo: before.to, rowsBefore };
  return { unit, asked: { ...asked, unit }, ofFile: { ...asked, columns: inOrder.join(','), ...(search.sort && { sort: search.sort }) } };
}

interface FrameProps<Measures> {
  portal: PortalAnswer;
  what: string;
  /** What a lead is that came to be a sale. */
  word: string;
  /** Of its file, and of the columns that a person chose. */
  name: string;
  tools?: ReactNode;
  ofFile: Record<string, string>;
  unit: ReturnType<typeof useAsked>['unit'];
  answer: ReturnType<typeof useQuery<Answer<Measures>>>;
  figures: (answer: Answer<Measures>) => Figure[];
  all: (now: Measures) => number;
  sold: (now: Measures) => number;
  rowHead: string;
  columns: readonly ReportColumn<Measures>[];
}

interface Answer<Measures> {
  before: { from: string; to: string };
  total: Measures;
  totalBefore: Measures;
  rows: { key: string; name: string; now: Measures; before?: Measures | undefined }[];
  rowCount: number;
  series: { at: string; now: Measures }[];
  seriesBefore: { at: string; now: Measures }[];
}

function Frame<Measures>(props: FrameProps<Measures>) {
  const { portal, name, tools, ofFile, answer } = props;
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
          title={listFileTitle('Every row', ofFile.columns ?? '')}
          onSave={() => downloadCsv(name, { ...ofFile, ...(search.by && { by: search.by }) })}
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
      <p className="muted small report-foot">
        Test leads are left out; a return counts where its lead does.
        {answer.data && (
          <>
            {' '}
            Compared with <BeforeText {...answer.data.before} />.
          </>
        )}
      </p>
    </>
  );
}

function Figures<Measures>({
  portal,
  name,
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
  const { search, change } = usePortalSearch(portal.kind);
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
      <ReportTable
        title={`By ${rowHead.toLowerCase()}`}
        name={name}
        heads={[rowHead]}
        columns={columns}
        rows={data.rows.map(({ key, name: called, ...row }) => ({ keys: [{ _id: key, name: called }], ...row }))}
        rowCount={data.rowCount}
        fileRows={MOST_FILE_ROWS}
        total={data.total}
        totalBefore={data.totalBefore}
        search={{ sort: search.sort }}
        change={({ sort }) => change({ sort })}
      />
    </>
  );
}

const [PUBLISHER_FILE, BUYER_FILE] = ['portal-publisher-figures', 'portal-buyer-figures'] as const;
const attempts = (now: PublisherMeasures) => now.attempts;
const soldLeads = (now: { sold: number }) => now.sold;

export function PublisherFigures({ portal }: { portal: PortalAnswer }) {
  const { search, change } = usePortalSearch('publisher');
  const { asked, ofFile, unit } = useAsked(search, PUBLISHER_FILE, publisherColumns);
  const by = search.by ?? 'tier';
  // Sub ids may be more than are shown: which of them come first is made of all.
  const answer = useQuery(portalFiguresQuery('publisher', { ...asked, by, ...(by === 'subId' && search.sort && { sort: search.sort }) }));
  return (
    <Frame<PublisherMeasures>
      {...{ portal, ofFile, unit, answer: answer as FrameProps<PublisherMeasures>['answer'] }}
      what={OUTCOME_WORDS.attempts}
      word={OUTCOME_WORDS.sold}
      name={PUBLISHER_FILE}
      all={attempts}
      sold={soldLeads}
      columns={publisherColumns}
      rowHead={by === 'tier' ? 'Tier' : DIMENSION_WORDS.subId}
      tools={
        <ChoiceRow
          label="By"
          options={[
            { value: 'tier', label: 'Tier' },
            { value: 'subId', label: 'Sub id' },
          ]}
          value={by}
          onChoose={(value) => change({ by: value === 'subId' ? 'subId' : undefined, sort: undefined })}
        />
      }
      figures={({ total, totalBefore }) => [
        {
          kind: 'count',
          label: PUBLISHER_FIGURE_WORDS.attempts,
          how: OF_PUBLISHER.attempts,
          now: total.attempts,
          before: totalBefore.attempts,
        },
        { kind: 'count', label: PUBLISHER_FIGURE_WORDS.sold, how: OF_PUBLISHER.sold, now: total.sold, before: totalBefore.sold },
        {
          kind: 'rate',
          label: PUBLISHER_FIGURE_WORDS.soldShare,
          how: OF_PUBLISHER.acceptRate,
          now: { part: total.sold, whole: total.attempts },
          before: { part: totalBefore.sold, whole: totalBefore.attempts },
        },
        {
          kind: 'count',
          label: PUBLISHER_FIGURE_WORDS.rejected,
          how: OF_PUBLISHER.rejected,
          now: total.rejected,
          before: totalBefore.rejected,
          moreIs: 'bad',
        },
        { kind: 'money', label: PUBLISHER_FIGURE_WORDS.payout, how: OF_PUBLISHER.payout, now: total.payout, before: totalBefore.payout },
        { kind: 'money', label: PUBLISHER_FIGURE_WORDS.epl, how: OF_PUBLISHER.epl, now: total.epl, before: totalBefore.epl },
      ]}
    />
  );
}

const offered = (now: BuyerMeasures) => now.offered;

export function BuyerFigures({ portal }: { portal: PortalAnswer }) {
  const { search } = usePortalSearch('buyer');
  const { asked, ofFile, unit } = useAsked(search, BUYER_FILE, buyerColumns);
  const answer = useQuery(portalFiguresQuery('buyer', asked));
  return (
    <Frame<BuyerMeasures>
      {...{ portal, ofFile, unit, answer: answer as FrameProps<BuyerMeasures>['answer'] }}
      what="Leads offered"
      word={OUTCOME_WORDS.sold}
      name={BUYER_FILE}
      all={offered}
      sold={soldLeads}
      columns={buyerColumns}
      rowHead="Tier"
      figures={({ total, totalBefore }) => [
        { kind: 'count', label: BUYER_FIGURE_WORDS.offered, how: OF_BUYER.offered, now: total.offered, before: totalBefore.offered },
        { kind: 'count', label: BUYER_FIGURE_WORDS.sold, how: OF_BUYER.sold, now: total.sold, before: totalBefore.sold },
        {
          kind: 'rate',
          label: BUYER_FIGURE_WORDS.soldShare,
          how: OF_BUYER.acceptRate,
          now: { part: total.sold, whole: total.offered },
          before: { part: totalBefore.sold, whole: totalBefore.offered },
        },
        {
          kind: 'count',
          label: BUYER_FIGURE_WORDS.timeouts,
          how: OF_BUYER.timeouts,
          now: total.timeouts,
          before: totalBefore.timeouts,
          moreIs: 'bad',
        },
        {
          kind: 'money',
          label: BUYER_FIGURE_WORDS.spent,
          how: OF_BUYER.spent,
          now: total.spent,
          before: totalBefore.spent,
          moreIs: 'neutral',
        },
        { kind: 'time', label: BUYER_FIGURE_WORDS.p50Ms, how: OF_BUYER.median, now: total.p50Ms, before: totalBefore.p50Ms },
      ]}
    />
  );
}
