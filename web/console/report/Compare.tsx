import { Link, useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { CompareAnswer, CompareSide } from '#contract/report.ts';
import { formatElapsed, formatLongMinute } from '#web/ui/format.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { wallMinuteOf } from '#web/ui/zone.ts';
import type { Place } from '../api/lead.ts';
import { useMayReadLeads } from '../shell/use-place.ts';
import { ChoiceRow } from './ChoiceRow.tsx';
import { CompareChoice, kindLabel, kindsText } from './CompareChoice.tsx';
import { type Compared, compareFigures } from './compare-figures.ts';
import { leadsBehind } from './leads-behind.ts';
import { MEASURES, useSay } from './measures.ts';
import { UnitChoice, unitLabel, usePoints } from './OutcomeChart.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import type { ReportSearch } from './report-search.ts';
import { SeriesChart } from './SeriesChart.tsx';
import { useReportSearch } from './use-report-search.ts';

const WAYS = ['attempts', 'sold', 'accepted', 'revenue', 'margin', 'epl'];

/** Two of anything side by side: their figures, how far they are apart, and one chart (console §2: compare-stats). */
export function Compare() {
  const search = useReportSearch();
  const place = useParams({ strict: false }) as Place;
  const { measure: asked, of: kind = 'publisher' } = search;
  const measure = asked && WAYS.includes(asked) ? asked : 'attempts';
  return (
    <ReportPage
      name="compare"
      title="Compare"
      counts={
        kind === 'buyer' || kind === 'buyerTier' || kind === 'group'
          ? 'Counts buyer tiers that were tried, by when the lead came.'
          : 'Counts leads by when they came; bare pings stand in lines of their own.'
      }
      filters={[]}
      csvColumns={[]}
      missing={missingText(search)}
      choice={({ change }) => (
        <>
          <CompareChoice {...{ place, kind, search, change }} />
          <ChoiceRow
            label="Show"
            options={WAYS.map((value) => ({ value, label: MEASURES[value]!.label }))}
            value={measure}
            onChoose={(value) => change({ measure: value })}
          />
        </>
      )}
    >
      {(view) => <CompareBody measure={measure} {...view} />}
    </ReportPage>
  );
}

function missingText({ of = 'publisher', a, b }: ReportSearch) {
  if (of === 'span') return undefined;
  if (a !== undefined && b !== undefined && a !== b) return undefined;
  const many = kindsText(of);
  return (
    <EmptyState title={a !== undefined && a === b ? `That is twice the same ${kindLabel(of).toLowerCase()}.` : `Choose two ${many}.`}>
      Choose a first and a second above: their figures stand side by side here, with the difference.
    </EmptyState>
  );
}

function CompareBody({ measure, answer, search, change, place }: ReportView<CompareAnswer> & { measure: string }) {
  const { sides, of } = answer;
  const names = useSideNames(sides);
  const { label, of: figure, text } = MEASURES[measure]!;
  const say = useSay(text);
  const [a, b] = sides;
  const longest = a.series.length >= b.series.length ? a.series : b.series;
  const { unit, labels: dates } = usePoints(search, longest);
  const labels = useMemo(
    () => (of === 'span' ? longest.map((_, at) => `${unitLabel[unit]} ${at + 1}`) : dates),
    [of, longest, unit, dates],
  );
  const series = useMemo(
    () =>
      sides.map((side, at) => ({
        name: names[at]!,
        look: at === 0 ? ('main' as const) : ('other' as const),
        values: longest.map((_, point) => (side.series[point] ? figure(side.series[point].now) : null)),
        text: say,
      })),
    [sides, names, longest, figure, say],
  );
  return (
    <>
      <SeriesChart
        title={`${label} by ${unit}`}
        unit={unitLabel[unit]}
        labels={labels}
        series={series}
        tools={<UnitChoice search={search} span={longest === a.series ? a.span : b.span} change={change} />}
      />
      <FigureTable {...{ answer, names, search, place }} />
    </>
  );
}

/** A span is called by its ends, in the reporting zone. */
function useSideNames(sides: CompareAnswer['sides']): [string, string] {
  const { zone } = useReporting();
  return useMemo(() => {
    const minute = (at: number) => formatLongMinute(wallMinuteOf(at, zone));
    const nameOf = ({ key, span }: CompareSide) =>
      key.name || `${minute(Date.parse(span.from))} to ${minute(Date.parse(span.to) - 60_000)}`;
    return [nameOf(sides[0]), nameOf(sides[1])];
  }, [sides, zone]);
}

interface FigureTableProps extends Pick<ReportView<CompareAnswer>, 'answer' | 'search' | 'place'> {
  names: [string, string];
}

function FigureTable({ answer, names, search, place }: FigureTableProps) {
  const mayRead = useMayReadLeads();
  const { sides, of } = answer;
  const leadsOf = (side: CompareSide) => (mayRead && of !== 'span' ? leadsBehind(search, [of], [side.key]) : undefined);
  return (
    <section className="card report-table-card" aria-label="Figures">
      <header>
        <h2>Figures</h2>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="scroll-x" aria-label="Figures, table" tabIndex={0}>
        <table className="plain-table report-table compare-table">
          <thead>
            <tr>
              <th scope="col">Figure</th>
              {sides.map((side, at) => {
                const leads = leadsOf(side);
                return (
                  <th key={at === 0 ? 'a' : 'b'} scope="col" className="num">
                    <i className={`swatch ${at === 0 ? 'series-main' : 'series-other'}`} aria-hidden />
                    {names[at]}
                    {leads && (
                      <>
                        {' '}
                        <Link
                          to="/setup/$region/$vertical/leads"
                          params={place}
                          search={leads as never}
                          className="link small no-print"
                          aria-label={`Leads of ${names[at]}`}
                        >
                          Leads
                        </Link>
                      </>
                    )}
                  </th>
                );
              })}
              <th scope="col" className="num">
                Difference
              </th>
              <th scope="col" className="num">
                In per cent
              </th>
            </tr>
          </thead>
          <tbody>
            {compareFigures(sides[0].total, sides[1].total).map((figure) => (
              <FigureLine key={figure.label} {...figure} />
            ))}
          </tbody>
        </table>
      </section>
    </section>
  );
}

function FigureLine({ label, kind, begins, a, b, more, percent }: Compared) {
  const count = useSay('count');
  const money = useSay('money');
  const say = (value: number | null) => {
    if (value === null) return '–';
    if (kind === 'rate') return `${value.toFixed(1)}%`;
    return kind === 'time' ? formatElapsed(value) : kind === 'money' ? money(value) : count(value);
  };
  const signed = (value: number | null, text: (size: number) => string) =>
    value === null ? '–' : value === 0 ? '0' : `${value > 0 ? '+' : '−'}${text(Math.abs(value))}`;
  return (
    <tr data-begins={begins}>
      <th scope="row">{label}</th>
      <td className="num">{say(a)}</td>
      <td className="num">{say(b)}</td>
      <td className="num">{signed(more, (size) => (kind === 'rate' ? `${size.toFixed(1)} points` : say(size)))}</td>
      <td className="num">{signed(percent, (size) => `${size.toFixed(1)}%`)}</td>
    </tr>
  );
}
