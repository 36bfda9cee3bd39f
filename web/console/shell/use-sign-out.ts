import { useNavigate, useRouter } from '@tanstack/react-router';
import { toast } from '#web/ui/toast.ts';
import { signOut } from '../api/session.ts';
import { queryClient } from '../query-client.ts';
import { readTimeSpanText } from '../time-span.ts';

export function useSignOut(): () => Promise<void> {
  const router = useRouter();
  const navigate = useNavigate();
  return async () => {
    try {
      await signOut(router.state.location.href, readTimeSpanText());
    } catch (error) {
      void toast('error', error instanceof Error ? error.message : 'You are still signed in. Try again.');
      return;
    }
    // Nothing of one user may be left in memory for the next.
    queryClient.clear();
    await navigate({ to: '/login', search: {}, ignoreBlocker: true });
  };
}
