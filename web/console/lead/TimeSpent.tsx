import type { LeadView } from '#contract/lead.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { checkPurpose, checkWord, duringLead, wordOfAttempt } from './lead-words.ts';
import { callBars, clockMarks, timeShares } from './waterfall.ts';

/** Ours against that of services and buyers, then every call on the lead's own clock. */
export function TimeSpent({ lead, onOpen }: { lead: LeadView; onOpen: (callId: string) => void }) {
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
        {lead.checks.length + duringLead(lead.attemptList).length > 0 && <Waterfall lead={lead} onOpen={onOpen} />}
      </div>
    </section>
  );
}

function Waterfall({ lead, onOpen }: { lead: LeadView; onOpen: (callId: string) => void }) {
  const { bars, endMs } = callBars(callsOf(lead), lead.time.totalMs);
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
        {bars.map(({ call, left, width }) => (
          <li key={call._id}>
            <button type="button" onClick={() => onOpen(call._id)}>
              <span className="waterfall-name">
                {call.name} <span className="muted">{call.what}</span>
              </span>
              <span className="waterfall-track">
                <i className={`waterfall-bar ${call.word.tone}`} style={{ left: `${left}%`, width: `${width}%` }} />
              </span>
              <span className="num small">
                <span className="sr-only">
                  {call.word.label}, began after {formatElapsed(call.offsetMs)}, took{' '}
                </span>
                {formatElapsed(call.elapsedMs)}
              </span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** Checks and attempts in the order in which they began. */
function callsOf({ checks, attemptList }: LeadView) {
  const times = ({ _id, offsetMs, elapsedMs }: { _id: string; offsetMs: number; elapsedMs: number }) => ({ _id, offsetMs, elapsedMs });
  return [
    ...checks.map((one) => ({ ...times(one), name: one.serviceName, what: checkPurpose(one), word: checkWord[one.outcome] })),
    ...duringLead(attemptList).map((one) => ({ ...times(one), name: one.buyerTierName, what: one.leg, word: wordOfAttempt(one) })),
  ].sort((a, b) => a.offsetMs - b.offsetMs);
}
