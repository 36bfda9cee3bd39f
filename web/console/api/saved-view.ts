import { queryOptions } from '@tanstack/react-query';
import type { SavedView, ViewPage, ViewSaved, ViewsAnswer } from '#contract/saved-view.ts';
import { getJson, postJson } from './client.ts';
import type { Place } from './lead.ts';

const URL = '/api/console/views';

export const viewsQuery = ({ region, vertical }: Place, page: ViewPage) =>
  queryOptions({
    queryKey: ['views', region, vertical, page],
    queryFn: ({ signal }) => getJson<ViewsAnswer>(`${URL}?${new URLSearchParams({ region, vertical, page })}`, signal),
    staleTime: 60_000,
  });

type Kept = Pick<SavedView, 'name' | 'search' | 'shared'>;
export const addView = ({ region, vertical }: Place, page: ViewPage, view: Kept) =>
  postJson<ViewSaved>(URL, { region, vertical, page, ...view });
export const changeView = ({ _id, version }: SavedView, changed: Partial<Kept>) =>
  postJson<ViewSaved>(`${URL}/${_id}`, { version, ...changed });
export const removeView = ({ _id }: SavedView) => postJson<{ msg: string }>(`${URL}/${_id}/remove`, {});
export const restoreView = ({ _id }: SavedView) => postJson<{ msg: string }>(`${URL}/${_id}/restore`, {});
export const setDefaultView = ({ _id }: SavedView, isDefault: boolean) => postJson<{ msg: string }>(`${URL}/${_id}/default`, { isDefault });
