import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { atMostEvery } from './events.ts';

/** Warnings and the end of a day come without a lead: figures so old are asked for anew when the feed says that it is there. */
const OLD_MS = 55_000;

export interface LiveFigures {
  /** Something ended. */
  moved: () => void;
  /** The feed is there. */
  here: () => void;
  /** The feed is gone: what moves meanwhile is not heard of. */
  lost: () => void;
}

export function openLiveFigures(client: QueryClient, key: string, everyMs: number): LiveFigures & { stop: () => void } {
  const refresh = atMostEvery(everyMs, () => void client.invalidateQueries({ queryKey: [key] }));
  let isLost = false;
  return {
    moved: refresh.call,
    here: () => {
      if (isLost) {
        isLost = false;
        refresh.call();
        return;
      }
      void client.invalidateQueries({
        queryKey: [key],
        predicate: ({ state }) => state.fetchStatus === 'idle' && Date.now() - Math.max(state.dataUpdatedAt, state.errorUpdatedAt) > OLD_MS,
      });
    },
    lost: () => {
      isLost = true;
    },
    stop: refresh.stop,
  };
}

/** Figures, queries by the first word of their key, that are asked for anew as a feed moves: at most every so often. */
export function useLiveFigures(key: string, everyMs: number, follow: (figures: LiveFigures) => () => void): void {
  const client = useQueryClient();
  useEffect(() => {
    const figures = openLiveFigures(client, key, everyMs);
    const leave = follow(figures);
    return () => {
      figures.stop();
      leave();
    };
  }, [client, key, everyMs, follow]);
}
