import { sessionQuery } from './api/session.ts';
import { queryClient } from './query-client.ts';

/** Whoever was signed in no longer is: the next page asks anew. An answer that is on its way is not lost, it may be the next person's. */
export const doubtSession = (): Promise<void> => queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey, refetchType: 'none' });

/**
 * After a sign-out: off the page first, whose queries would at once ask again for what they lost; then nothing of one person is left
 * in memory for the next.
 */
export async function leaveSession(toLogin: () => Promise<void>): Promise<void> {
  await doubtSession();
  await toLogin();
  queryClient.removeQueries({ type: 'inactive' });
}
