import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { sessionQuery } from '../api/session.ts';
import { isBeforeSignIn } from '../guard.ts';

/**
 * Console §4: on reconnect the page asks whether the person is still signed in. Who is not starts over, unless they are at a page of
 * the login type anyway; for the others everything is read anew.
 */
export function useComeBack(): () => Promise<void> {
  const client = useQueryClient();
  const router = useRouter();
  return async () => {
    const session = await client.query({ ...sessionQuery, staleTime: 0 }).catch(() => null);
    if (!session) return;
    if (!session.status) {
      if (!isBeforeSignIn(router.state.location.pathname)) await router.navigate({ to: '/' });
      return;
    }
    await client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'session' });
    // A page that could not be opened is tried again.
    await router.invalidate();
  };
}
