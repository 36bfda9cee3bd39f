import { useMemo } from 'react';
import type { AttemptReportAnswer } from '#contract/report.ts';
import { FIGURE_WORDS } from '#contract/report-words.ts';
import { ChoiceRow } from './ChoiceRow.tsx';
import { OF_LINKS, OF_TIERS } from './figure-help.ts';
import { leadsBehind } from './leads-behind.ts';
import { UnitChoice, unitLabel, usePoints } from './OutcomeChart.tsx';
import { redirectColumns } from './outcome-columns.tsx';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { ReportTable, useColumnsInSight } from './ReportTable.tsx';
import { DIMENSIONS } from './report-names.ts';
import { SeriesChart } from './SeriesChart.tsx';
import { useReportSearch } from './use-report-search.ts';

const WAYS = ['buyer', 'buyerTier', 'publisher', 'publisherTier'];
const FILTERS = ['campaignId', 'buyerId', 'buyerTierId', 'publisherId', 'publisherTierId'] as const;

/** Sold leads whose consumer was led on to the buyer, or was lost on the way. */
export function Redirects() {
  const { by: asked } = useReportSearch();
  const by = asked && WAYS.includes(asked) ? asked : 'buyer';
  const { inOrder } = useColumnsInSight('redirect', redirectColumns);
  return (
    <ReportPage
      name="redirect"
      title="Redirects"
      counts="Counts links of ours that publishers were given for sold leads; where a publisher gets the buyer's own address, nothing is known. A delay runs from the link given to the link followed."
      filters={FILTERS}
      by={by}
      csvColumns={inOrder}
      columns={inOrder}
      hasRows
      choice={({ change }) => (
        <ChoiceRow
          label="By"
          options={WAYS.map((value) => ({ value, label: DIMENSIONS[value]!.label }))}
          value={by}
          onChoose={(value) => change({ by: value, sort: undefined })}
        />
      )}
    >
      {(view) => <RedirectBody {...view} />}
    </ReportPage>
  );
}

function RedirectBody({ answer, place, search, change }: ReportView<AttemptReportAnswer>) {
  const by = answer.by[0]!;
  const { total, totalBefore } = answer;
  const { unit, labels } = usePoints(search, answer.series);
  const series = useMemo(
    () => [
      { name: FIGURE_WORDS.followed, look: 'main' as const, values: answer.series.map(({ now }) => now.followed) },
      { name: FIGURE_WORDS.lost, look: 'bad' as const, values: answer.series.map(({ now }) => now.links - now.followed) },
      {
        name: 'Redirected in the span before',
        look: 'before' as const,
        values: answer.series.map((_, at) => answer.seriesBefore[at]?.now.followed ?? null),
      },
    ],
    [answer],
  );
  const { label, many, filter, next } = DIMENSIONS[by]!;
  return (
    <>
      <ReportFigures
        figures={[
          { kind: 'count', label: FIGURE_WORDS.sold, how: OF_TIERS.sold, now: total.sold, before: totalBefore.sold },
          { kind: 'count', label: FIGURE_WORDS.links, how: OF_LINKS.links, now: total.links, before: totalBefore.links },
          { kind: 'count', label: FIGURE_WORDS.followed, how: OF_LINKS.followed, now: total.followed, before: totalBefore.followed },
          {
            ...{ kind: 'rate', label: FIGURE_WORDS.followedShare, how: OF_LINKS.followedShare },
            now: { part: total.followed, whole: total.links },
            before: { part: totalBefore.followed, whole: totalBefore.links },
          },
          {
            ...{ kind: 'count', label: FIGURE_WORDS.lost, how: OF_LINKS.lost, moreIs: 'bad' },
            now: total.links - total.followed,
            before: totalBefore.links - totalBefore.followed,
          },
          { kind: 'time', label: 'Half of them within', how: OF_LINKS.half, now: total.followP50Ms, before: totalBefore.followP50Ms },
          { kind: 'time', label: 'Nine of ten within', how: OF_LINKS.nine, now: total.followP90Ms, before: totalBefore.followP90Ms },
        ]}
      />
      <SeriesChart
        title={`Consumers by ${unit}`}
        unit={unitLabel[unit]}
        labels={labels}
        series={series}
        tools={<UnitChoice search={search} span={answer.span} change={change} />}
      />
      <ReportTable
        title={many}
        name="redirect"
        heads={[label]}
        columns={redirectColumns}
        rows={answer.rows}
        rowCount={answer.rowCount}
        {...{ total, totalBefore }}
        {...{ place, search, change }}
        narrow={({ keys }) =>
          filter && next && next !== 'subId' && keys[0]!._id ? { [filter]: keys[0]!._id, by: next, sort: undefined } : undefined
        }
        leadsOf={({ keys }) => {
          const leads = leadsBehind(search, [by], keys, 'sold');
          return leads && { ...leads, status: 'sold' };
        }}
      />
    </>
  );
}
