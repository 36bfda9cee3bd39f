import type { PaymentMeasures } from '#contract/payment.ts';
import { PAYMENT_WORDS } from '#contract/report-words.ts';
import { formatCount } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { compared, share } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

type CountName = 'attempts' | 'approved' | 'declined' | 'refunds' | 'chargebacks';
type MoneyName = Exclude<keyof PaymentMeasures, CountName>;

type MoreIs = 'good' | 'bad';

const count = (id: CountName, moreIs: MoreIs) =>
  compared<PaymentMeasures>(
    {
      ...{ id, head: PAYMENT_WORDS[id], value: (now) => now[id] },
      cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
    },
    'count',
    moreIs,
  );
const money = (id: MoneyName, moreIs: MoreIs, isExtra?: true) =>
  compared<PaymentMeasures>(
    {
      ...{ id, head: PAYMENT_WORDS[id], value: (now) => Number(now[id]) },
      cell: (now) => <MoneyText amount={now[id]} faint />,
      ...(isExtra && { isExtra }),
    },
    'money',
    moreIs,
  );

export const paymentColumns: readonly ReportColumn<PaymentMeasures>[] = [
  ...[...count('attempts', 'good'), ...count('approved', 'good'), ...count('declined', 'bad')],
  ...compared<PaymentMeasures>(
    share(
      'rate',
      PAYMENT_WORDS.rate,
      (now) => now.approved,
      (now) => now.attempts,
    ),
    'rate',
  ),
  ...[...money('approvedAmount', 'good'), ...count('refunds', 'bad')],
  ...[...money('refundedAmount', 'bad', true), ...count('chargebacks', 'bad')],
  ...money('chargedBackAmount', 'bad', true),
];
