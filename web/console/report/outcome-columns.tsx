import type { AttemptMeasures, LeadMeasures } from '#contract/report.ts';
import { beforeWord, changeWord, FIGURE_WORDS } from '#contract/report-words.ts';
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

const count = (id: CountName, isExtra?: true): ReportColumn<Both> => ({
  id,
  head: FIGURE_WORDS[id],
  cell: (now) => <span className={now[id] === 0 ? 'muted' : undefined}>{formatCount(now[id])}</span>,
  value: (now) => now[id],
  ...(isExtra && { isExtra }),
});
const money = (id: MoneyName, isExtra?: true): ReportColumn<Both> => ({
  id,
  head: FIGURE_WORDS[id],
  cell: (now) => <MoneyText amount={now[id]} faint />,
  value: (now) => Number(now[id]),
  ...(isExtra && { isExtra }),
});
const time = (id: 'p50Ms' | 'p75Ms' | 'p90Ms' | 'followP50Ms' | 'followP90Ms', isExtra?: true): ReportColumn<AttemptMeasures> => ({
  id,
  head: FIGURE_WORDS[id],
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
  moreIs?: 'good' | 'bad' | 'neutral',
): readonly ReportColumn<Measures>[] {
  const { id, head, cell, value } = column;
  const change = (now: Measures, before: Measures) => {
    const [one, other] = [value(before), value(now)];
    return one === null || other === null ? null : other - one;
  };
  return [
    column,
    {
      ...{ id: `${id}Before`, head: beforeWord(head), isExtra: true },
      cell: (_, before) => <span className="muted">{before ? cell(before) : '–'}</span>,
      value: (_, before) => (before ? value(before) : null),
    },
    {
      ...{ id: `${id}Change`, head: changeWord(head), isExtra: true },
      cell: (now, before) => <Moved {...{ kind, moreIs }} by={before ? change(now, before) : null} />,
      value: (now, before) => (before ? change(now, before) : null),
    },
  ];
}

/** Of all that `whole` counts. */
export const acceptRate = <Measures extends { sold: number }>(whole: (now: Measures) => number) =>
  compared(
    share<Measures>('soldShare', FIGURE_WORDS.soldShare, (now) => now.sold, whole),
    'rate',
  );

/** Whether any of these, or what rows are sorted by, tells of the span before. */
export const tellsBefore = (columns: readonly string[], sort: string | undefined): boolean =>
  [...columns, sort ?? ''].some((id) => /(Before|Change)$/.test(id));

const outcomes: readonly ReportColumn<Both>[] = [
  ...compared(count('attempts'), 'count'),
  {
    id: 'outcomes',
    head: 'Outcomes',
    cell: (now) => <OutcomeBar now={now} />,
    value: (now) => (now.attempts === 0 ? null : now.sold / now.attempts),
  },
  ...compared(count('sold'), 'count'),
  ...acceptRate<Both>((now) => now.attempts),
  count('rejected'),
  count('terrors'),
  count('timeouts'),
  count('filtered'),
];
const returns: readonly ReportColumn<Both>[] = [count('returned', true), money('returnedRevenue', true)];

export const leadColumns: readonly ReportColumn<LeadMeasures>[] = [
  ...outcomes,
  { id: 'open', head: FIGURE_WORDS.open, cell: (now) => formatCount(now.open), value: (now) => now.open, isExtra: true },
  ...[...compared(money('revenue'), 'money'), money('payout')],
  ...[...compared(money('margin'), 'money'), ...compared(money('epl'), 'money')],
  ...[...returns, money('returnedPayout', true), count('pings', true), count('bids', true)],
];

export const attemptColumns: readonly ReportColumn<AttemptMeasures>[] = [
  ...outcomes,
  ...[...compared(money('revenue'), 'money'), money('payout', true)],
  ...[...compared(money('margin'), 'money'), money('epl', true)],
  ...[time('p50Ms'), time('p75Ms', true), ...compared(time('p90Ms'), 'time')],
  ...[count('pings', true), count('bids', true)],
  {
    ...share<AttemptMeasures>(
      'winRate',
      FIGURE_WORDS.winRate,
      (now) => now.wins,
      (now) => now.bids,
    ),
    isExtra: true,
  },
  ...returns,
];

export const redirectColumns: readonly ReportColumn<AttemptMeasures>[] = [
  ...compared(count('sold'), 'count'),
  { id: 'links', head: FIGURE_WORDS.links, cell: (now) => formatCount(now.links), value: (now) => now.links },
  ...compared<AttemptMeasures>(
    { id: 'followed', head: FIGURE_WORDS.followed, cell: (now) => formatCount(now.followed), value: (now) => now.followed },
    'count',
  ),
  ...compared(
    share<AttemptMeasures>(
      'followedShare',
      FIGURE_WORDS.followedShare,
      (now) => now.followed,
      (now) => now.links,
    ),
    'rate',
  ),
  { id: 'lost', head: FIGURE_WORDS.lost, cell: (now) => formatCount(now.links - now.followed), value: (now) => now.links - now.followed },
  ...[time('followP50Ms'), time('followP90Ms')],
  ...compared(money('revenue'), 'money'),
];
