import { useInfiniteQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { moveLabel } from '#contract/move.ts';
import type { PaymentView } from '#contract/payment.ts';
import { FileTools, listFileTitle } from '#web/ui/FileTools.tsx';
import { FilterChip } from '#web/ui/FilterChip.tsx';
import { formatCount, formatMoney } from '#web/ui/format.ts';
import { OlderRows } from '#web/ui/OlderRows.tsx';
import { RefreshButton } from '#web/ui/RefreshButton.tsx';
import { ExactTime, useReporting } from '#web/ui/reporting.tsx';
import { EmptyState, ErrorState, NotRefreshed, SkeletonLines } from '#web/ui/states.tsx';
import { paymentsQuery, toPaymentsQuery } from '../api/payment.ts';
import { downloadCsv } from '../download-csv.ts';
import { FilterChips } from '../report/ReportPage.tsx';
import { ColumnChoice, useColumnsInSight } from '../report/ReportTable.tsx';
import { paymentResults, type ReportSearch } from '../report/report-search.ts';
import { SpanChip } from '../report/SpanChip.tsx';
import { useDefaultView } from '../report/use-default-view.ts';
import { useReportSearch } from '../report/use-report-search.ts';
import { ViewNotes, ViewsMenu } from '../report/ViewsMenu.tsx';
import { PAYMENT_ADDRESS } from '../report/view-search.ts';
import { usePlaceIds } from '../set-up/place-ids.ts';
import { BackMark } from '../set-up/SetUpPage.tsx';
import { useMayReadLeads } from '../shell/use-place.ts';
import { PaymentFrame } from './PaymentFrame.tsx';
import { PaymentSearch } from './PaymentSearch.tsx';
import { PAYMENT_FILTERS } from './payment-filters.ts';
import { RESULT_WORDS } from './payment-words.ts';
import '#web/ui/stacking-table.css';
import '../report/report.css';
import './payment.css';

interface PaymentColumn {
  id: string;
  head: string;
  isNum?: true;
  cell: (payment: PaymentView) => ReactNode;
}

/** Beside when it was tried. */
const COLUMNS: readonly PaymentColumn[] = [
  { id: 'processor', head: 'Processor', cell: ({ processor }) => processor },
  { id: 'transaction', head: 'Transaction', cell: ({ transactionId }) => <span className="mono">{transactionId}</span> },
  { id: 'result', head: 'Result', cell: (payment) => <Result payment={payment} /> },
  { id: 'amount', head: 'Amount', isNum: true, cell: (payment) => <Amounts payment={payment} /> },
  { id: 'bin', head: 'BIN', cell: (payment) => <Bin payment={payment} /> },
  { id: 'lead', head: 'Lead', cell: (payment) => <LeadOf payment={payment} /> },
  { id: 'reports', head: 'Reports', cell: (payment) => <Reports payment={payment} /> },
];
const resultOptions = paymentResults.map((value) => ({ value, label: RESULT_WORDS[value].label }));

/** The payments behind a figure, each with all that was said of it. */
export function PaymentList() {
  const { place } = usePlaceIds();
  const search = useReportSearch();
  const navigate = useNavigate();
  const { zone } = useReporting();
  const isUndecided = useDefaultView(place, 'payment-list', search, PAYMENT_ADDRESS);
  const { inOrder, ids, setIds, reset } = useColumnsInSight('payment-list', COLUMNS);
  const payments = useInfiniteQuery({ ...paymentsQuery(place, search, zone), enabled: !isUndecided });
  const change = (part: ReportSearch) =>
    void navigate({ to: '.', search: { ...search, ...part } as never, replace: true, resetScroll: false });
  const all = payments.data?.pages.flatMap((page) => page.payments) ?? [];
  return (
    <PaymentFrame
      title="Payments"
      beside={<ViewsMenu place={place} page="payment-list" search={search} address={PAYMENT_ADDRESS} columns={inOrder} />}
      back={
        <Link
          to="/setup/$region/$vertical/$"
          params={{ ...place, _splat: 'payment-processor-stats' }}
          search={{ ...search, result: undefined, q: undefined, view: undefined, columns: undefined } as never}
          className="link row"
        >
          <BackMark /> Payment processors
        </Link>
      }
    >
      <search className="report-filters" aria-label="Narrow the payments">
        <PaymentSearch value={search.q ?? ''} onSearch={(q) => change({ q })} />
        {search.q === undefined ? <SpanChip search={search} change={change} /> : <span className="muted small">in any span</span>}
        <FilterChip
          name="Result"
          options={resultOptions}
          value={search.result}
          emptyText=""
          onChange={(next) => change({ result: paymentResults.find((one) => one === next) })}
        />
        <FilterChips place={place} search={search} filters={PAYMENT_FILTERS} others={['q', 'result']} change={change} />
      </search>
      <ViewNotes place={place} page="payment-list" search={search} />
      <section className="card report-table-card" aria-label="Payments">
        <header>
          <h2>Payments</h2>
          <span className="muted small tabular" role="status">
            {payments.data && `${formatCount(all.length)}${payments.hasNextPage ? '+' : ''}`}
          </span>
          <span className="row push no-print payment-list-tools">
            <RefreshButton query={payments} />
            <ColumnChoice columns={COLUMNS} ids={ids} onChange={setIds} onReset={reset} />
            <FileTools
              isBarred={all.length === 0 && !payments.hasNextPage}
              title={listFileTitle('Every payment found', inOrder.join(','))}
              onSave={() => downloadCsv('payments', { ...toPaymentsQuery(place, search, zone), columns: inOrder.join(',') })}
            />
          </span>
        </header>
        {payments.isPending ? (
          <div className="card-body">
            <SkeletonLines count={8} height={22} />
          </div>
        ) : payments.isError && !payments.data ? (
          <ErrorState error={payments.error} onRetry={() => void payments.refetch()} />
        ) : all.length === 0 && !payments.hasNextPage ? (
          <NoPayments search={search} />
        ) : (
          all.length > 0 && <PaymentTable payments={all} columns={COLUMNS.filter(({ id }) => inOrder.includes(id))} />
        )}
        <NotRefreshed query={payments} />
        <OlderRows list={payments} isEmpty={all.length === 0} label="Older ones" />
      </section>
    </PaymentFrame>
  );
}

function NoPayments({ search }: { search: ReportSearch }) {
  const { q, result } = search;
  if (q === undefined) return <EmptyState title="No payments in this span.">Choose another span, or take filters away.</EmptyState>;
  if (result !== undefined || PAYMENT_FILTERS.some((name) => search[name] !== undefined))
    return <EmptyState title="No payment by this id within these filters.">Take them away to look among all payments.</EmptyState>;
  return (
    <EmptyState title="No payment by this id.">
      An id is found whole and to the letter, as the processor sent it, or as we call the lead. Payments of test leads are in no list.
    </EmptyState>
  );
}

function PaymentTable({ payments, columns }: { payments: readonly PaymentView[]; columns: readonly PaymentColumn[] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
    <section className="scroll-x" aria-label="Payments, table" tabIndex={0}>
      <table className="plain-table report-table stacking payment-table">
        <thead>
          <tr>
            <th scope="col">Tried</th>
            {columns.map(({ id, head, isNum }) => (
              <th key={id} scope="col" className={isNum && 'num'}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {payments.map((payment) => (
            <tr key={payment._id}>
              <th scope="row">
                <ExactTime at={payment.attemptedAt} />
              </th>
              {columns.map(({ id, head, isNum, cell }) => (
                <td key={id} data-head={head} className={isNum && 'num'}>
                  {cell(payment)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Result({ payment: { result, reason } }: { payment: PaymentView }) {
  const { label, tone } = RESULT_WORDS[result];
  return (
    <span>
      <span className={`pill ${tone}`}>{label}</span>
      {reason && <span className="small"> {reason}</span>}
    </span>
  );
}

const Bin = ({ payment: { bin, move } }: { payment: PaymentView }) =>
  bin ? (
    <span>
      <span className="mono">{bin}</span> <span className="muted small">{moveLabel(move)}</span>
    </span>
  ) : (
    <span className="muted">–</span>
  );

function LeadOf({ payment: { leadId, publisher, buyer } }: { payment: PaymentView }) {
  const { place } = usePlaceIds();
  const mayRead = useMayReadLeads();
  if (leadId === null) return <span className="muted">–</span>;
  return (
    <span>
      {mayRead ? (
        <Link to="/setup/$region/$vertical/leads/$leadId" params={{ ...place, leadId }} className="link mono">
          {leadId.slice(-12)}
        </Link>
      ) : (
        <span className="mono">{leadId.slice(-12)}</span>
      )}
      <span className="muted small">
        {' '}
        {publisher} → {buyer}
      </span>
    </span>
  );
}

function Amounts({ payment: { amount, refunded, chargedBack, currency } }: { payment: PaymentView }) {
  const { currencyDisplay } = useReporting();
  const say = (text: string) => formatMoney(text, currency, currencyDisplay);
  return (
    <span className="tabular">
      {say(amount)}
      {refunded !== null && <span className="muted small"> refunded {say(refunded)}</span>}
      {chargedBack !== null && <span className="muted small"> charged back {say(chargedBack)}</span>}
    </span>
  );
}

/** All that was said of it, in the order in which it came. */
function Reports({ payment: { reports, currency } }: { payment: PaymentView }) {
  const { currencyDisplay } = useReporting();
  return (
    <details className="payment-reports-of">
      <summary className="small">{reports.length === 1 ? '1 report' : `${reports.length} reports`}</summary>
      <ol className="payment-reports small">
        {reports.map(({ result, amount, reason, happenedAt, receivedAt }) => (
          <li key={`${receivedAt} ${happenedAt} ${result} ${amount}`}>
            {RESULT_WORDS[result].label}
            {amount !== null && ` ${formatMoney(amount, currency, currencyDisplay)}`}
            {reason && `: ${reason}`}
            <span className="muted">
              {', '}
              <ExactTime at={happenedAt ?? receivedAt} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  );
}
