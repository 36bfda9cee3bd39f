import { queryOptions } from '@tanstack/react-query';
import type { ReplayAnswer, ReplayBody, ReplayStarted, ReplayStatus, ReplaysAnswer } from '#contract/replay.ts';
import { getJson, postJson } from './client.ts';
import { LAB_BASE } from './lab.ts';
import type { Place } from './lead.ts';

const BASE = `${LAB_BASE}/replays`;
const PROGRESS_MS = 1000;

export const isUnderWay = (status: ReplayStatus): boolean => status === 'waiting' || status === 'running';

export const replaysQuery = (place: Place) =>
  queryOptions({
    queryKey: ['replays', place],
    queryFn: ({ signal }) => getJson<ReplaysAnswer>(`${BASE}?${new URLSearchParams({ ...place })}`, signal),
    refetchInterval: ({ state }) => (state.data?.replays.some(({ status }) => isUnderWay(status)) ? PROGRESS_MS : false),
    staleTime: 0,
  });

export const readReplay = (id: string, signal?: AbortSignal) => getJson<ReplayAnswer>(`${BASE}/${encodeURIComponent(id)}`, signal);

/** Asked for again while it is under way. */
export const replayQuery = (id: string) =>
  queryOptions({
    queryKey: ['replay', id],
    queryFn: ({ signal }) => readReplay(id, signal),
    refetchInterval: ({ state }) => (state.data && isUnderWay(state.data.replay.status) ? PROGRESS_MS : false),
    staleTime: 0,
  });

export const startReplay = (body: ReplayBody) => postJson<ReplayStarted>(BASE, body);
export const cancelReplay = (id: string) => postJson<{ status: true; msg: string }>(`${BASE}/${id}/cancel`, {});
