import type { LeadView } from '#contract/lead.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { attemptWord } from './lead-words.ts';
import { attemptBars, clockMarks, timeShares } from './waterfall.ts';

/** Ours against the buyers', then every attempt on the lead's own clock. */
export function TimeSpent({ lead, onOpen }: { lead: LeadView; onOpen: (attemptId: string) => void }) {
  const shares = timeShares(lead.time);
  return (
    <section className="card part-time" aria-labelledby="time-title">
      <header>
        <h2 id="time-title">Where the time went</h2>
        <span className="push tabular time-total">{formatElapsed(lead.time.totalMs)}</span>
      </header>
      <div className="card-body">
        <div className="time-bar" aria-hidden="true">
          {shares.map(({ kind, percent }) => (
            <i key={kind} className={`time-${kind}`} style={{ width: `${percent}%` }} />
          ))}
        </div>
        <ul className="time-legend">
          {shares.map(({ name, kind, ms, percent }) => (
            <li key={kind}>
              <i className={`swatch time-${kind}`} aria-hidden /> {name} <strong className="tabular">{formatElapsed(ms)}</strong>
              <span className="muted tabular">{percent.toFixed(percent < 10 && percent > 0 ? 1 : 0)}%</span>
            </li>
          ))}
        </ul>
        {lead.attemptList.length > 0 && <Waterfall lead={lead} onOpen={onOpen} />}
      </div>
    </section>
  );
}

function Waterfall({ lead, onOpen }: { lead: LeadView; onOpen: (attemptId: string) => void }) {
  const { bars, endMs } = attemptBars(lead.attemptList, lead.time.totalMs);
  return (
    <div className="waterfall">
      <div className="waterfall-clock" aria-hidden="true">
        {clockMarks(endMs).map((mark) => (
          <span key={mark} style={{ left: `${(mark / endMs) * 100}%` }} className={mark / endMs > 0.9 ? 'waterfall-last' : undefined}>
            {formatElapsed(mark)}
          </span>
        ))}
      </div>
      <ol>
        {bars.map(({ attempt, left, width }) => {
          const { tone, label } = attemptWord[attempt.outcome];
          return (
            <li key={attempt._id}>
              <button type="button" onClick={() => onOpen(attempt._id)}>
                <span className="waterfall-name">
                  {attempt.buyerTierName} <span className="muted">{attempt.leg}</span>
                </span>
                <span className="waterfall-track">
                  <i className={`waterfall-bar ${tone}`} style={{ left: `${left}%`, width: `${width}%` }} />
                </span>
                <span className="num small">
                  <span className="sr-only">
                    {label}, began after {formatElapsed(attempt.offsetMs)}, took{' '}
                  </span>
                  {formatElapsed(attempt.elapsedMs)}
                </span>
              </button>
            </li>
          );
        })}
      </ol>
    </div>
  );
}
