import { useNavigate, useRouter } from '@tanstack/react-router';
import { toast } from '#web/ui/toast.ts';
import { signOut } from '../api/session.ts';
import { leaveSession } from '../leave-session.ts';
import { message, refusalText } from '../message.ts';
import { leaveNotice } from '../session/notice.ts';
import { dropAllDrafts } from '../set-up/form-draft.ts';
import { readTimeSpanText } from '../time-span.ts';

export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  const navigate = useNavigate();
  return async () => {
    try {
      await signOut(router.state.location.href, readTimeSpanText());
    } catch (error) {
      void toast('error', refusalText(error, 'signOutFailed'));
      return;
    }
    leaveNotice(message('userLoggedOutSuccess'), 'good');
    dropAllDrafts(sessionStorage);
    await leaveSession(() => navigate({ to: '/login', search: {}, ignoreBlocker: true }));
  };
}
