/** The outlines of states and nations, drawn by server/report/draw-outlines.main.ts from data in the public domain; each country comes when it is looked at. */
import { queryOptions } from '@tanstack/react-query';
import type { Country } from './map-view.ts';

/** By code. `path` and `at`, the middle of its largest part, are pixels of zoom 7; `size` is the side of a square as large as that part. */
export type Outlines = Readonly<Record<string, { path: string; at: readonly [number, number]; size: number }>>;

const files = {
  us: () => import('./outlines-us.json'),
  uk: () => import('./outlines-uk.json'),
};

export const outlinesQuery = (country: Country) =>
  queryOptions({
    queryKey: ['outlines', country],
    queryFn: async () => (await files[country]()).default as unknown as Outlines,
    staleTime: Number.POSITIVE_INFINITY,
  });
