import type { Figures } from '#contract/lead.ts';
import { FigureCard, FigureCardSkeleton } from '#web/ui/FigureCard.tsx';
import { formatCount, formatRate } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { moneyChange, percentChange, pointChange, soldRate } from './figure-change.ts';

const labels = ['Leads', 'Sold', 'Acceptance rate', 'Revenue', 'Payout', 'Margin', 'EPL'];

export function FigureRow({ today, before }: { today: Figures; before: Figures }) {
  return (
    <dl className="figure-row">
      <FigureCard
        label="Leads"
        value={formatCount(today.leads)}
        change={percentChange(today.leads, before.leads, 'good')}
        before={`${formatCount(before.leads)} by now`}
      />
      <FigureCard
        label="Sold"
        value={formatCount(today.sold)}
        change={percentChange(today.sold, before.sold, 'good')}
        before={`${formatCount(before.sold)} by now`}
      />
      <FigureCard
        label="Acceptance rate"
        value={formatRate(today.sold, today.leads)}
        change={pointChange(soldRate(today), soldRate(before))}
        before={`${formatRate(before.sold, before.leads)} by now`}
      />
      <MoneyCard label="Revenue" now={today.revenue} before={before.revenue} moreIs="good" />
      <MoneyCard label="Payout" now={today.payout} before={before.payout} moreIs="neutral" />
      <MoneyCard label="Margin" now={today.margin} before={before.margin} moreIs="good" />
      <MoneyCard label="EPL" now={today.epl} before={before.epl} moreIs="good" />
    </dl>
  );
}

function MoneyCard({ label, now, before, moreIs }: { label: string; now: string; before: string; moreIs: 'good' | 'neutral' }) {
  return (
    <FigureCard
      label={label}
      value={<MoneyText amount={now} />}
      change={moneyChange(now, before, moreIs)}
      before={
        <>
          <MoneyText amount={before} /> by now
        </>
      }
    />
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
