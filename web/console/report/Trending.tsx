import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { ACCEPT_RATE, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { LeadReportAnswer } from '#contract/report.ts';
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
import type { ReportSearch } from './report-search.ts';
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
      csvColumns={[
        'attempts',
        'sold',
        'soldShare',
        'rejected',
        'terrors',
        'timeouts',
        'filtered',
        'open',
        'revenue',
        'payout',
        'margin',
        'epl',
      ]}
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

/** Every point with its figures, and what the point at the same place of the span before had. */
interface PointTableProps {
  answer: LeadReportAnswer;
  labels: readonly string[];
  unit: string;
  leadsAt: (index: number) => false | { place: Place; search: Record<string, string> | undefined };
}

function PointTable({ answer, labels, unit, leadsAt }: PointTableProps) {
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
              {[
                unit,
                OUTCOME_WORDS.attempts,
                'Before',
                OUTCOME_WORDS.sold,
                'Before',
                ACCEPT_RATE,
                'Revenue',
                'Before',
                'Margin',
                'EPL',
              ].map((head, at) => (
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
                  <th scope="row">
                    <PointName label={labels[index]!} leads={leadsAt(index)} />
                  </th>
                  <td data-head={OUTCOME_WORDS.attempts} className="num">
                    {formatCount(now.attempts)}
                  </td>
                  <td data-head={`${OUTCOME_WORDS.attempts} before`} className="num muted">
                    {before ? formatCount(before.attempts) : '–'}
                  </td>
                  <td data-head={OUTCOME_WORDS.sold} className="num">
                    {formatCount(now.sold)}
                  </td>
                  <td data-head={`${OUTCOME_WORDS.sold} before`} className="num muted">
                    {before ? formatCount(before.sold) : '–'}
                  </td>
                  <td data-head={ACCEPT_RATE} className="num">
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
              <td data-head={OUTCOME_WORDS.attempts} className="num">
                {formatCount(total.attempts)}
              </td>
              <td data-head={`${OUTCOME_WORDS.attempts} before`} className="num muted">
                {formatCount(answer.totalBefore.attempts)}
              </td>
              <td data-head={OUTCOME_WORDS.sold} className="num">
                {formatCount(total.sold)}
              </td>
              <td data-head={`${OUTCOME_WORDS.sold} before`} className="num muted">
                {formatCount(answer.totalBefore.sold)}
              </td>
              <td data-head={ACCEPT_RATE} className="num">
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
