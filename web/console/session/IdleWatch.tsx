import { Button } from '@mantine/core';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { INACTIVITY } from '#contract/console-constants.ts';
import { MESSAGES } from '#contract/message.ts';
import { IconClockExclamation } from '#web/ui/icons.ts';
import { signOut } from '../api/session.ts';
import { leaveSession } from '../leave-session.ts';
import { readNext } from '../next-page.ts';
import { readTimeSpanText } from '../time-span.ts';
import { leaveNotice } from './notice.ts';
import { useIdleness } from './use-idleness.ts';
import './idle-watch.css';

/** Console §4: warns with a countdown, and signs out when nobody answers. */
export function IdleWatch() {
  const router = useRouter();
  const navigate = useNavigate();
  const leave = async () => {
    leaveNotice(MESSAGES.inactivityLogout);
    const { href } = router.state.location;
    await signOut(href, readTimeSpanText()).catch(() => null);
    // The server keeps the last page of a session that lives; after a long sleep there is none, so the address carries it.
    const next = readNext(href);
    const toLogin = () => navigate({ to: '/login', search: next ? { next } : {}, ignoreBlocker: true });
    setTimeout(() => void leaveSession(toLogin), INACTIVITY.toLoginMs);
  };
  const { idleness, stay } = useIdleness(() => void leave());
  if (idleness.state === 'active') return null;
  return (
    <div className="idle-watch" role="alertdialog" aria-label="Are you still there?">
      <IconClockExclamation size={22} aria-hidden />
      {idleness.state === 'over' ? (
        <p role="status">{MESSAGES.inactivityLogout}</p>
      ) : (
        <>
          <p>
            Are you still there? You will be signed out in <strong className="tabular">{idleness.secondsLeft} s</strong>.
          </p>
          <Button size="xs" onClick={stay}>
            Stay signed in
          </Button>
        </>
      )}
    </div>
  );
}
