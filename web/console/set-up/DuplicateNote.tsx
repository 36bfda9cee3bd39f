import type { ReactNode } from 'react';

/** Over a form that begins as another record is: what comes along, and what does not. */
export const DuplicateNote = ({ children }: { children: ReactNode }) => (
  <p className="draft-note" role="note">
    <span>{children}</span>
  </p>
);
