import type { KeyboardEvent, ReactNode } from 'react';
import type { AttemptView, CheckView } from '#contract/lead.ts';
import { CopyTextButton } from '#web/ui/CopyButton.tsx';
import { toCurl } from '#web/ui/curl.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { IconChevronRight } from '#web/ui/icons.ts';
import { PrettyView } from '#web/ui/PrettyView.tsx';
import type { Word } from './lead-words.ts';
import { WordText } from './StatusText.tsx';
import { type CallControl, callDomId } from './use-open-calls.ts';

interface CallItemProps {
  call: AttemptView | CheckView;
  number: number;
  /** 'Northgate $12', and what it was asked for: 'post'. */
  name: string;
  what: string;
  word: Word;
  money?: ReactNode;
  control: CallControl;
  /** Inside, once it is open: facts beside its times, and what else there is to say. */
  facts: ReactNode;
  children?: ReactNode;
}

/** One call to somebody else: how it ended at a glance, opened the whole conversation. */
export function CallItem({ call, number, name, what, word, money, control, facts, children }: CallItemProps) {
  const open = control.isOpen(call._id);
  const bodyId = `${callDomId(call._id)}-body`;
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : null;
    if (!step || event.altKey) return;
    event.preventDefault();
    control.focusNext(call._id, step);
  };
  return (
    <li className={`attempt attempt-${word.tone}`}>
      <h3>
        <button
          type="button"
          id={callDomId(call._id)}
          className="attempt-head"
          aria-expanded={open}
          aria-controls={open ? bodyId : undefined}
          onClick={() => control.toggle(call._id)}
          onKeyDown={onKeyDown}
        >
          <IconChevronRight size={16} className="attempt-chevron" aria-hidden />
          <span className="attempt-number tabular">{number}</span>
          <span className="attempt-name">
            {name} <span className="muted">{what}</span>
          </span>
          <WordText word={word} />
          <span className="attempt-why muted">{call.reasons.join('; ')}</span>
          <span className="num attempt-money">{money}</span>
          <span className="num muted attempt-time">{formatElapsed(call.elapsedMs)}</span>
        </button>
      </h3>
      {open && (
        <div id={bodyId} className="attempt-body">
          <dl className="attempt-facts">
            {facts}
            <Fact name="Began after" value={formatElapsed(call.offsetMs)} />
            <Fact name="Took" value={formatElapsed(call.elapsedMs)} />
            {call.connectMs !== null && <Fact name="Connect" value={formatElapsed(call.connectMs)} />}
            {call.waitMs !== null && <Fact name="Wait" value={formatElapsed(call.waitMs)} />}
            {call.readMs !== null && <Fact name="Read" value={formatElapsed(call.readMs)} />}
          </dl>
          {call.reasons.length > 0 && (
            <p className="attempt-reasons">
              <strong>Reason:</strong> {call.reasons.join('; ')}
            </p>
          )}
          {children}
          {call.wire ? <Wire wire={call.wire} /> : <p className="muted small">Nothing went over the wire for this attempt.</p>}
        </div>
      )}
    </li>
  );
}

export const Fact = ({ name, value }: { name: string; value: ReactNode }) => (
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
