import type { ReactNode } from 'react';

/** A part of a long form, with one sentence that says what it is for. */
export function FormSection({ title, says, children }: { title: string; says?: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend>{title}</legend>
      {says && <p className="muted small">{says}</p>}
      {children}
    </fieldset>
  );
}
