import type { KeyboardEvent, ReactNode } from 'react';
import type { AttemptView, CheckView } from '#contract/lead.ts';
import { formatElapsed } from '#web/ui/format.ts';
import { IconChevronRight } from '#web/ui/icons.ts';
import type { Word } from './lead-words.ts';
import { WordText } from './StatusText.tsx';
import { type CallControl, callDomId } from './use-open-calls.ts';
import { CallTimes, Wire } from './Wire.tsx';

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
            <CallTimes call={call} />
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
