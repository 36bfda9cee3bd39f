import { useRouterState } from '@tanstack/react-router';
import { IconInfoCircle } from '#web/ui/icons.ts';
import { mayEverything } from '../guard.ts';
import { missedIn } from './missed.ts';
import { useSetup } from './use-place.ts';

/** Account §2, console §4: where another page opens than was asked for, it is said there what that was and why, until one goes on. */
export function LostNote() {
  const { pathname, state } = useRouterState({ select: ({ location }) => location });
  const { organization, session } = useSetup();
  const { lostAt, barredFrom } = missedIn(state);
  if ((!lostAt && !barredFrom) || SAY_IT_THEMSELVES.test(pathname)) return null;
  return (
    <p className="lost-note no-print" role="status">
      <IconInfoCircle size={18} aria-hidden />
      {lostAt ? (
        <span>
          There is no page at <code>{lostAt.slice(0, shownMost)}</code>. This one opened instead; choose another above.
        </span>
      ) : (
        <span>
          You may not open <code>{barredFrom!.slice(0, shownMost)}</code>. This page opened instead
          {mayEverything(session) ? '.' : `; ask the owner of ${organization.name} if you need it.`}
        </span>
      )}
    </p>
  );
}

const shownMost = 120;
/** Pages that are about nothing else. */
const SAY_IT_THEMSELVES = /^\/no-permission$|\/no-vertical$/;
