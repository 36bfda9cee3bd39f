import type { PaymentMeasures } from '#contract/payment.ts';
import { formatCount } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { share } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

type CountName = 'attempts' | 'approved' | 'declined' | 'refunds' | 'chargebacks';
type MoneyName = Exclude<keyof PaymentMeasures, CountName>;

const count = (id: CountName, head: string): ReportColumn<PaymentMeasures> => ({
  id,
  head,
  cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
  value: (now) => now[id],
});
const money = (id: MoneyName, head: string, isExtra?: true): ReportColumn<PaymentMeasures> => ({
  id,
  head,
  cell: (now) => <MoneyText amount={now[id]} faint />,
  value: (now) => Number(now[id]),
  ...(isExtra && { isExtra }),
});

export const paymentColumns: readonly ReportColumn<PaymentMeasures>[] = [
  count('attempts', 'Attempts'),
  count('approved', 'Approved'),
  count('declined', 'Declined'),
  share(
    'rate',
    'Approval rate',
    (now) => now.approved,
    (now) => now.attempts,
  ),
  money('approvedAmount', 'Amount approved'),
  count('refunds', 'Refunds'),
  money('refundedAmount', 'Amount refunded', true),
  count('chargebacks', 'Chargebacks'),
  money('chargedBackAmount', 'Amount charged back', true),
];
