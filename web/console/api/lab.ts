import { queryOptions } from '@tanstack/react-query';
import type { z } from 'zod';
import type { LabAnswer, LabTreeAnswer, PastLeadAnswer, SendAnswer, sampleChanged, sendBody } from '#contract/lab.ts';
import type { TreeChoice } from '#contract/replay.ts';
import { getJson, postJson } from './client.ts';
import type { Place } from './lead.ts';

const BASE = '/api/console/lab';
export const LAB_BASE = BASE;

export const labQuery = (place: Place) =>
  queryOptions({
    queryKey: ['lab', place],
    queryFn: ({ signal }) => getJson<LabAnswer>(`${BASE}?${new URLSearchParams({ ...place })}`, signal),
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

/** What stands in a tree; the draft may be another at any time. */
export const labTreeQuery = (campaignId: string, choice: TreeChoice) =>
  queryOptions({
    queryKey: ['lab-tree', campaignId, choice],
    queryFn: ({ signal }) =>
      getJson<LabTreeAnswer>(`${BASE}/campaigns/${campaignId}/tree?${new URLSearchParams(choice as Record<string, string>)}`, signal),
    enabled: campaignId !== '',
    staleTime: 0,
    refetchOnWindowFocus: false,
  });

export const pastLeadQuery = (leadId: string) =>
  queryOptions({
    queryKey: ['past-lead', leadId],
    queryFn: ({ signal }) => getJson<PastLeadAnswer>(`${BASE}/past-leads/${encodeURIComponent(leadId)}`, signal),
    enabled: leadId !== '',
    retry: false,
  });

export const sendLead = (body: z.input<typeof sendBody>) => postJson<SendAnswer>(`${BASE}/send`, body);

type SampleChanged = z.infer<typeof sampleChanged>;
export interface SampleFields {
  name: string;
  fields: Record<string, string>;
}
export const addSample = (place: Place, sample: SampleFields) => postJson<SampleChanged>(`${BASE}/samples`, { ...place, ...sample });
export const editSample = (id: string, version: number, sample: SampleFields) =>
  postJson<SampleChanged>(`${BASE}/samples/${id}`, { ...sample, version });
export const removeSample = (id: string, version: number) => postJson<SampleChanged>(`${BASE}/samples/${id}/remove`, { version });
