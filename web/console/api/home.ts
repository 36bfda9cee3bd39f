import { queryOptions } from '@tanstack/react-query';
import type { HomeBuyersAnswer, HomePublishersAnswer } from '#contract/home.ts';
import type { TimeZone } from '#web/ui/zone.ts';
import type { HomeSearch } from '../home/home-search.ts';
import { getJson } from './client.ts';

interface Answers {
  buyers: HomeBuyersAnswer;
  publishers: HomePublishersAnswer;
}

export const homeQuery = <Of extends keyof Answers>(of: Of, { q, health, sort, page }: HomeSearch, timeZone: TimeZone) =>
  queryOptions({
    queryKey: ['home', of, { q, health, sort, page }, timeZone],
    queryFn: ({ signal }) => {
      const asked = {
        timeZone,
        ...(q && { search: q }),
        ...(health && { health }),
        ...(sort && { sort }),
        ...(page && { page: String(page) }),
      };
      return getJson<Answers[Of]>(`/api/console/home/${of}?${new URLSearchParams(asked)}`, signal);
    },
    // While the search changes the old answer stays in sight; another list's never does.
    placeholderData: (before, query) => (query?.queryKey[1] === of ? before : undefined),
    staleTime: 2000,
  });
