import { Button } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import type { PaymentReportAnswer } from '#contract/payment.ts';
import { MOST_FILE_ROWS } from '#contract/report-limits.ts';
import { PAYMENT_WORDS } from '#contract/report-words.ts';
import { formatCents, formatCount } from '#web/ui/format.ts';
import { IconPlus } from '#web/ui/icons.ts';
import { EmptyState } from '#web/ui/states.tsx';
import { ChoiceRow } from '../report/ChoiceRow.tsx';
import { OF_PAYMENTS } from '../report/figure-help.ts';
import { UnitChoice, unitLabel, usePoints } from '../report/OutcomeChart.tsx';
import { type Figure, ReportFigures } from '../report/ReportFigures.tsx';
import { ReportPage, type ReportView } from '../report/ReportPage.tsx';
import { ReportTable, useColumnsInSight } from '../report/ReportTable.tsx';
import { DIMENSIONS } from '../report/report-names.ts';
import { filterNames, type ReportSearch } from '../report/report-search.ts';
import { SeriesChart } from '../report/SeriesChart.tsx';
import { useReportSearch } from '../report/use-report-search.ts';
import { PAYMENT_ADDRESS } from '../report/view-search.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { usePermissionHere } from '../shell/use-place.ts';
import { PaymentSearch } from './PaymentSearch.tsx';
import { ProcessorAddress } from './ProcessorAddress.tsx';
import { paymentColumns } from './payment-columns.tsx';
import { PAYMENT_FILTERS } from './payment-filters.ts';
import './payment.css';

const WAYS = ['processor', 'move', 'bin', 'reason', 'publisher', 'publisherTier', 'campaign', 'buyer', 'buyerTier'];

/** What payment processors reported back: approved and declined, by processor, by the move of the BIN, and by whose lead it was. */
export function PaymentStats() {
  const { by: asked } = useReportSearch();
  const by = asked && WAYS.includes(asked) ? asked : 'processor';
  const { inOrder } = useColumnsInSight('payments', paymentColumns);
  return (
    <ReportPage
      name="payments"
      title="Payment processors"
      counts="Counts each transaction once, by when it was tried, as it stands after all that was said of it: one that was refunded or charged back was approved. The move is the one that its BIN had when the payment was reported."
      filters={PAYMENT_FILTERS}
      by={by}
      csvColumns={inOrder}
      columns={inOrder}
      address={PAYMENT_ADDRESS}
      hasRows
      choice={({ change }) => (
        <>
          <PaymentTools />
          <ChoiceRow
            label="By"
            options={WAYS.map((value) => ({ value, label: DIMENSIONS[value]!.label }))}
            value={by}
            onChoose={(value) => change({ by: value, sort: undefined })}
          />
        </>
      )}
    >
      {(view) => <PaymentStatsBody {...view} />}
    </ReportPage>
  );
}

function PaymentTools() {
  const { place } = usePlaceIds();
  const search = useReportSearch();
  const navigate = useNavigate();
  const { period, from, to } = search;
  const find = (q: string | undefined) =>
    void navigate({
      to: '/setup/$region/$vertical/$',
      params: { ...place, _splat: 'payment-processor-stats/payments' },
      search: { period, from, to, q } as never,
    });
  return (
    <div className="payment-tools no-print">
      <PaymentSearch value="" onSearch={(q) => q !== undefined && find(q)} />
      <Link
        to="/setup/$region/$vertical/$"
        params={{ ...place, _splat: 'payment-processor-stats/payments' }}
        search={paymentsSearch(search) as never}
        className="tool-button"
      >
        Payments one by one
      </Link>
      <Link to="/setup/$region/$vertical/$" params={{ ...place, _splat: 'payment-processor-stats/processors' }} className="tool-button">
        Set up processors
      </Link>
    </div>
  );
}

