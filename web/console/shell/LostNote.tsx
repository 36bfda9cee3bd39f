import { useRouterState } from '@tanstack/react-router';
import { IconInfoCircle } from '#web/ui/icons.ts';

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address that was asked for and is none. */
    lostAt?: string;
  }
}

/** Account §2: an unknown address leads to another; what was asked for is said there, until one goes on. */
export function LostNote() {
  const lostAt = useRouterState({ select: ({ location }) => location.state.lostAt });
  if (!lostAt) return null;
  return (
    <p className="lost-note no-print" role="status">
      <IconInfoCircle size={18} aria-hidden />
      <span>
        There is no page at <code>{lostAt.slice(0, shownMost)}</code>. This one opened instead; choose another above.
      </span>
    </p>
  );
}

const shownMost = 120;
