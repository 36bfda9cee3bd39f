import type { Figures } from '#contract/lead.ts';
import { ACCEPT_RATE } from '#contract/outcome-words.ts';
import { FigureCard, FigureCardSkeleton } from '#web/ui/FigureCard.tsx';
import { formatCents, formatCount, formatMoney, formatRate } from '#web/ui/format.ts';
import { IconArrowDownRight } from '#web/ui/icons.ts';
import { MoneyText, useReporting } from '#web/ui/reporting.tsx';
import { moneyChange, percentChange, pointChange, soldRate } from './figure-change.ts';

const labels = ['Leads', 'Sold', ACCEPT_RATE, 'Revenue', 'Payout', 'Margin', 'EPL'];

export function FigureRow({ today, before }: { today: Figures; before: Figures }) {
  const { currency, currencyDisplay } = useReporting();
  const money = (label: string, name: 'revenue' | 'payout' | 'margin' | 'epl', moreIs: 'good' | 'neutral') => (
    <FigureCard
      label={label}
      value={formatCents(today[name], currency, currencyDisplay)}
      exact={formatMoney(today[name], currency, currencyDisplay)}
      change={moneyChange(today[name], before[name], moreIs)}
      before={formatCents(before[name], currency, currencyDisplay)}
    />
  );
  const count = (label: string, name: 'leads' | 'sold') => (
    <FigureCard
      label={label}
      value={formatCount(today[name])}
      change={percentChange(today[name], before[name], 'good')}
      before={formatCount(before[name])}
    />
  );
  // One long amount makes all of them smaller: figures of different sizes would read as different ranks.
  const longest = Math.max(
    ...[today.revenue, today.payout, today.margin].map((amount) => formatCents(amount, currency, currencyDisplay).length),
  );
  const size = longest > 12 ? 'tiny' : longest > 10 ? 'small' : longest > 9 ? 'medium' : 'large';
  return (
    <dl className="figure-row" data-size={size}>
      {count('Leads', 'leads')}
      {count('Sold', 'sold')}
      <FigureCard
        label={ACCEPT_RATE}
        value={formatRate(today.sold, today.leads)}
        change={pointChange(soldRate(today), soldRate(before))}
        before={formatRate(before.sold, before.leads)}
      />
      {money('Revenue', 'revenue', 'good')}
      {money('Payout', 'payout', 'neutral')}
      {money('Margin', 'margin', 'good')}
      {money('EPL', 'epl', 'good')}
    </dl>
  );
}

/** What buyers gave back today, and what that leaves. */
export function ReturnedToday({ today: { returned, net } }: { today: Figures }) {
  if (returned.leads === 0) return null;
  return (
    <p className="card returned-today">
      <IconArrowDownRight size={17} className="bad" aria-hidden />
      <span>
        <strong>{returned.leads === 1 ? 'One lead' : `${formatCount(returned.leads)} leads`} returned today</strong> for{' '}
        <MoneyText amount={returned.revenue} />. That leaves <MoneyText amount={net.revenue} /> revenue, <MoneyText amount={net.payout} />{' '}
        payout and <MoneyText amount={net.margin} /> margin.
      </span>
    </p>
  );
}

export function FigureRowSkeleton() {
  return (
    <dl className="figure-row">
      {labels.map((label) => (
        <FigureCardSkeleton key={label} label={label} />
      ))}
    </dl>
  );
}
