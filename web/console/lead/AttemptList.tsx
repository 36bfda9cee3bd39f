import type { KeyboardEvent } from 'react';
import type { AttemptView } from '#contract/lead.ts';
import { CopyTextButton } from '#web/ui/CopyButton.tsx';
import { toCurl } from '#web/ui/curl.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { IconChevronRight } from '#web/ui/icons.ts';
import { PrettyView } from '#web/ui/PrettyView.tsx';
import { MoneyText } from '#web/ui/reporting.tsx';
import { attemptWord } from './lead-words.ts';
import { WordText } from './StatusText.tsx';
import { type AttemptControl, attemptDomId } from './use-open-attempts.ts';

export function AttemptList({ attempts, control }: { attempts: AttemptView[]; control: AttemptControl }) {
  if (attempts.length === 0) return null;
  return (
    <section className="card part-attempts" aria-labelledby="attempts-title">
      <header>
        <h2 id="attempts-title">Attempts</h2>
        <span className="muted small push desktop-only">
          <kbd>j</kbd> <kbd>k</kbd> walk through them
        </span>
      </header>
      <ol className="attempt-list">
        {attempts.map((attempt, at) => (
          <Attempt key={attempt._id} attempt={attempt} number={at + 1} control={control} />
        ))}
      </ol>
    </section>
  );
}

function Attempt({ attempt, number, control }: { attempt: AttemptView; number: number; control: AttemptControl }) {
  const open = control.isOpen(attempt._id);
  const bodyId = `${attemptDomId(attempt._id)}-body`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    if (!step || event.altKey) return;
    event.preventDefault();
    control.focusNext(attempt._id, step);
  };
  return (
    <li className={`attempt attempt-${attemptWord[attempt.outcome].tone}`}>
      <h3>
        <button
          type="button"
          id={attemptDomId(attempt._id)}
          className="attempt-head"
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          onClick={() => control.toggle(attempt._id)}
          onKeyDown={onKeyDown}
        >
          <IconChevronRight size={16} className="attempt-chevron" aria-hidden />
          <span className="attempt-number tabular">{number}</span>
          <span className="attempt-name">
            {attempt.buyerTierName} <span className="muted">{attempt.leg}</span>
          </span>
          <WordText word={attemptWord[attempt.outcome]} />
          <span className="attempt-why muted">{attempt.reasons.join('; ')}</span>
          <span className="num attempt-money">
            {attempt.price ? (
              <MoneyText amount={attempt.price} />
            ) : attempt.bid ? (
              <>
                bid <MoneyText amount={attempt.bid} />
              </>
            ) : null}
          </span>
          <span className="num muted attempt-time">{formatElapsed(attempt.elapsedMs)}</span>
        </button>
      </h3>
      {open && (
        <div id={bodyId} className="attempt-body">
          <AttemptBody attempt={attempt} />
        </div>
      )}
    </li>
  );
}

function AttemptBody({ attempt }: { attempt: AttemptView }) {
  const { wire, lateAnswer, reasons } = attempt;
  return (
    <>
      <dl className="attempt-facts">
        <Fact name="Buyer" value={attempt.buyerName} />
        <Fact name="Group" value={attempt.groupName} />
        <Fact name="Began after" value={formatElapsed(attempt.offsetMs)} />
        <Fact name="Took" value={formatElapsed(attempt.elapsedMs)} />
        {attempt.connectMs !== null && <Fact name="Connect" value={formatElapsed(attempt.connectMs)} />}
        {attempt.waitMs !== null && <Fact name="Wait" value={formatElapsed(attempt.waitMs)} />}
        {attempt.readMs !== null && <Fact name="Read" value={formatElapsed(attempt.readMs)} />}
        {attempt.bid && <Fact name="Bid" value={<MoneyText amount={attempt.bid} />} />}
        {attempt.price && <Fact name="Price" value={<MoneyText amount={attempt.price} />} />}
      </dl>
      {reasons.length > 0 && (
        <p className="attempt-reasons">
          <strong>Reason:</strong> {reasons.join('; ')}
        </p>
      )}
      {lateAnswer && (
        <p className="attempt-late warn">
          A late answer came {formatElapsed(lateAnswer.afterMs)} after the call began: {lateAnswer.outcome}
          {lateAnswer.price && (
            <>
              {' '}
              at <MoneyText amount={lateAnswer.price} />
            </>
          )}
          . It is kept for settling with the buyer.
        </p>
      )}
      {wire ? <Wire wire={wire} /> : <p className="muted small">Nothing went over the wire for this attempt.</p>}
    </>
  );
}

const Fact = ({ name, value }: { name: string; value: React.ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd className="tabular">{value}</dd>
  </div>
);

function Wire({ wire }: { wire: NonNullable<AttemptView['wire']> }) {
  const curl = () => toCurl({ method: wire.method, url: wire.url, headers: wire.requestHeaders, body: wire.requestBody });
  return (
    <>
      <div className="wire-line">
        <code className="mono">
          <strong>{wire.method}</strong> {wire.url}
        </code>
        <CopyTextButton text={curl} label="Copy as curl" />
      </div>
      {wire.warnings.map((text) => (
        <p key={text} className="small warn wire-warning">
          {text}
        </p>
      ))}
      <div className="wire-pair">
        <div>
          <PrettyView label="Request" body={wire.requestBody} />
          <Headers label="Request headers" headers={wire.requestHeaders} />
        </div>
        <div>
          <PrettyView label={wire.statusCode === null ? 'No answer came' : `Response ${wire.statusCode}`} body={wire.responseBody} />
          <Headers label="Response headers" headers={wire.responseHeaders} />
        </div>
      </div>
    </>
  );
}

function Headers({ label, headers }: { label: string; headers: Record<string, string> }) {
  const lines = Object.entries(headers);
  if (lines.length === 0) return null;
  return (
    <details className="wire-headers">
      <summary>
        {label} ({lines.length})
      </summary>
      <dl>
        {lines.map(([name, value]) => (
          <div key={name}>
            <dt className="mono">{name}</dt>
            <dd className="mono">{value}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
