import type { PaymentMeasures } from '#contract/payment.ts';
import { PAYMENT_WORDS } from '#contract/report-words.ts';
import { formatCount } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { share } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

type CountName = 'attempts' | 'approved' | 'declined' | 'refunds' | 'chargebacks';
type MoneyName = Exclude<keyof PaymentMeasures, CountName>;

const count = (id: CountName): ReportColumn<PaymentMeasures> => ({
  id,
  head: PAYMENT_WORDS[id],
  cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
  value: (now) => now[id],
});
const money = (id: MoneyName, isExtra?: true): ReportColumn<PaymentMeasures> => ({
  id,
  head: PAYMENT_WORDS[id],
  cell: (now) => <MoneyText amount={now[id]} faint />,
  value: (now) => Number(now[id]),
  ...(isExtra && { isExtra }),
});

export const paymentColumns: readonly ReportColumn<PaymentMeasures>[] = [
  count('attempts'),
  count('approved'),
  count('declined'),
  share(
    'rate',
    PAYMENT_WORDS.rate,
    (now) => now.approved,
    (now) => now.attempts,
  ),
  money('approvedAmount'),
  count('refunds'),
  money('refundedAmount', true),
  count('chargebacks'),
  money('chargedBackAmount', true),
];
