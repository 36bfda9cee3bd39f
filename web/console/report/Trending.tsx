import { useMemo } from 'react';
import type { LeadReportAnswer } from '#contract/report.ts';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { ChoiceRow } from './ChoiceRow.tsx';
import { inboundFigures } from './Inbound.tsx';
import { MEASURES, type Measure, useSay } from './measures.ts';
import { UnitChoice, unitLabel, usePoints } from './OutcomeChart.tsx';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { SeriesChart } from './SeriesChart.tsx';
import { useReportSearch } from './use-report-search.ts';
import '#web/ui/stacking-table.css';

const FILTERS = ['campaignId', 'publisherId', 'publisherTierId', 'subId', 'state'] as const;

/** One figure over time, against the span before. */
export function Trending() {
  const { measure: asked } = useReportSearch();
  const measure = asked && MEASURES[asked] ? asked : 'attempts';
  return (
    <ReportPage
      name="trending"
      title="Trending"
      counts="Counts leads by when they came, without bare pings."
      filters={FILTERS}
      by="campaign"
      csvColumns={['attempts', 'sold', 'rejected', 'terrors', 'timeouts', 'filtered', 'open', 'revenue', 'payout', 'margin', 'epl']}
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

function TrendingBody({ answer, search, change, label, of, text }: ReportView<LeadReportAnswer> & Measure) {
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
      <PointTable answer={answer} labels={labels} unit={unitLabel[unit]} />
    </>
  );
}

/** Every point with its figures, and what the point at the same place of the span before had. */
function PointTable({ answer, labels, unit }: { answer: LeadReportAnswer; labels: readonly string[]; unit: string }) {
  const { series, seriesBefore, total } = answer;
  return (
    <section className="card report-table-card" aria-label={`${unit} by ${unit.toLowerCase()}`}>
      <header>
        <h2>{`${unit} by ${unit.toLowerCase()}`}</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="scroll-x point-table" aria-label={`${unit} by ${unit.toLowerCase()}, table`} tabIndex={0}>
        <table className="plain-table report-table stacking">
          <thead>
            <tr>
              {[unit, 'Leads', 'Before', 'Sold', 'Before', 'Accepted', 'Revenue', 'Before', 'Margin', 'EPL'].map((head, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: "Before" stands beside several
                <th key={at} scope="col" className={at === 0 ? undefined : 'num'}>
                  {head}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {series.map(({ at, now }, index) => {
              const before = seriesBefore[index]?.now;
              return (
                <tr key={at}>
                  <th scope="row">{labels[index]}</th>
                  <td data-head="Leads" className="num">
                    {formatCount(now.attempts)}
                  </td>
                  <td data-head="Leads before" className="num muted">
                    {before ? formatCount(before.attempts) : '–'}
                  </td>
                  <td data-head="Sold" className="num">
                    {formatCount(now.sold)}
                  </td>
                  <td data-head="Sold before" className="num muted">
                    {before ? formatCount(before.sold) : '–'}
                  </td>
                  <td data-head="Accepted" className="num">
                    {formatRate(now.sold, now.attempts)}
                  </td>
                  <td data-head="Revenue" className="num">
                    <MoneyText amount={now.revenue} faint />
                  </td>
                  <td data-head="Revenue before" className="num muted">
                    {before ? <MoneyText amount={before.revenue} /> : '–'}
                  </td>
                  <td data-head="Margin" className="num">
                    <MoneyText amount={now.margin} faint />
                  </td>
                  <td data-head="EPL" className="num">
                    <MoneyText amount={now.epl} faint />
                  </td>
                </tr>
              );
            })}
          </tbody>
          <tfoot>
            <tr>
              <th scope="row">Total</th>
              <td data-head="Leads" className="num">
                {formatCount(total.attempts)}
              </td>
              <td data-head="Leads before" className="num muted">
                {formatCount(answer.totalBefore.attempts)}
              </td>
              <td data-head="Sold" className="num">
                {formatCount(total.sold)}
              </td>
              <td data-head="Sold before" className="num muted">
                {formatCount(answer.totalBefore.sold)}
              </td>
              <td data-head="Accepted" className="num">
                {formatRate(total.sold, total.attempts)}
              </td>
              <td data-head="Revenue" className="num">
                <MoneyText amount={total.revenue} />
              </td>
              <td data-head="Revenue before" className="num muted">
                <MoneyText amount={answer.totalBefore.revenue} />
              </td>
              <td data-head="Margin" className="num">
                <MoneyText amount={total.margin} />
              </td>
              <td data-head="EPL" className="num">
                <MoneyText amount={total.epl} />
              </td>
            </tr>
          </tfoot>
        </table>
      </section>
    </section>
  );
}
