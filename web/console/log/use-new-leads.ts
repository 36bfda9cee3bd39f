import { useEffect, useState } from 'react';
import type { Place } from '../api/lead.ts';
import { openLeadFeed } from '../overview/lead-feed.ts';

/** How many leads ended since `since`, by the live feed. */
export function useNewLeads({ region, vertical }: Place, since: number): number {
  const [ended, setEnded] = useState<{ since: number; ids: ReadonlySet<string> }>({ since, ids: new Set() });
  useEffect(() => {
    const url = `/api/console/feed?${new URLSearchParams({ region, vertical })}`;
    return openLeadFeed(url, {
      onChange: ({ fresh }) => setEnded({ since, ids: fresh }),
      onLead: () => {},
    });
  }, [region, vertical, since]);
  return ended.since === since ? ended.ids.size : 0;
}
