import type { PaymentMeasures } from '#contract/payment.ts';
import { formatCount } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { compared, share } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

type CountName = 'attempts' | 'approved' | 'declined' | 'refunds' | 'chargebacks';
type MoneyName = Exclude<keyof PaymentMeasures, CountName>;

type MoreIs = 'good' | 'bad';

const count = (id: CountName, head: string, moreIs: MoreIs) =>
  compared<PaymentMeasures>(
    {
      ...{ id, head, value: (now) => now[id] },
      cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
    },
    'count',
    moreIs,
  );
const money = (id: MoneyName, head: string, moreIs: MoreIs, isExtra?: true) =>
  compared<PaymentMeasures>(
    { ...{ id, head, value: (now) => Number(now[id]) }, cell: (now) => <MoneyText amount={now[id]} faint />, ...(isExtra && { isExtra }) },
    'money',
    moreIs,
  );

export const paymentColumns: readonly ReportColumn<PaymentMeasures>[] = [
  ...[...count('attempts', 'Attempts', 'good'), ...count('approved', 'Approved', 'good'), ...count('declined', 'Declined', 'bad')],
  ...compared<PaymentMeasures>(
    share(
      'rate',
      'Approval rate',
      (now) => now.approved,
      (now) => now.attempts,
    ),
    'rate',
  ),
  ...[...money('approvedAmount', 'Amount approved', 'good'), ...count('refunds', 'Refunds', 'bad')],
  ...[...money('refundedAmount', 'Amount refunded', 'bad', true), ...count('chargebacks', 'Chargebacks', 'bad')],
  ...money('chargedBackAmount', 'Amount charged back', 'bad', true),
];
