/** The zone the person at hand reports in: their own choice, kept with their account, or their organization's. */
import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { toast } from '#web/ui/toast.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import { sessionQuery } from './api/session.ts';
import { updateRecord } from './api/team.ts';
import { failureText } from './message.ts';

const listeners = new Set<() => void>();
let zone: TimeZone = 'UTC';

export const readTimeZone = (): TimeZone => zone;

/** What the session says, each time it is read. */
export function rememberTimeZone(next: TimeZone): void {
  if (next === zone) return;
  zone = next;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};
export const useTimeZone = (): TimeZone => useSyncExternalStore(subscribe, readTimeZone);

/** Takes effect at once and is kept with the account, so that it holds on every device; what cannot be kept is taken back. */
export function useChooseTimeZone(userId: string): (next: TimeZone) => Promise<void> {
  const client = useQueryClient();
  const own = () => client.getQueryData(sessionQuery.queryKey)?.user?.reportingTimeZone ?? null;
  const remember = (next: TimeZone | null) =>
    client.setQueryData(sessionQuery.queryKey, (session) =>
      session?.user ? { ...session, user: { ...session.user, reportingTimeZone: next } } : undefined,
    );
  return async (next) => {
    const before = { zone, own: own() };
    rememberTimeZone(next);
    remember(next);
    try {
      await updateRecord('user', userId, { reportingTimeZone: next });
      await client.invalidateQueries({ queryKey: ['record', 'user'] });
    } catch (error) {
      // A later choice stands, whatever became of this one.
      if (own() === next) {
        rememberTimeZone(before.zone);
        remember(before.own);
      }
      void toast('error', failureText(error as Error, 'Profile'));
    }
  };
}
