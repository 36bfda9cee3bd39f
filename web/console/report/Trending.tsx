import { Link } from '@tanstack/react-router';
import { type ReactNode, useMemo } from 'react';
import type { LeadMeasures, LeadReportAnswer } from '#contract/report.ts';
import { beforeWord, FIGURE_WORDS } from '#contract/report-words.ts';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { type TimeZone, wallMinuteOf } from '#web/ui/zone.ts';
import type { Place } from '../api/lead.ts';
import { useMayReadLeads } from '../shell/use-place.ts';
import { ChoiceRow } from './ChoiceRow.tsx';
import { inboundFigures } from './Inbound.tsx';
import { leadsBehind } from './leads-behind.ts';
import { MEASURES, type Measure, useSay } from './measures.ts';
import { UnitChoice, unitLabel, usePoints } from './OutcomeChart.tsx';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { ColumnChoice, type ReportColumn, useColumnsInSight } from './ReportTable.tsx';
import type { ReportSearch } from './report-search.ts';
import { SeriesChart } from './SeriesChart.tsx';
import { useReportSearch } from './use-report-search.ts';
import '#web/ui/stacking-table.css';

const FILTERS = ['campaignId', 'publisherId', 'publisherTierId', 'subId', 'state'] as const;

/** One figure over time, against the span before. */
export function Trending() {
  const { measure: asked } = useReportSearch();
  const measure = asked && MEASURES[asked] ? asked : 'attempts';
  const { inOrder } = useColumnsInSight('trending', pointColumns);
  return (
    <ReportPage
      name="trending"
      title="Trending"
      counts="Counts leads by when they came, without bare pings."
      filters={FILTERS}
      by="campaign"
      csvColumns={inOrder}
      columns={inOrder}
      choice={({ change }) => (
        <ChoiceRow
          label="Show"
          options={Object.entries(MEASURES).map(([value, { label }]) => ({ value, label }))}
          value={measure}
          onChoose={(value) => change({ measure: value })}
        />
      )}
    >
      {(view) => <TrendingBody {...view} {...MEASURES[measure]!} />}
    </ReportPage>
  );
}

/** A point’s own leads: the minutes from its begin to its end, by the clock of the zone. */
function leadsBetween(search: ReportSearch, begin: string, end: string, zone: TimeZone) {
  const at = (instant: number) => wallMinuteOf(instant, zone);
  const span = { period: 'customRange' as const, from: at(Date.parse(begin)), to: at(Date.parse(end) - 60_000) };
  return leadsBehind({ ...search, ...span }, [], []);
}

function TrendingBody({ answer, place, search, change, label, of, text }: ReportView<LeadReportAnswer> & Measure) {
  const { unit, labels } = usePoints(search, answer.series);
  const say = useSay(text);
  const series = useMemo(() => {
    return [
      { name: label, look: 'main' as const, values: answer.series.map(({ now }) => of(now)), text: say },
      {
        name: 'The span before',
        look: 'before' as const,
        values: answer.seriesBefore.slice(0, answer.series.length).map(({ now }) => of(now)),
        text: say,
      },
    ];
  }, [answer, label, of, say]);
  const { zone } = useReporting();
  const mayRead = useMayReadLeads();
  const ends = [...answer.series.slice(1).map(({ at }) => at), answer.span.to];
  const leadsAt = (index: number) => mayRead && { place, search: leadsBetween(search, answer.series[index]!.at, ends[index]!, zone) };
  return (
    <>
      <ReportFigures figures={inboundFigures(answer)} />
      <SeriesChart
        title={`${label} by ${unit}`}
        unit={unitLabel[unit]}
        labels={labels}
        series={series}
        tools={<UnitChoice search={search} span={answer.span} change={change} />}
      />
      <PointTable answer={answer} labels={labels} unit={unitLabel[unit]} leadsAt={leadsAt} />
    </>
  );
}

function PointName({ label, leads }: { label: string; leads: ReturnType<PointTableProps['leadsAt']> }) {
  if (!leads) return label;
  return (
    <Link to="/setup/$region/$vertical/leads" params={leads.place} search={leads.search as never} className="link">
      {label}
    </Link>
  );
}

