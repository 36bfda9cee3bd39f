/** Background jobs and imports, as the console calls them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ImportKind, ImportSettings } from '#contract/import.ts';
import { isOver, JOB_PART_BYTES, type JobPartsAnswer, type JobView } from '#contract/job.ts';
import { getJson, postJson, postPart } from './client.ts';

export interface JobAnswer {
  job: JobView;
  errors: { line: number; message: string }[];
}

const LOOK_AGAIN_MS = 1000;

/** Asks again as long as the job is under way. */
export const jobQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'one', id],
    queryFn: ({ signal }) => getJson<JobAnswer>(`/api/v1/jobs/${id}`, signal),
    refetchInterval: ({ state }) => (state.data && isOver(state.data.job.status) ? false : LOOK_AGAIN_MS),
    staleTime: 0,
  });

export interface JobsAsked {
  kind: ImportKind | 'export';
  subjectId?: string | undefined;
  page: number;
  pageSize: number;
}

export const jobsQuery = ({ kind, subjectId, page, pageSize }: JobsAsked) => {
  const asked = new URLSearchParams({
    kind,
    skip: String((page - 1) * pageSize),
    limit: String(pageSize),
    ...(subjectId && { subjectId }),
  });
  return queryOptions({
    queryKey: ['jobs', kind, subjectId ?? '', page, pageSize],
    queryFn: ({ signal }) => getJson<{ jobs: JobView[]; total: number }>(`/api/v1/jobs?${asked}`, signal),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.jobs.some((job) => !isOver(job.status)) ? 2 * LOOK_AGAIN_MS : false),
    staleTime: 0,
  });
};

export const cancelJob = (id: string) => postJson<{ msg: string }>(`/api/v1/jobs/${id}/cancel`, {});

export interface ImportAsked {
  kind: ImportKind;
  listId?: string | undefined;
  name: string;
  settings: ImportSettings;
}

/** Makes the job, which waits for its file. Its id. */
export const beginImport = async (asked: ImportAsked): Promise<string> =>
  (await postJson<{ jobId: string }>('/api/v1/imports', asked)).jobId;

export const jobPartsQuery = (id: string) =>
  queryOptions({
    queryKey: ['jobs', 'parts', id],
    queryFn: ({ signal }) => getJson<JobPartsAnswer>(`/api/v1/jobs/${id}/parts`, signal),
    refetchOnWindowFocus: false,
    staleTime: 0,
  });

/** The file that was chosen is not the one of which parts are there already. */
export class OtherFile extends Error {}

/**
 * Hands a file in, slice by slice, and begins; `told` hears of the share that is there. What is there already is not sent again; where it is of
 * another file nothing is sent, and OtherFile thrown.
 */
export async function sendFile(jobId: string, file: Blob, told: (share: number) => void): Promise<void> {
  const parts = Math.max(1, Math.ceil(file.size / JOB_PART_BYTES));
  const slice = (part: number) => file.slice(part * JOB_PART_BYTES, (part + 1) * JOB_PART_BYTES);
  // Without HTTPS a browser makes no hashes: then all is sent again, each part in the place of itself.
  const there = isSecureContext ? (await getJson<JobPartsAnswer>(`/api/v1/jobs/${jobId}/parts`)).parts : [];
  for (const kept of there) if (kept.part >= parts || !(await isSame(slice(kept.part), kept))) throw new OtherFile();
  const known = new Set(there.map(({ part }) => part));
  for (let part = 0; part < parts; part++) {
    if (!known.has(part)) await postPart(`/api/v1/jobs/${jobId}/parts/${part}`, slice(part));
    told((part + 1) / parts);
  }
  await postJson(`/api/v1/jobs/${jobId}/go`, { parts });
}

async function isSame(slice: Blob, { bytes, sha256 }: JobPartsAnswer['parts'][number]): Promise<boolean> {
  if (slice.size !== bytes) return false;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await slice.arrayBuffer()));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('') === sha256;
}
