import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { MatrixMeasures, PerformanceReportAnswer } from '#contract/report.ts';
import { FIGURE_WORDS } from '#contract/report-words.ts';
import { formatCents, formatCount, formatRate } from '#web/ui/format.ts';
import { useReporting } from '#web/ui/reporting.tsx';
import { EmptyState } from '#web/ui/states.tsx';
import { useMayReadLeads } from '../shell/use-place.ts';
import { ChoiceRow } from './ChoiceRow.tsx';
import { OF_TIERS } from './figure-help.ts';
import { leadsBehind } from './leads-behind.ts';
import { attemptColumns } from './outcome-columns.tsx';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { ReportTable, useColumnsInSight } from './ReportTable.tsx';
import { useReportSearch } from './use-report-search.ts';

const FILTERS = ['campaignId', 'publisherId', 'publisherTierId', 'buyerId', 'buyerTierId'] as const;
const BY = ['publisher', 'buyer'];

interface Shade {
  label: string;
  of: (now: MatrixMeasures) => number;
}
const SHADES: Record<string, Shade> = {
  accepted: { label: FIGURE_WORDS.soldShare, of: (now) => (now.attempts === 0 ? 0 : now.sold / now.attempts) },
  attempts: { label: FIGURE_WORDS.attempts, of: (now) => now.attempts },
  sold: { label: FIGURE_WORDS.sold, of: (now) => now.sold },
  revenue: { label: FIGURE_WORDS.revenue, of: (now) => Number(now.revenue) },
  margin: { label: FIGURE_WORDS.margin, of: (now) => Number(now.margin) },
};

/** The second line of a cell: money beside counts and rates, a rate beside money. */
const belowOf = (measure: string): { word: string; isRate: boolean } =>
  measure === 'margin' || measure === 'revenue'
    ? { word: FIGURE_WORDS.soldShare, isRate: true }
    : { word: FIGURE_WORDS.margin, isRate: false };

/** No times are told by publisher. */
const COLUMNS = attemptColumns.filter(({ id }) => !/Ms/.test(id));

/** Which publisher's leads which buyer takes, and what they bring. */
export function Performance() {
  const { measure: asked } = useReportSearch();
  const measure = asked && SHADES[asked] ? asked : 'accepted';
  const { inOrder } = useColumnsInSight('performance', COLUMNS);
  return (
    <ReportPage
      name="performance"
      title="Performance"
      counts="Counts buyer tiers that were tried, by when the lead came."
      filters={FILTERS}
      by={BY.join(',')}
      csvColumns={inOrder}
      columns={inOrder}
      hasRows
      choice={({ change }) => (
        <ChoiceRow
          label="Show"
          options={Object.entries(SHADES).map(([value, { label }]) => ({ value, label }))}
          value={measure}
          onChoose={(value) => change({ measure: value })}
        />
      )}
    >
      {(view) => <PerformanceBody measure={measure} {...view} />}
    </ReportPage>
  );
}

function PerformanceBody({ measure, ...view }: ReportView<PerformanceReportAnswer> & { measure: string }) {
  const { answer, place, search, change } = view;
  const { total, totalBefore, rows } = answer;
  const [publishers, buyers] = answer.matrix?.sides.map(({ count }) => count) ?? [0, 0];
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
        ]}
      />
      <section className="card" aria-label="Publishers by buyers">
        <header>
          <h2>Publishers by buyers</h2>
          <span className="muted small">
            {SHADES[measure]!.label}, and below it in small the {belowOf(measure).word.toLowerCase()}, of{' '}
            {sumText(publishers!, 'publisher')} at {sumText(buyers!, 'buyer')}; the darker, the more
          </span>
        </header>
        {answer.matrix && answer.matrix.cells.length > 0 ? (
          <HeatMap measure={measure} matrix={answer.matrix} {...view} />
        ) : (
          <EmptyState title="Nothing in this span.">Choose another span, or take filters away.</EmptyState>
        )}
      </section>
      <ReportTable
        title="Pairs"
        name="performance"
        heads={['Publisher', 'Buyer']}
        columns={COLUMNS}
        rows={rows}
        rowCount={answer.rowCount}
        {...{ total, totalBefore }}
        {...{ place, search, change }}
        leadsOf={({ keys }) => leadsBehind(search, BY, keys)}
      />
    </>
  );
}

const sumText = (count: number, one: string) => `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;

type Matrix = NonNullable<PerformanceReportAnswer['matrix']>;

/** The lines of one way, the last for all others where there are more. */
function linesOf({ keys, count }: Matrix['sides'][number]) {
  const others = count - keys.length;
  const lines = keys.map(({ _id, name }) => ({ id: _id, name, isOthers: false }));
  return others > 0 ? [...lines, { id: 'others', name: `All others (${formatCount(others)})`, isOthers: true }] : lines;
}

function HeatMap({ measure, matrix, place, search }: ReportView<PerformanceReportAnswer> & { measure: string; matrix: Matrix }) {
  const { currency, currencyDisplay } = useReporting();
  const mayRead = useMayReadLeads();
  const { of } = SHADES[measure]!;
  const below = belowOf(measure);
  const { sides, cells } = matrix;
  const [publishers, buyers] = [linesOf(sides[0]), linesOf(sides[1])];
  // A sum of many pairs would leave all single ones pale.
  const single = cells.slice(0, sides[0].keys.length).flatMap((line) => line.slice(0, sides[1].keys.length));
  const most = Math.max(...single.map((now) => (now ? of(now) : 0)), 0);
  const say = (now: MatrixMeasures): ReactNode => {
    if (measure === 'accepted') return formatRate(now.sold, now.attempts);
    if (measure === 'attempts' || measure === 'sold') return formatCount(now[measure]);
    return formatCents(measure === 'revenue' ? now.revenue : now.margin, currency, currencyDisplay);
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x" aria-label="Publishers by buyers, table" tabIndex={0}>
      <table className="plain-table report-table heat-map">
        <thead>
          <tr>
            <th scope="col">Publisher</th>
            {buyers.map(({ id, name }) => (
              <th key={id} scope="col" className="num">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {publishers.map((publisher, line) => (
            <tr key={publisher.id}>
              <th scope="row">{publisher.name}</th>
              {buyers.map((buyer, at) => {
                const now = cells[line]![at];
                if (!now)
                  return (
                    <td key={buyer.id} className="num muted">
                      –
                    </td>
                  );
                const shade = most > 0 ? Math.round(Math.min(1, Math.max(0, of(now)) / most) * 42) : 0;
                const isOthers = publisher.isOthers || buyer.isOthers;
                const leads = mayRead && !isOthers ? leadsBehind(search, BY, [{ _id: publisher.id }, { _id: buyer.id }]) : undefined;
                return (
                  <td
                    key={buyer.id}
                    className="num heat-cell"
                    style={{ background: `color-mix(in srgb, var(--s-accent) ${shade}%, var(--s-card))` }}
                  >
                    {leads ? (
                      <Link
                        to="/setup/$region/$vertical/leads"
                        params={place}
                        search={leads as never}
                        title={`Leads of ${publisher.name} that ${buyer.name} was asked about`}
                      >
                        {say(now)}
                      </Link>
                    ) : (
                      say(now)
                    )}
                    <span className="small heat-more">
                      <span className="sr-only">{`${below.word} `}</span>
                      {below.isRate ? formatRate(now.sold, now.attempts) : formatCents(now.margin, currency, currencyDisplay)}
                    </span>
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
