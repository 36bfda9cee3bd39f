import type { BuyerMeasures, PublisherMeasures } from '#contract/portal.ts';
import { BUYER_FIGURE_WORDS, type BuyerFigure, PUBLISHER_FIGURE_WORDS, type PublisherFigure } from '#contract/portal-words.ts';
import { formatCount, formatElapsed } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { acceptRate, compared } from '../report/outcome-columns.tsx';
import type { ReportColumn } from '../report/ReportTable.tsx';

type Kind = 'count' | 'money' | 'time';
type MoreIs = 'good' | 'bad' | 'neutral';

function Cell({ kind, value }: { kind: Kind; value: number | string | null }) {
  if (value === null) return <span className="muted">–</span>;
  if (kind === 'money') return <MoneyText amount={String(value)} faint />;
  return kind === 'time' ? (
    formatElapsed(Number(value))
  ) : (
    <span className={value === 0 ? 'muted' : undefined}>{formatCount(Number(value))}</span>
  );
}

/** A figure with what it was in the span before and how far it moved. */
const figuresBy =
  <Measures extends object, Id extends string>(words: Readonly<Record<Id, string>>) =>
  (id: Id & keyof Measures, kind: Kind, { moreIs, isExtra }: { moreIs?: MoreIs; isExtra?: true } = {}) => {
    const of = (now: Measures) => now[id] as number | string | null;
    const column: ReportColumn<Measures> = {
      ...{ id, head: words[id], ...(isExtra && { isExtra }) },
      cell: (now) => <Cell kind={kind} value={of(now)} />,
      value: (now) => (of(now) === null ? null : Number(of(now))),
    };
    return compared(column, kind, moreIs);
  };

const ofPublisher = figuresBy<PublisherMeasures, PublisherFigure>(PUBLISHER_FIGURE_WORDS);
export const publisherColumns: readonly ReportColumn<PublisherMeasures>[] = [
  ...[...ofPublisher('attempts', 'count'), ...ofPublisher('sold', 'count')],
  ...acceptRate<PublisherMeasures>((now) => now.attempts),
  ...[...ofPublisher('rejected', 'count', { moreIs: 'bad' }), ...ofPublisher('open', 'count', { moreIs: 'neutral', isExtra: true })],
  ...[...ofPublisher('pings', 'count', { isExtra: true }), ...ofPublisher('bids', 'count', { isExtra: true })],
  ...[...ofPublisher('payout', 'money'), ...ofPublisher('returnedPayout', 'money', { moreIs: 'bad' }), ...ofPublisher('epl', 'money')],
];

const ofBuyer = figuresBy<BuyerMeasures, BuyerFigure>(BUYER_FIGURE_WORDS);
export const buyerColumns: readonly ReportColumn<BuyerMeasures>[] = [
  ...[...ofBuyer('offered', 'count'), ...ofBuyer('sold', 'count')],
  ...acceptRate<BuyerMeasures>((now) => now.offered),
  ...[...ofBuyer('rejected', 'count', { moreIs: 'neutral' }), ...ofBuyer('timeouts', 'count', { moreIs: 'bad' })],
  ...[...ofBuyer('terrors', 'count', { moreIs: 'bad' }), ...ofBuyer('pings', 'count', { isExtra: true })],
  ...[...ofBuyer('bids', 'count', { isExtra: true }), ...ofBuyer('spent', 'money', { moreIs: 'neutral' })],
  ...[...ofBuyer('returned', 'count', { moreIs: 'neutral', isExtra: true }), ...ofBuyer('returnedAmount', 'money', { moreIs: 'neutral' })],
  ...[...ofBuyer('p50Ms', 'time'), ...ofBuyer('p90Ms', 'time')],
];
