import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { EligibilityAnswer, EligibilityPage, EligibilityTokenView, tokenMade } from '#contract/eligibility.ts';
import { getJson, postJson } from './client.ts';
import { LAB_BASE } from './lab.ts';
import type { Place } from './lead.ts';

const BASE = `${LAB_BASE}/eligibility-links`;

export const eligibilityLinksQuery = (place: Place) =>
  queryOptions({
    queryKey: ['eligibility-links', place],
    queryFn: ({ signal }) => getJson<{ tokens: EligibilityTokenView[] }>(`${BASE}?${new URLSearchParams({ ...place })}`, signal),
    staleTime: 0,
  });

export interface LinkFields {
  name: string;
  publisherTierIds: string[];
  days: number;
}
export const makeLink = (place: Place, link: LinkFields) => postJson<z.infer<typeof tokenMade>>(BASE, { ...place, ...link });
export const revokeLink = (id: string) => postJson<{ msg: string }>(`${BASE}/${id}/revoke`, {});

/** What a link opens, for whoever has it. */
export const eligibilityPageQuery = (token: string) =>
  queryOptions({
    queryKey: ['eligibility', token],
    queryFn: ({ signal }) => getJson<EligibilityPage>(`/api/eligibility/${encodeURIComponent(token)}`, signal),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  });

/** Console §7: POST {token} with the key of a publisher tier. */
export const checkEligibility = (token: string, key: string, lead: Record<string, string>) =>
  postJson<EligibilityAnswer>(`/${encodeURIComponent(token)}`, { key, lead });
