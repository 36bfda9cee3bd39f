import { formatElapsed } from '#web/ui/format.ts';
import { useSay } from './measures.ts';

interface MovedProps {
  kind: 'count' | 'money' | 'rate' | 'time';
  /** Null where one of both is not known; of a rate as a part of one, of a time in milliseconds. */
  by: number | null;
  /** How more of it is felt. */
  moreIs?: 'good' | 'bad' | 'neutral' | undefined;
}

/** How far a figure moved against the span before: "+12", "−1.4 points". */
export function Moved({ kind, by, moreIs = kind === 'time' ? 'bad' : 'good' }: MovedProps) {
  const count = useSay('count');
  const money = useSay('money');
  if (by === null) return <span className="muted">–</span>;
  const size = Math.abs(by);
  const text = { count, money, rate: (part: number) => `${(part * 100).toFixed(1)} points`, time: formatElapsed }[kind](size);
  if (by === 0) return <span className="muted">{text}</span>;
  const tone = moreIs === 'neutral' ? '' : by > 0 === (moreIs === 'good') ? ' good' : ' bad';
  return (
    <span className={`tabular${tone}`}>
      {by > 0 ? '+' : '−'}
      {text}
    </span>
  );
}
