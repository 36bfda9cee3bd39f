import { useNetwork } from '@mantine/hooks';
import { useRouterState } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef, useState, useSyncExternalStore } from 'react';
import { OFFLINE_AFTER_MS } from '#contract/console-constants.ts';
import { IconCloudOff } from '#web/ui/icons.ts';
import { lookForServer, serverIsReached, watchReached } from '../api/connection.ts';
import { useComeBack } from './use-come-back.ts';
import './offline-banner.css';

/** How often the server is looked for: while it answers, and while it is out of reach. */
const lookMs = { reached: 30_000, lost: 5000 } as const;

/** Console §4, §8: off line or out of the server's reach, on every page, before and behind the sign-in. */
export function OfflineBanner() {
  const isWatching = useWatching();
  const { online } = useNetwork();
  const isReached = useSyncExternalStore(watchReached, serverIsReached);
  const isFramed = useRouterState({ select: ({ matches }) => matches.some((match) => match.routeId === '/framed') });
  useServerWatch(isWatching, isReached);
  useReturn(isWatching, online && isReached);
  if (!isWatching || (online && isReached)) return null;
  return (
    <div className="offline-banner no-print" role="alert">
      <IconCloudOff size={18} aria-hidden />
      <span>
        {online ? 'The server cannot be reached.' : 'You are offline.'}{' '}
        {isFramed
          ? 'What you see may be old; it refreshes by itself when the connection is back.'
          : 'Nothing can be sent until the connection is back; the page notices by itself.'}
      </span>
    </div>
  );
}

function useWatching(): boolean {
  const [isWatching, setWatching] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setWatching(true), OFFLINE_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  return isWatching;
}

/** A page that asks for nothing would not notice that the server went, or that it came back. */
function useServerWatch(isWatching: boolean, isReached: boolean): void {
  useEffect(() => {
    if (!isWatching) return;
    const look = () => void (document.visibilityState === 'visible' && lookForServer());
    const timer = setInterval(look, isReached ? lookMs.reached : lookMs.lost);
    return () => clearInterval(timer);
  }, [isWatching, isReached]);
}

/** Whatever was lost, the network or the server: once both are there again the page comes back. */
function useReturn(isWatching: boolean, isConnected: boolean): void {
  const comeBack = useEffectEvent(useComeBack());
  const wasConnected = useRef(true);
  useEffect(() => {
    if (!isWatching) return;
    if (isConnected && !wasConnected.current) void comeBack();
    wasConnected.current = isConnected;
  }, [isWatching, isConnected]);
}
