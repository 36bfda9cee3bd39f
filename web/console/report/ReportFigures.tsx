import { FigureCard } from '#web/ui/FigureCard.tsx';
import { formatCents, formatCount, formatElapsed, formatMoney, formatRate } from '#web/ui/format.ts';
import { HowComputed } from '#web/ui/HowComputed.tsx';
import { useReporting } from '#web/ui/reporting.tsx';
import { moneyChange, percentChange, pointChange } from '../overview/figure-change.ts';

/** `how` is one of the texts of figure-help.ts. */
export type Figure = { label: string; how: string } & (
  | { kind: 'count'; now: number; before: number; moreIs?: 'good' | 'bad' | 'neutral' }
  | { kind: 'money'; now: string; before: string; moreIs?: 'good' | 'neutral' }
  | { kind: 'rate'; now: { part: number; whole: number }; before: { part: number; whole: number }; moreIs?: 'good' | 'bad' }
  | { kind: 'time'; now: number | null; before: number | null }
);

/** The figures of the whole report, each with how it moved against the span before. */
export function ReportFigures({ figures }: { figures: readonly Figure[] }) {
  return (
    <dl className="report-figures">
      {figures.map((figure) => (
        <OneFigure key={figure.label} {...figure} />
      ))}
    </dl>
  );
}

type Change = ReturnType<typeof percentChange>;
/** Of what is better when it is less. */
const turned = (change: Change): Change =>
  change && change.feeling !== 'neutral' ? { ...change, feeling: change.feeling === 'good' ? 'bad' : 'good' } : change;

function OneFigure(figure: Figure) {
  const { currency, currencyDisplay } = useReporting();
  const { label } = figure;
  const how = <HowComputed label={label} text={figure.how} />;
  switch (figure.kind) {
    case 'count': {
      const { now, before, moreIs = 'good' } = figure;
      const change = percentChange(now, before, moreIs === 'neutral' ? 'neutral' : 'good');
      return (
        <FigureCard
          {...{ label, how }}
          value={formatCount(now)}
          change={moreIs === 'bad' ? turned(change) : change}
          before={formatCount(before)}
        />
      );
    }
    case 'money': {
      const { now, before, moreIs = 'good' } = figure;
      return (
        <FigureCard
          {...{ label, how }}
          value={formatCents(now, currency, currencyDisplay)}
          exact={formatMoney(now, currency, currencyDisplay)}
          change={moneyChange(now, before, moreIs)}
          before={formatCents(before, currency, currencyDisplay)}
        />
      );
    }
    case 'rate': {
      const { now, before, moreIs = 'good' } = figure;
      const change = pointChange(now, before);
      return (
        <FigureCard
          {...{ label, how }}
          value={formatRate(now.part, now.whole)}
          change={moreIs === 'bad' ? turned(change) : change}
          before={formatRate(before.part, before.whole)}
        />
      );
    }
    case 'time': {
      const { now, before } = figure;
      const text = (ms: number | null) => (ms === null ? '–' : formatElapsed(ms));
      const change = now === null || before === null ? null : turned(percentChange(now, before, 'good'));
      return <FigureCard {...{ label, how }} value={text(now)} change={change} before={text(before)} />;
    }
  }
}
