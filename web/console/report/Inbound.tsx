import type { LeadReportAnswer } from '#contract/report.ts';
import { MOST_FILE_ROWS } from '#contract/report-limits.ts';
import { FIGURE_WORDS } from '#contract/report-words.ts';
import { ChoiceRow } from './ChoiceRow.tsx';
import { OF_LEADS } from './figure-help.ts';
import { leadsBehind } from './leads-behind.ts';
import { OutcomeChart } from './OutcomeChart.tsx';
import { leadColumns } from './outcome-columns.tsx';
import { type Figure, ReportFigures } from './ReportFigures.tsx';
import { ReportPage, type ReportView } from './ReportPage.tsx';
import { ReportTable, useColumnsInSight } from './ReportTable.tsx';
import { DIMENSIONS } from './report-names.ts';
import { usePlaceLink } from './use-place-link.ts';
import { useReportSearch } from './use-report-search.ts';

const WAYS = ['publisher', 'publisherTier', 'campaign', 'state', 'subId', 'variant', 'reason', 'vertical', 'region'];
const FILTERS = ['campaignId', 'publisherId', 'publisherTierId', 'subId'] as const;
const WITH_STATE = [...FILTERS, 'state'] as const;
/** States are not counted beside these (decision 0030). */
const STATELESS = ['subId', 'variant', 'reason'];
const turnTo = (by: string) => ({ by, sort: undefined, ...(STATELESS.includes(by) && { state: undefined }) });

/** What publishers sent and what became of it. */
export function Inbound() {
  const { by: asked } = useReportSearch();
  return <InboundBy by={asked && WAYS.includes(asked) ? asked : 'publisher'} title="Inbound" ways={WAYS} />;
}

/** The same, sub id by sub id. */
export const SubIds = () => <InboundBy by="subId" title="Sub ids" ways={[]} />;

function InboundBy({ by, title, ways }: { by: string; title: string; ways: readonly string[] }) {
  const { inOrder } = useColumnsInSight('inbound', leadColumns);
  return (
    <ReportPage
      name="inbound"
      viewPage={ways.length > 0 ? 'inbound' : 'sub-ids'}
      title={title}
      counts="Counts leads by when they came; bare pings stand in columns of their own."
      filters={STATELESS.includes(by) ? FILTERS : WITH_STATE}
      by={by}
      csvColumns={inOrder}
      columns={inOrder}
      hasRows
      {...(ways.length > 0 && {
        choice: ({ change }) => (
          <ChoiceRow
            label="By"
            options={ways.map((value) => ({ value, label: DIMENSIONS[value]!.label }))}
            value={by}
            onChoose={(value) => change(turnTo(value))}
          />
        ),
      })}
    >
      {(view) => <InboundBody {...view} />}
    </ReportPage>
  );
}

export const inboundFigures = ({ total, totalBefore }: Pick<LeadReportAnswer, 'total' | 'totalBefore'>): Figure[] => [
  { kind: 'count', label: FIGURE_WORDS.attempts, how: OF_LEADS.attempts, now: total.attempts, before: totalBefore.attempts },
  { kind: 'count', label: FIGURE_WORDS.sold, how: OF_LEADS.sold, now: total.sold, before: totalBefore.sold },
  {
    ...{ kind: 'rate', label: FIGURE_WORDS.soldShare, how: OF_LEADS.acceptRate },
    now: { part: total.sold, whole: total.attempts },
    before: { part: totalBefore.sold, whole: totalBefore.attempts },
  },
  { kind: 'money', label: FIGURE_WORDS.revenue, how: OF_LEADS.revenue, now: total.revenue, before: totalBefore.revenue },
  { kind: 'money', label: FIGURE_WORDS.payout, how: OF_LEADS.payout, now: total.payout, before: totalBefore.payout, moreIs: 'neutral' },
  { kind: 'money', label: FIGURE_WORDS.margin, how: OF_LEADS.margin, now: total.margin, before: totalBefore.margin },
  { kind: 'money', label: FIGURE_WORDS.epl, how: OF_LEADS.epl, now: total.epl, before: totalBefore.epl },
];

function InboundBody({ answer, place, search, change }: ReportView<LeadReportAnswer>) {
  // Of the answer, not of the address: while another one is fetched the old rows are still those of the old dimension.
  const by = answer.by[0]!;
  const { label, many, filter, next } = DIMENSIONS[by]!;
  const placeLink = usePlaceLink('lead-flow/inbound');
  return (
    <>
      <ReportFigures figures={inboundFigures(answer)} />
      <OutcomeChart answer={answer} search={search} change={change} what={FIGURE_WORDS.attempts} />
      <ReportTable
        title={many}
        name="inbound"
        heads={[label]}
        columns={leadColumns}
        rows={answer.rows}
        rowCount={answer.rowCount}
        fileRows={by === 'subId' ? MOST_FILE_ROWS : undefined}
        total={answer.total}
        totalBefore={answer.totalBefore}
        {...{ place, search, change }}
        linkOf={({ keys }) => (by === 'vertical' ? placeLink(keys[0]!._id) : undefined)}
        narrow={({ keys }) => (filter && next && keys[0]!._id ? { [filter]: keys[0]!._id, ...turnTo(next) } : undefined)}
        leadsOf={({ keys }) => leadsBehind(search, [by], keys)}
      />
    </>
  );
}
