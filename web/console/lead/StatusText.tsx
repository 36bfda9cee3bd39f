import type { LeadStatusWord } from '#contract/lead.ts';
import { statusWord, type Word } from './lead-words.ts';

/** A dot and the word: colour is never the only sign. */
export function WordText({ word: { label, tone, meaning } }: { word: Word }) {
  return (
    <span className={`status-word ${tone}`} title={meaning}>
      <i className="dot" aria-hidden /> {label}
    </span>
  );
}

export const StatusText = ({ status }: { status: LeadStatusWord }) => <WordText word={statusWord[status]} />;

export function StatusPill({ status }: { status: LeadStatusWord }) {
  const { label, tone, meaning } = statusWord[status];
  return (
    <span className={`pill ${tone}`} title={meaning}>
      <i className="dot" aria-hidden /> {label}
    </span>
  );
}
