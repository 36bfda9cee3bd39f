import { type ReactNode, useId, useState } from 'react';
import './record-form.css';

interface FormSectionProps {
  title: string;
  /** One sentence that says what it is for. */
  says?: string;
  /** What it holds now, in a few words: then the section is closed until somebody opens it. */
  folded?: string | false | undefined;
  /** Whether something in it is wrong: it cannot stay closed over that. */
  isWrong?: boolean;
  children: ReactNode;
}

/** A part of a long form. What is rarely asked for at first is folded to one line. */
export function FormSection({ title, says, folded, isWrong = false, children }: FormSectionProps) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const inside = (
    <>
      {says && <p className="muted small">{says}</p>}
      {children}
    </>
  );
  if (!folded)
    return (
      <fieldset>
        <legend>{title}</legend>
        {inside}
      </fieldset>
    );
  return (
    <fieldset className="folded" aria-labelledby={id}>
      <details open={isOpen || isWrong} onToggle={(event) => setOpen(event.currentTarget.open)}>
        <summary>
          <strong id={id}>{title}</strong> <span className="muted">{folded}</span>
        </summary>
        <div className="form-stack">{inside}</div>
      </details>
    </fieldset>
  );
}
