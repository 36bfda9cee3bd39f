import type { ReactNode } from 'react';

interface EdgeProps {
  /** On top of the line: what goes along it. */
  children: ReactNode;
  /** Below the line: its share. */
  share?: string | undefined;
  /** The whole sentence, for who cannot see the picture. */
  says: string;
  down?: true;
}

/** An arrow of the picture with its figures of today: to the right, or down between groups and on a phone. */
export function Edge({ children, share, says, down }: EdgeProps) {
  return (
    <span className={down ? 'flow-edge flow-edge-down' : 'flow-edge'}>
      <span className="sr-only">{says}</span>
      <span className="flow-edge-count tabular" aria-hidden="true">
        {children}
      </span>
      <span className="flow-edge-line" aria-hidden="true" />
      {share && (
        <span className="flow-edge-share tabular" aria-hidden="true">
          {share}
        </span>
      )}
    </span>
  );
}
