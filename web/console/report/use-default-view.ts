import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import type { ViewPage } from '#contract/saved-view.ts';
import type { Place } from '../api/lead.ts';
import { viewsQuery } from '../api/saved-view.ts';
import { fromView, isBare, type ViewAddress } from './view-search.ts';

/**
 * Opens the page with the member's view for it, where the address says no more than a span; that span counts. Once: who leaves the view is
 * not led back. True while it is not known yet whether there is one.
 */
export function useDefaultView<Search extends { view?: string | undefined }>(
  place: Place,
  page: ViewPage,
  search: Search,
  address: ViewAddress<Search>,
): boolean {
  const views = useQuery(viewsQuery(place, page));
  const navigate = useNavigate();
  const here = `${place.region} ${place.vertical} ${page}`;
  const [decidedFor, setDecidedFor] = useState<string>();
  const isOpen = decidedFor !== here && isBare(search);
  const isKnown = views.data !== undefined || views.isError;
  useEffect(() => {
    if (decidedFor === here || (isBare(search) && !isKnown)) return;
    const wanted = isBare(search) ? views.data?.views.find(({ isDefault }) => isDefault) : undefined;
    if (wanted) void navigate({ to: '.', search: { ...fromView(address, wanted._id, wanted.search), ...search } as never, replace: true });
    setDecidedFor(here);
  }, [address, decidedFor, here, isKnown, navigate, search, views.data]);
  return isOpen;
}