/** The same span, narrowed in the same way. */
function paymentsSearch({ period, from, to, ...search }: ReportSearch): Record<string, string> {
  const all = { period, from, to, ...Object.fromEntries(filterNames.map((name) => [name, search[name]])) };
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

const figuresOf = ({ total, totalBefore }: PaymentReportAnswer): Figure[] => [
  { kind: 'count', label: PAYMENT_WORDS.attempts, how: OF_PAYMENTS.attempts, now: total.attempts, before: totalBefore.attempts },
  { kind: 'count', label: PAYMENT_WORDS.approved, how: OF_PAYMENTS.approved, now: total.approved, before: totalBefore.approved },
  {
    kind: 'count',
    label: PAYMENT_WORDS.declined,
    how: OF_PAYMENTS.declined,
    now: total.declined,
    before: totalBefore.declined,
    moreIs: 'bad',
  },
  {
    ...{ kind: 'rate', label: PAYMENT_WORDS.rate, how: OF_PAYMENTS.rate },
    now: { part: total.approved, whole: total.attempts },
    before: { part: totalBefore.approved, whole: totalBefore.attempts },
  },
  {
    kind: 'money',
    label: PAYMENT_WORDS.approvedAmount,
    how: OF_PAYMENTS.amount,
    now: total.approvedAmount,
    before: totalBefore.approvedAmount,
  },
  { kind: 'count', label: PAYMENT_WORDS.refunds, how: OF_PAYMENTS.refunds, now: total.refunds, before: totalBefore.refunds, moreIs: 'bad' },
  {
    kind: 'count',
    label: PAYMENT_WORDS.chargebacks,
    how: OF_PAYMENTS.chargebacks,
    now: total.chargebacks,
    before: totalBefore.chargebacks,
    moreIs: 'bad',
  },
];

function PaymentStatsBody({ answer, place, search, change }: ReportView<PaymentReportAnswer>) {
  const { unit, labels } = usePoints(search, answer.series);
  const series = useMemo(
    () => [
      { name: PAYMENT_WORDS.approved, look: 'main' as const, values: answer.series.map(({ now }) => now.approved) },
      { name: PAYMENT_WORDS.declined, look: 'faint' as const, values: answer.series.map(({ now }) => now.declined) },
      {
        name: 'Attempts in the span before',
        look: 'before' as const,
        values: answer.series.map((_, at) => answer.seriesBefore[at]?.now.attempts ?? null),
      },
    ],
    [answer],
  );
  if (!answer.hasPayments) return <NothingYet answer={answer} />;
  const by = answer.by[0]!;
  const { label, many, filter } = DIMENSIONS[by]!;
  return (
    <>
      <ReportFigures figures={figuresOf(answer)} />
      <OtherCurrencies answer={answer} />
      <SeriesChart
        title={`Attempts by ${unit}`}
        unit={unitLabel[unit]}
        labels={labels}
        series={series}
        tools={<UnitChoice search={search} span={answer.span} change={change} />}
      />
      <ReportTable
        title={many}
        name="payments"
        heads={[label]}
        columns={paymentColumns}
        rows={answer.rows}
        rowCount={answer.rowCount}
        fileRows={MOST_FILE_ROWS}
        total={answer.total}
        totalBefore={answer.totalBefore}
        {...{ place, search, change }}
        narrow={({ keys: [key] }) => (filter && search[filter] !== key!._id ? { [filter]: key!._id } : undefined)}
        behind={{
          word: 'Payments',
          route: 'payment-processor-stats/payments',
          of: ({ keys: [key] }) => filter && paymentsSearch({ ...search, [filter]: key!._id }),
        }}
      />
    </>
  );
}

/** What no sum holds is said, so that nobody misses it. */
function OtherCurrencies({ answer: { otherCurrencies } }: { answer: PaymentReportAnswer }) {
  if (otherCurrencies.length === 0) return null;
  return (
    <p className="muted small">
      Amounts in other currencies stand in no sum:{' '}
      {otherCurrencies
        .map(({ currency, approved, approvedAmount }) => `${formatCents(approvedAmount, currency)} approved in ${formatCount(approved)}`)
        .join('; ')}
      .
    </p>
  );
}

/** How a processor is connected, with its address to copy where there is one already. */
function NothingYet({ answer }: { answer: PaymentReportAnswer }) {
  const { place } = usePlaceIds();
  const navigate = useNavigate();
  const maySetUp = usePermissionHere()?.pageStatePermission.setup;
  const first = answer.processors.find(({ name }) => !name.endsWith(' (archived)'));
  if (first && maySetUp)
    return (
      <section className="card" aria-label="How a processor reports">
        <header>
          <h2>Nothing was reported yet: give “{first.name}” its address</h2>
        </header>
        <div className="card-body">
          <ProcessorAddress id={first._id} />
        </div>
      </section>
    );
  return (
    <div className="card">
      <EmptyState
        title={first ? 'Nothing was reported yet.' : 'No payment processor yet.'}
        action={
          maySetUp && (
            <Button
              size="sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => void navigate({ href: `/setup/${place.region}/${place.vertical}/payment-processor-stats/processors/new` })}
            >
              Add a processor
            </Button>
          )
        }
      >
        A processor reports each card payment back: approved or declined, why, and of which BIN. Here it is seen how that agrees with the
        moves of BINs, and whose leads pay.{' '}
        {maySetUp ? 'Add one to get the address that it reports to.' : 'Who may set up this vertical adds them.'}
      </EmptyState>
    </div>
  );
}
