import { OUTCOME_WORDS } from '#contract/outcome-words.ts';
import { formatRate } from '#web/ui/format.ts';

const PARTS = ['sold', 'rejected', 'terrors', 'timeouts', 'filtered'] as const;

type Outcomes = Record<(typeof PARTS)[number], number> & { attempts: number };

/** What the attempts came to, as one bar of shares. */
export function OutcomeBar({ now }: { now: Outcomes }) {
  if (now.attempts === 0) return <span className="muted">–</span>;
  const text = PARTS.filter((id) => now[id] > 0)
    .map((id) => `${formatRate(now[id], now.attempts)} ${OUTCOME_WORDS[id]}`)
    .join(', ');
  let x = 0;
  return (
    <svg className="outcome-bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label={text}>
      <title>{text}</title>
      <rect className="outcome-rest" width="100" height="10" />
      {PARTS.map((id) => {
        const width = (now[id] / now.attempts) * 100;
        const part = <rect key={id} className={`outcome-${id}`} x={x} width={width} height="10" />;
        x += width;
        return part;
      })}
    </svg>
  );
}
