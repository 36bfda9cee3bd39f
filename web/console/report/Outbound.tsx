import { useMemo } from 'react';
import type { AttemptReportAnswer } from '#contract/report.ts';
import { FIGURE_WORDS } from '#contract/report-words.ts';
import { timeLineBefore, timeLines } from './answer-times.ts';
import { BidPrices } from './BidPrices.tsx';
import { ChoiceRow } from './ChoiceRow.tsx';
import { OF_TIERS } from './figure-help.ts';
import { leadsBehind } from './leads-behind.ts';
import { OutcomeChart, ShownChoice, UnitChoice, unitLabel, usePoints } from './OutcomeChart.tsx';
import { attemptColumns } from './outcome-columns.tsx';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { ReportTable, useColumnsInSight } from './ReportTable.tsx';
import { DIMENSIONS } from './report-names.ts';
import { SeriesChart } from './SeriesChart.tsx';
import { usePlaceLink } from './use-place-link.ts';
import { useReportSearch } from './use-report-search.ts';

const WAYS = [
  'buyer',
  'buyerTier',
  'group',
  'campaign',
  'state',
  'publisher',
  'publisherTier',
  'variant',
  'filterReason',
  'vertical',
  'region',
];
const FILTERS = ['campaignId', 'buyerId', 'buyerTierId', 'publisherId', 'publisherTierId'] as const;
const WITH_STATE = [...FILTERS, 'state'] as const;
/** What its chart shows where it does not show what was tried and sold. */
const TIMES = 'times';
/** States are not counted beside these (decision 0030). */
const STATELESS = ['group', 'publisher', 'publisherTier', 'variant', 'filterReason'];
const filtersBy = (by: string) => (STATELESS.includes(by) ? FILTERS : WITH_STATE);
/** Of more than the vertical at hand. */
const WIDE = ['vertical', 'region'];

/** What buyers did with what they were offered, and how long they took. */
export function Outbound() {
  const { by: asked, measure } = useReportSearch();
  const by = asked && WAYS.includes(asked) ? asked : 'buyer';
  const { inOrder } = useColumnsInSight('outbound', attemptColumns);
  return (
    <ReportPage
      name="outbound"
      title="Outbound"
      counts="Counts buyer tiers that were tried, by when the lead came: one that was only asked for a bid stands among pings. Times are of all calls, within 4.5%; none are told of a publisher at a buyer."
      filters={filtersBy(by)}
      by={by}
      csvColumns={inOrder}
      columns={inOrder}
      hasRows
      hasPointTimes={measure === TIMES}
      choice={({ change }) => (
        <ChoiceRow
          label="By"
          options={WAYS.map((value) => ({ value, label: DIMENSIONS[value]!.label }))}
          value={by}
          onChoose={(value) => change({ by: value, sort: undefined, ...(STATELESS.includes(value) && { state: undefined }) })}
        />
      )}
    >
      {(view) => <OutboundBody {...view} />}
    </ReportPage>
  );
}

function OutboundBody({ answer, place, search, change }: ReportView<AttemptReportAnswer>) {
  const by = answer.by[0]!;
  const { label, many, filter, next } = DIMENSIONS[by]!;
  const placeLink = usePlaceLink('lead-flow/outbound');
  const { total, totalBefore } = answer;
  return (
    <>
      <ReportFigures
        figures={[
          { kind: 'count', label: FIGURE_WORDS.attempts, how: OF_TIERS.attempts, now: total.attempts, before: totalBefore.attempts },
          { kind: 'count', label: FIGURE_WORDS.sold, how: OF_TIERS.sold, now: total.sold, before: totalBefore.sold },
          {
            ...{ kind: 'rate', label: FIGURE_WORDS.soldShare, how: OF_TIERS.acceptRate },
            now: { part: total.sold, whole: total.attempts },
            before: { part: totalBefore.sold, whole: totalBefore.attempts },
          },
          { kind: 'money', label: FIGURE_WORDS.revenue, how: OF_TIERS.revenue, now: total.revenue, before: totalBefore.revenue },
          { kind: 'money', label: FIGURE_WORDS.margin, how: OF_TIERS.margin, now: total.margin, before: totalBefore.margin },
          {
            ...{ kind: 'rate', label: `${FIGURE_WORDS.timeouts} of those asked`, how: OF_TIERS.timeouts, moreIs: 'bad' },
            now: { part: total.timeouts, whole: total.attempts - total.filtered },
            before: { part: totalBefore.timeouts, whole: totalBefore.attempts - totalBefore.filtered },
          },
          { kind: 'time', label: 'Nine of ten answer in', how: OF_TIERS.p90, now: total.p90Ms, before: totalBefore.p90Ms },
        ]}
      />
      <OutboundChart {...{ answer, search, change }} />
      <ReportTable
        title={many}
        name="outbound"
        heads={[label]}
        columns={attemptColumns}
        rows={answer.rows}
        rowCount={answer.rowCount}
        {...{ total, totalBefore }}
        {...{ place, search, change }}
        linkOf={({ keys }) => (by === 'vertical' ? placeLink(keys[0]!._id) : undefined)}
        narrow={({ keys }) => (filter && next && keys[0]!._id ? { [filter]: keys[0]!._id, by: next, sort: undefined } : undefined)}
        leadsOf={({ keys }) => leadsBehind(search, [by], keys)}
      />
      {!WIDE.includes(by) && <BidPrices filters={filtersBy(by)} {...{ place, search }} />}
    </>
  );
}

/** What was tried and sold, or how long buyers took to answer. */
function OutboundChart({ answer, search, change }: Pick<ReportView<AttemptReportAnswer>, 'answer' | 'search' | 'change'>) {
  const { unit, labels } = usePoints(search, answer.series);
  const series = useMemo(() => {
    const points = answer.series.map(({ now }) => now);
    const before = answer.seriesBefore.map(({ now }) => now);
    return [...timeLines(points), timeLineBefore(before, points.length)];
  }, [answer]);
  const isOfTimes = search.measure === TIMES;
  const tools = (
    <ShownChoice
      options={[
        { value: undefined, label: FIGURE_WORDS.attempts },
        { value: TIMES, label: 'Answer times' },
      ]}
      value={isOfTimes ? TIMES : undefined}
      change={change}
    />
  );
  if (!isOfTimes) return <OutcomeChart {...{ answer, search, change, tools }} what={FIGURE_WORDS.attempts} />;
  return (
    <SeriesChart
      title={`Answer times by ${unit}`}
      unit={unitLabel[unit]}
      labels={labels}
      series={series}
      tools={
        <>
          {tools}
          <UnitChoice search={search} span={answer.span} change={change} />
        </>
      }
    />
  );
}
