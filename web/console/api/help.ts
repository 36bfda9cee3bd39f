import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { HelpEntryAnswer, HelpEntryView, HelpText, helpChanged } from '#contract/help.ts';
import type { HelpKind } from '#contract/help-kind.ts';
import { getJson, postJson } from './client.ts';

const BASE = '/api/console/help';
type Changed = z.infer<typeof helpChanged>;

export const helpQuery = queryOptions({
  queryKey: ['help', 'list'],
  queryFn: ({ signal }) => getJson<{ entries: HelpEntryView[] }>(BASE, signal),
  staleTime: 0,
});

/** An entry with its versions. */
export const helpEntryQuery = (kind: HelpKind, key: string) =>
  queryOptions({
    queryKey: ['help', 'entry', kind, key],
    queryFn: ({ signal }) => getJson<HelpEntryAnswer>(`${BASE}/entry?${new URLSearchParams({ kind, key })}`, signal),
    staleTime: 0,
  });

/** `version`: the one that was read; 0 adds. */
export const saveHelp = (entry: HelpText, version: number) => postJson<Changed>(`${BASE}/save`, { entry, version });

type Named = Pick<HelpEntryView, 'kind' | 'key' | 'version'>;
const nameOf = ({ kind, key, version }: Named) => ({ kind, key, version });
export const removeHelp = (entry: Named) => postJson<Changed>(`${BASE}/remove`, nameOf(entry));
export const restoreHelp = (entry: Named, from: number | 'product') => postJson<Changed>(`${BASE}/restore`, { ...nameOf(entry), from });