interface Point {
  now: LeadMeasures;
  /** At the same place of the span before, where that has as many. */
  before: LeadMeasures | undefined;
}
type Column = Omit<ReportColumn<Point>, 'value'>;

type Name = (keyof LeadMeasures & keyof typeof FIGURE_WORDS) | 'soldShare';
const ofPoint = (id: Name, cell: (now: LeadMeasures) => ReactNode, isExtra?: true): Column => ({
  ...{ id, head: FIGURE_WORDS[id], cell: ({ now }) => cell(now), ...(isExtra && { isExtra }) },
});
const ofBefore = (id: Name, cell: (before: LeadMeasures) => ReactNode): Column => ({
  ...{ id: `${id}Before`, head: beforeWord(FIGURE_WORDS[id]) },
  cell: ({ before }) => <span className="muted">{before ? cell(before) : '–'}</span>,
});
const money = (amount: string) => <MoneyText amount={amount} faint />;
export const pointColumns: readonly Column[] = [
  ofPoint('attempts', ({ attempts }) => formatCount(attempts)),
  ofBefore('attempts', ({ attempts }) => formatCount(attempts)),
  ofPoint('sold', ({ sold }) => formatCount(sold)),
  ofBefore('sold', ({ sold }) => formatCount(sold)),
  ofPoint('soldShare', ({ sold, attempts }) => formatRate(sold, attempts)),
  ofPoint('rejected', ({ rejected }) => formatCount(rejected), true),
  ofPoint('terrors', ({ terrors }) => formatCount(terrors), true),
  ofPoint('timeouts', ({ timeouts }) => formatCount(timeouts), true),
  ofPoint('filtered', ({ filtered }) => formatCount(filtered), true),
  ofPoint('open', ({ open }) => formatCount(open), true),
  ofPoint('revenue', ({ revenue }) => money(revenue)),
  ofBefore('revenue', ({ revenue }) => money(revenue)),
  ofPoint('payout', ({ payout }) => money(payout), true),
  ofPoint('margin', ({ margin }) => money(margin)),
  ofPoint('epl', ({ epl }) => money(epl)),
];

interface PointTableProps {
  answer: LeadReportAnswer;
  labels: readonly string[];
  unit: string;
  leadsAt: (index: number) => false | { place: Place; search: Record<string, string> | undefined };
}

/** Every point with its figures, and what the point at the same place of the span before had. */
function PointTable({ answer: { series, seriesBefore, total, totalBefore }, labels, unit, leadsAt }: PointTableProps) {
  const { inOrder, ids, setIds, reset } = useColumnsInSight('trending', pointColumns);
  const shown = pointColumns.filter(({ id }) => inOrder.includes(id));
  const cells = (point: Point) =>
    shown.map(({ id, head, cell }) => (
      <td key={id} data-head={head} className="num">
        {cell(point)}
      </td>
    ));
  return (
    <section className="card report-table-card" aria-label={`${unit} by ${unit.toLowerCase()}`}>
      <header>
        <h2>{`${unit} by ${unit.toLowerCase()}`}</h2>
        <ColumnChoice columns={pointColumns} ids={ids} onChange={setIds} onReset={reset} />
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="scroll-x point-table" aria-label={`${unit} by ${unit.toLowerCase()}, table`} tabIndex={0}>
        <table className="plain-table report-table stacking">
          <thead>
            <tr>
              <th scope="col">{unit}</th>
              {shown.map(({ id, head }) => (
                <th key={id} scope="col" className="num">
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.map(({ at, now }, index) => (
              <tr key={at}>
                <th scope="row">
                  <PointName label={labels[index]!} leads={leadsAt(index)} />
                </th>
                {cells({ now, before: seriesBefore[index]?.now })}
              </tr>
            ))}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              {cells({ now: total, before: totalBefore })}
            </tr>
          </tfoot>
        </table>
      </section>
    </section>
  );
}
