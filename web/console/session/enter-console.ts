import { spans } from '#web/ui/period.ts';
import { sayPresent } from '../api/account.ts';
import { sessionQuery } from '../api/session.ts';
import { toBrowserHref } from '../hashbang.ts';
import { readNext } from '../next-page.ts';
import { queryClient } from '../query-client.ts';
import { rememberTimeSpan } from '../time-span.ts';

const reloadAfterMs = 1000;

/**
 * The end of a sign-in (account §4): the status-change call, the stored last page with its time span, and a reload after 1 s,
 * so that nothing of the person before is left in memory. A page that was asked for goes before the last one.
 */
export async function enterConsole(next: string | undefined): Promise<void> {
  queryClient.clear();
  const [{ user }] = await Promise.all([queryClient.query(sessionQuery), sayPresent().catch(() => null)]);
  const span = user?.lastPageVisitedTimeStamp;
  if (span) rememberTimeSpan({ ...span, timespan: spans.find((one) => one === span.timespan) ?? 'today' });
  const target = readNext(next) ?? readNext(user?.lastPageVisited) ?? '/';
  await new Promise((resolve) => setTimeout(resolve, reloadAfterMs));
  // Past the router's patched method: the page is about to be loaded anew.
  History.prototype.replaceState.call(window.history, null, '', toBrowserHref(target));
  window.location.reload();
}
