import type { LeadStatusWord, OutcomeWord } from '#contract/lead.ts';
import { outcomeWord, statusWord } from './lead-words.ts';

export function StatusText({ status }: { status: LeadStatusWord }) {
  const { label, tone, meaning } = statusWord[status];
  return (
    <span className={`status-word ${tone}`} title={meaning}>
      <i className="dot" aria-hidden /> {label}
    </span>
  );
}

export function StatusPill({ status }: { status: LeadStatusWord }) {
  const { label, tone, meaning } = statusWord[status];
  return (
    <span className={`pill ${tone}`} title={meaning}>
      <i className="dot" aria-hidden /> {label}
    </span>
  );
}

export function OutcomeText({ outcome }: { outcome: OutcomeWord }) {
  const { label, tone, meaning } = outcomeWord[outcome];
  return (
    <span className={`status-word ${tone}`} title={meaning}>
      <i className="dot" aria-hidden /> {label}
    </span>
  );
}
