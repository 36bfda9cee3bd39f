import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { ReasonReportAnswer } from '#contract/report.ts';
import { REASON_WORDS } from '#contract/report-words.ts';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { EmptyState } from '#web/ui/states.tsx';
import type { Place } from '../api/lead.ts';
import { useMayReadLeads } from '../shell/use-place.ts';
import { OF_LEADS, OF_REASONS } from './figure-help.ts';
import { leadsBehind, narrowing } from './leads-behind.ts';
import { UnitChoice, unitLabel, usePoints } from './OutcomeChart.tsx';
import { share } from './outcome-columns.tsx';
import { ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { ColumnChoice, type ReportColumn, SortHead, sorted, useColumnsInSight } from './ReportTable.tsx';
import type { ReportSearch } from './report-search.ts';
import { SeriesChart } from './SeriesChart.tsx';
import '#web/ui/stacking-table.css';

const FILTERS = ['campaignId', 'publisherId', 'publisherTierId', 'buyerId', 'buyerTierId'] as const;

interface ReasonMeasures {
  count: number;
  before: number;
  whole: number;
  wholeBefore: number;
}

export const reasonColumns: readonly ReportColumn<ReasonMeasures>[] = [
  { id: 'count', head: REASON_WORDS.count, cell: ({ count }) => formatCount(count), value: ({ count }) => count },
  share(
    'countShare',
    REASON_WORDS.countShare,
    ({ count }) => count,
    ({ whole }) => whole,
  ),
  {
    id: 'before',
    head: REASON_WORDS.before,
    cell: ({ before, wholeBefore }) => (
      <span className="muted">
        {formatCount(before)} <span className="small">({formatRate(before, wholeBefore)})</span>
      </span>
    ),
    value: ({ before }) => before,
  },
];

/** Why leads were not sold, and why buyer tiers were passed by. */
export function Reasons() {
  const { inOrder } = useColumnsInSight('reason', reasonColumns);
  return (
    <ReportPage
      name="reason"
      title="Reasons"
      counts="Reasons are of leads, whichever buyer is chosen; filters are of buyer tiers that were passed by, of which one lead may have several."
      filters={FILTERS}
      csvColumns={inOrder}
      columns={inOrder}
    >
      {(view) => <ReasonsBody {...view} />}
    </ReportPage>
  );
}

/** Leads are counted whichever buyer is chosen. */
const ofLeads = ({ buyerId, buyerTierId, ...search }: ReportSearch): ReportSearch => search;

function ReasonsBody({ answer, search, place, change }: ReportView<ReasonReportAnswer>) {
  const { attempts, attemptsBefore, sold, soldBefore, reasons, filterReasons } = answer;
  const sum = (rows: { count: number; before: number }[], of: 'count' | 'before') => rows.reduce((all, row) => all + row[of], 0);
  return (
    <>
      <ReportFigures
        figures={[
          { kind: 'count', label: OUTCOME_WORDS.attempts, how: OF_LEADS.attempts, now: attempts, before: attemptsBefore },
          { kind: 'count', label: OUTCOME_WORDS.sold, how: OF_LEADS.sold, now: sold, before: soldBefore },
          {
            kind: 'count',
            label: 'Not sold',
            how: OF_REASONS.notSold,
            now: sum(reasons, 'count'),
            before: sum(reasons, 'before'),
            moreIs: 'bad',
          },
          {
            ...{ kind: 'rate', label: 'Not sold of all', how: OF_REASONS.notSoldShare, moreIs: 'bad' },
            now: { part: sum(reasons, 'count'), whole: attempts },
            before: { part: sum(reasons, 'before'), whole: attemptsBefore },
          },
          {
            kind: 'count',
            label: 'Tiers filtered',
            how: OF_REASONS.tiersFiltered,
            now: sum(filterReasons, 'count'),
            before: sum(filterReasons, 'before'),
            moreIs: 'bad',
          },
        ]}
      />
      <ReasonChart answer={answer} search={search} change={change} />
      <div className="report-pair">
        <ReasonList
          title="Why leads were not sold"
          rows={reasons.map((row) => ({ ...row, note: row.key }))}
          whole={attempts}
          wholeBefore={attemptsBefore}
          ofWhat="leads"
          {...{ place, search, change }}
          leadsOf={({ key }) => ({ ...narrowing(ofLeads(search)), reason: key, test: 'false', pings: 'false' })}
        />
        <ReasonList
          title="Why buyer tiers were passed by"
          rows={filterReasons.map((row) => ({ ...row, note: `key ${row.key}` }))}
          whole={sum(filterReasons, 'count')}
          wholeBefore={sum(filterReasons, 'before')}
          ofWhat="filtered"
          {...{ place, search, change }}
          leadsOf={({ key }) => ({ ...leadsBehind(search, [], [])!, filterReason: key })}
        />
      </div>
    </>
  );
}

function ReasonChart({
  answer,
  search,
  change,
}: {
  answer: ReasonReportAnswer;
  search: ReportSearch;
  change: (part: ReportSearch) => void;
}) {
  const { unit, labels } = usePoints(search, answer.series);
  const series = useMemo(() => {
    // The spec shows several reasons under one label: they are one line here.
    const byLabel = Map.groupBy(answer.reasons, ({ label }) => label);
    const first = [...byLabel].slice(0, 2);
    const named = new Set(first.flatMap(([, of]) => of.map(({ key }) => key)));
    const at = (keep: (key: string) => boolean) =>
      answer.series.map((point) => point.reasons.reduce((sum, { key, count }) => sum + (keep(key) ? count : 0), 0));
    const looks = ['main', 'bad'] as const;
    const shown = first.map(([name, of], index) => ({ name, look: looks[index]!, values: at((key) => of.some((one) => one.key === key)) }));
    return answer.reasons.length > named.size
      ? [...shown, { name: 'All other reasons', look: 'faint' as const, values: at((key) => !named.has(key)) }]
      : shown;
  }, [answer]);
  if (series.length === 0) return null;
  return (
    <SeriesChart
      title={`Leads that were not sold, by ${unit}`}
      unit={unitLabel[unit]}
      labels={labels}
      series={series}
      tools={<UnitChoice search={search} span={answer.span} change={change} />}
    />
  );
}

interface ReasonRow {
  key: string;
  label: string;
  /** The spec's own name of it. */
  note: string;
  count: number;
  before: number;
}

interface ReasonListProps {
  title: string;
  rows: ReasonRow[];
  whole: number;
  wholeBefore: number;
  ofWhat: string;
  place: Place;
  search: ReportSearch;
  change: (part: ReportSearch) => void;
  leadsOf?: (row: Pick<ReasonRow, 'key'>) => Record<string, string>;
}

function ReasonList({ title, rows, whole, wholeBefore, ofWhat, place, search, change, leadsOf }: ReasonListProps) {
  const { ids, inOrder, setIds, reset } = useColumnsInSight('reason', reasonColumns);
  const named = reasonColumns.map((column) => (column.id === 'countShare' ? { ...column, head: `${column.head} ${ofWhat}` } : column));
  const shown = named.filter(({ id }) => inOrder.includes(id));
  const counted = rows.map(({ before, ...row }) => ({ ...row, now: { count: row.count, before, whole, wholeBefore } }));
  const mayRead = useMayReadLeads();
  const most = Math.max(1, ...rows.map(({ count }) => count));
  return (
    <section className="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        <ColumnChoice columns={named} ids={ids} onChange={setIds} onReset={reset} />
      </header>
      {rows.length === 0 ? (
        <EmptyState title="None in this span.">Nothing was declined or passed by.</EmptyState>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="scroll-x" aria-label={`${title}, table`} tabIndex={0}>
          <table className="plain-table report-table stacking reason-table">
            <thead>
              <tr>
                <th scope="col">Reason</th>
                {shown.map((column) => (
                  <SortHead key={column.id} column={column} sort={search.sort} onSort={(sort) => change({ sort })} />
                ))}
              </tr>
            </thead>
            <tbody>
              {sorted(counted, reasonColumns, search.sort).map((row) => (
                <tr key={row.key}>
                  <th scope="row">
                    {leadsOf && mayRead ? (
                      <Link to="/setup/$region/$vertical/leads" params={place} search={leadsOf(row) as never} className="link">
                        {row.label}
                      </Link>
                    ) : (
                      row.label
                    )}
                    <span className="muted small reason-note">{row.note}</span>
                    <span className="reason-track" aria-hidden="true">
                      <span style={{ width: `${(row.count / most) * 100}%` }} />
                    </span>
                  </th>
                  {shown.map(({ id, head, cell }) => (
                    <td key={id} data-head={head} className="num">
                      {cell(row.now)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </section>
  );
}
