import { ACCEPT_RATE, OUTCOME_WORDS } from '#contract/outcome-words.ts';
import type { AttemptMeasures, LeadMeasures } from '#contract/report.ts';
import { formatCount, formatElapsed, formatRate } from '#web/ui/format.ts';
import { MoneyText } from '#web/ui/reporting.tsx';
import { Moved } from './Moved.tsx';
import { OutcomeBar } from './OutcomeBar.tsx';
import type { ReportColumn } from './ReportTable.tsx';

type Both = LeadMeasures | AttemptMeasures;
type CountName = {
  [Name in keyof LeadMeasures & keyof AttemptMeasures]: LeadMeasures[Name] extends number ? Name : never;
}[keyof LeadMeasures & keyof AttemptMeasures];
type MoneyName = Exclude<keyof LeadMeasures & keyof AttemptMeasures, CountName>;

const count = (id: CountName, head: string, isExtra?: true): ReportColumn<Both> => ({
  id,
  head,
  cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
  value: (now) => now[id],
  ...(isExtra && { isExtra }),
});
const money = (id: MoneyName, head: string, isExtra?: true): ReportColumn<Both> => ({
  id,
  head,
  cell: (now) => <MoneyText amount={now[id]} faint />,
  value: (now) => Number(now[id]),
  ...(isExtra && { isExtra }),
});
const time = (
  id: 'p50Ms' | 'p75Ms' | 'p90Ms' | 'followP50Ms' | 'followP90Ms',
  head: string,
  isExtra?: true,
): ReportColumn<AttemptMeasures> => ({
  id,
  head,
  cell: (now) => (now[id] === null ? <span className="muted">–</span> : formatElapsed(now[id])),
  value: (now) => now[id],
  ...(isExtra && { isExtra }),
});

export const share = <Measures,>(
  id: string,
  head: string,
  part: (now: Measures) => number,
  whole: (now: Measures) => number,
): ReportColumn<Measures> => ({
  id,
  head,
  cell: (now) => formatRate(part(now), whole(now)),
  value: (now) => (whole(now) === 0 ? null : part(now) / whole(now)),
});

/** A column with what it was in the span before, and how far it moved. */
export function compared<Measures>(
  column: ReportColumn<Measures>,
  kind: 'count' | 'money' | 'rate' | 'time',
  moreIs?: 'good' | 'bad',
): readonly ReportColumn<Measures>[] {
  const { id, head, cell, value } = column;
  const change = (now: Measures, before: Measures) => {
    const [one, other] = [value(before), value(now)];
    return one === null || other === null ? null : other - one;
  };
  return [
    column,
    {
      ...{ id: `${id}Before`, head: `${head} before`, isExtra: true },
      cell: (_, before) => <span className="muted">{before ? cell(before) : '–'}</span>,
      value: (_, before) => (before ? value(before) : null),
    },
    {
      ...{ id: `${id}Change`, head: `${head} change`, isExtra: true },
      cell: (now, before) => <Moved {...{ kind, moreIs }} by={before ? change(now, before) : null} />,
      value: (now, before) => (before ? change(now, before) : null),
    },
  ];
}

/** Whether any of these, or what rows are sorted by, tells of the span before. */
export const tellsBefore = (columns: readonly string[], sort: string | undefined): boolean =>
  [...columns, sort ?? ''].some((id) => /(Before|Change)$/.test(id));

const outcomes: readonly ReportColumn<Both>[] = [
  ...compared(count('attempts', OUTCOME_WORDS.attempts), 'count'),
  {
    id: 'outcomes',
    head: 'Outcomes',
    cell: (now) => <OutcomeBar now={now} />,
    value: (now) => (now.attempts === 0 ? null : now.sold / now.attempts),
  },
  ...compared(count('sold', OUTCOME_WORDS.sold), 'count'),
  ...compared(
    share<Both>(
      'soldShare',
      ACCEPT_RATE,
      (now) => now.sold,
      (now) => now.attempts,
    ),
    'rate',
  ),
  count('rejected', OUTCOME_WORDS.rejected),
  count('terrors', OUTCOME_WORDS.terrors),
  count('timeouts', OUTCOME_WORDS.timeouts),
  count('filtered', OUTCOME_WORDS.filtered),
];
const returns: readonly ReportColumn<Both>[] = [count('returned', 'Returned', true), money('returnedRevenue', 'Returned revenue', true)];

export const leadColumns: readonly ReportColumn<LeadMeasures>[] = [
  ...outcomes,
  { id: 'open', head: 'Open', cell: (now) => formatCount(now.open), value: (now) => now.open, isExtra: true },
  ...[...compared(money('revenue', 'Revenue'), 'money'), money('payout', 'Payout')],
  ...[...compared(money('margin', 'Margin'), 'money'), ...compared(money('epl', 'EPL'), 'money')],
  ...[...returns, money('returnedPayout', 'Returned payout', true), count('pings', 'Pings', true), count('bids', 'Bids', true)],
];

export const attemptColumns: readonly ReportColumn<AttemptMeasures>[] = [
  ...outcomes,
  ...[...compared(money('revenue', 'Revenue'), 'money'), money('payout', 'Payout', true)],
  ...[...compared(money('margin', 'Margin'), 'money'), money('epl', 'EPL', true)],
  ...[time('p50Ms', 'Median'), time('p75Ms', 'p75', true), ...compared(time('p90Ms', 'p90'), 'time')],
  ...[count('pings', 'Pings', true), count('bids', 'Bids', true)],
  {
    ...share<AttemptMeasures>(
      'winRate',
      'Bids won',
      (now) => now.wins,
      (now) => now.bids,
    ),
    isExtra: true,
  },
  ...returns,
];

export const redirectColumns: readonly ReportColumn<AttemptMeasures>[] = [
  ...compared(count('sold', OUTCOME_WORDS.sold), 'count'),
  { id: 'links', head: 'Links given', cell: (now) => formatCount(now.links), value: (now) => now.links },
  ...compared<AttemptMeasures>(
    { id: 'followed', head: 'Redirected', cell: (now) => formatCount(now.followed), value: (now) => now.followed },
    'count',
  ),
  ...compared(
    share<AttemptMeasures>(
      'followedShare',
      'Of the links',
      (now) => now.followed,
      (now) => now.links,
    ),
    'rate',
  ),
  { id: 'lost', head: 'Not redirected', cell: (now) => formatCount(now.links - now.followed), value: (now) => now.links - now.followed },
  ...[time('followP50Ms', 'Median delay'), time('followP90Ms', 'p90 delay')],
  ...compared(money('revenue', 'Revenue'), 'money'),
];
