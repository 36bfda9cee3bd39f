import { useNetwork } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { IconCloudOff } from '#web/ui/icons.ts';
import { sayPresent } from '../api/account.ts';
import { serverIsReached, watchReached } from '../api/connection.ts';
import { sessionQuery } from '../api/session.ts';

const attachAfterMs = 8000;
const lookAgainMs = 5000;

/** Console §4, §8: off line or out of the server's reach. The watch begins 8 s after the start; back on line it asks who is signed in, and starts over when nobody is. */
export function OfflineBanner() {
  const [watching, setWatching] = useState(false);
  const { online } = useNetwork();
  const isReached = useSyncExternalStore(watchReached, serverIsReached);
  const client = useQueryClient();
  const router = useRouter();
  useEffect(() => {
    const timer = setTimeout(() => setWatching(true), attachAfterMs);
    return () => clearTimeout(timer);
  }, []);
  const backOnline = useEffectEvent(async () => {
    const session = await client.query({ ...sessionQuery, staleTime: 0 }).catch(() => null);
    if (session && !session.status) return router.navigate({ to: '/' });
    await client.invalidateQueries({ predicate: (query) => query.queryKey[0] !== 'session' });
  });
  useEffect(() => {
    const listen = () => void backOnline();
    if (watching) window.addEventListener('online', listen);
    return () => window.removeEventListener('online', listen);
  }, [watching]);
  const look = useEffectEvent(() => void sayPresent().catch(() => null));
  useEffect(() => {
    if (isReached) return;
    const timer = setInterval(() => look(), lookAgainMs);
    return () => clearInterval(timer);
  }, [isReached]);
  if (!watching || (online && isReached)) return null;
  return (
    <div className="offline-banner" role="alert">
      <IconCloudOff size={18} aria-hidden />
      {online ? 'The server cannot be reached.' : 'You are offline.'} What you see may be old; it refreshes by itself when the connection is
      back.
    </div>
  );
}
