import { Button } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { PageReportAnswer } from '#contract/landing-page.ts';
import { PAGE_WORDS } from '#contract/report-words.ts';
import { IconPlus } from '#web/ui/icons.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { OF_PAGES } from '../report/figure-help.ts';
import { narrowing } from '../report/leads-behind.ts';
import { UnitChoice, unitLabel, usePoints } from '../report/OutcomeChart.tsx';
import { type Figure, ReportFigures } from '../report/ReportFigures.tsx';
import { ReportPage, type ReportView } from '../report/ReportPage.tsx';
import { ReportTable, useColumnsInSight } from '../report/ReportTable.tsx';
import { SeriesChart } from '../report/SeriesChart.tsx';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { usePermissionHere } from '../shell/use-place.ts';
import { EmbedSteps } from './EmbedSteps.tsx';
import { pageColumns } from './page-columns.tsx';
import './landing-page.css';

const FILTERS = ['campaignId', 'publisherId', 'publisherTierId'] as const;

/** Landing pages and landers: who saw them, who sent the form, and what was sold of it. */
export function PageStats() {
  const { inOrder } = useColumnsInSight('page-stats', pageColumns);
  return (
    <ReportPage
      name="page-stats"
      title="Page stats"
      counts="Counts views and submits once for each time that a page is loaded, by the hour: one that has begun when a span ends counts whole. Leads that name the page count by when they came. Programs that say what they are do not count."
      filters={FILTERS}
      csvColumns={inOrder}
      columns={inOrder}
      hasRows
      choice={() => <AddPage />}
    >
      {(view) => <PageStatsBody {...view} />}
    </ReportPage>
  );
}

function AddPage() {
  const { place } = usePlaceIds();
  const navigate = useNavigate();
  if (!usePermissionHere()?.pageStatePermission.setup) return null;
  return (
    <div className="page-choice no-print">
      <Button
        size="sm"
        variant="default"
        leftSection={<IconPlus size={15} aria-hidden />}
        onClick={() => void navigate({ href: `/setup/${place.region}/${place.vertical}/page-stats/pages/new` })}
      >
        Add a landing page
      </Button>
    </div>
  );
}

const figuresOf = ({ total, totalBefore }: PageReportAnswer): Figure[] => [
  { kind: 'count', label: PAGE_WORDS.views, how: OF_PAGES.views, now: total.views, before: totalBefore.views },
  { kind: 'count', label: PAGE_WORDS.submits, how: OF_PAGES.submits, now: total.submits, before: totalBefore.submits },
  { kind: 'count', label: PAGE_WORDS.leads, how: OF_PAGES.leads, now: total.leads, before: totalBefore.leads },
  { kind: 'count', label: PAGE_WORDS.sold, how: OF_PAGES.sold, now: total.sold, before: totalBefore.sold },
  {
    ...{ kind: 'rate', label: PAGE_WORDS.conversion, how: OF_PAGES.conversion },
    now: { part: total.sold, whole: total.views },
    before: { part: totalBefore.sold, whole: totalBefore.views },
  },
];

function PageStatsBody({ answer, place, search, change }: ReportView<PageReportAnswer>) {
  const { unit, labels } = usePoints(search, answer.series);
  const series = useMemo(
    () => [
      { name: PAGE_WORDS.views, look: 'main' as const, values: answer.series.map(({ now }) => now.views) },
      { name: PAGE_WORDS.submits, look: 'other' as const, values: answer.series.map(({ now }) => now.submits) },
      {
        name: 'Views in the span before',
        look: 'before' as const,
        values: answer.series.map((_, at) => answer.seriesBefore[at]?.now.views ?? null),
      },
    ],
    [answer],
  );
  const maySetUp = usePermissionHere()?.pageStatePermission.setup;
  const landers = new Set(answer.rows.flatMap(({ keys, kind }) => (kind === 'lander' ? [keys[0]!._id] : [])));
  const isNarrowed = FILTERS.some((one) => search[one] !== undefined);
  if (answer.rows.length === 0 && !isNarrowed) return <NoPages />;
  const base = `/setup/${place.region}/${place.vertical}`;
  return (
    <>
      <StillSilent answer={answer} />
      <ReportFigures figures={figuresOf(answer)} />
      <SeriesChart
        title={`Views by ${unit}`}
        unit={unitLabel[unit]}
        labels={labels}
        series={series}
        tools={<UnitChoice search={search} span={answer.span} change={change} />}
      />
      <ReportTable
        title="Pages"
        name="page-stats"
        heads={['Page', 'Publisher tier']}
        columns={pageColumns}
        rows={answer.rows.map(({ keys: [page], publisherTier, kind, now, before }) => ({
          keys: [{ _id: page!._id, name: kind === 'lander' ? `${page!.name} (lander)` : page!.name }, publisherTier],
          ...{ now, before },
        }))}
        rowCount={answer.rowCount}
        most="views"
        total={answer.total}
        totalBefore={answer.totalBefore}
        {...{ place, search, change }}
        linkOf={({ keys: [page] }) => {
          if (!landers.has(page!._id)) return `${base}/page-stats/pages/${page!._id}`;
          return maySetUp ? `${base}/cards/${page!._id}` : undefined;
        }}
        leadsOf={({ keys: [page] }) => ({
          ...narrowing({ period: search.period, from: search.from, to: search.to }),
          ...{ pageId: page!._id, test: 'false', pings: 'false' },
        })}
      />
    </>
  );
}

function NoPages() {
  const maySetUp = usePermissionHere()?.pageStatePermission.setup;
  return (
    <div className="card">
      <EmptyState title="No landing pages yet.">
        A landing page gets one line of script, which counts who sees it and who sends its form; leads that name the page say what was sold.
        Landers of cards are counted by themselves.{' '}
        {maySetUp ? 'Add a landing page above to get its line.' : 'Who may set up this vertical adds them here.'}
      </EmptyState>
    </div>
  );
}

/** The line to copy, while a landing page is there and none was seen yet. */
function StillSilent({ answer: { rows, total, totalBefore } }: { answer: PageReportAnswer }) {
  const first = rows.find(({ kind, status }) => kind === 'landingPage' && status === 'active');
  if (!first || total.views + total.leads + totalBefore.views + totalBefore.leads > 0) return null;
  return (
    <section className="card" aria-label="How pages count">
      <header>
        <h2>Nothing was counted yet: this makes “{first.keys[0]!.name}” count</h2>
      </header>
      <div className="card-body">
        <EmbedSteps pageId={first.keys[0]!._id} />
      </div>
    </section>
  );
}
