import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent } from 'react';
import { placesQuery } from '../api/session.ts';
import { useSetup } from './use-place.ts';

const lookEveryMs = 60_000;

/** What somebody else added, renamed or archived stands in the header a minute later; a load that fails is silently ignored (console §8). */
export function usePlacesWatch(): void {
  const { places } = useSetup();
  const router = useRouter();
  const { data } = useQuery({ ...placesQuery, staleTime: lookEveryMs, refetchInterval: lookEveryMs });
  const take = useEffectEvent(() => {
    // An answer that says the same is the same object.
    if (data && data !== places) void router.invalidate();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is asked for when another answer comes
  useEffect(() => take(), [data]);
}
