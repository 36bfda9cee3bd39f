/** Background jobs and imports, as the console calls them. */
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ImportKind, ImportSettings } from '#contract/import.ts';
import { isOver, JOB_PART_BYTES, type JobView } from '#contract/job.ts';
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

/** Hands a file in, slice by slice, and begins; `told` hears of the share that is there. The job's id. */
export async function sendImport(asked: ImportAsked, file: Blob, told: (share: number) => void): Promise<string> {
  const { jobId } = await postJson<{ jobId: string }>('/api/v1/imports', asked);
  const parts = Math.max(1, Math.ceil(file.size / JOB_PART_BYTES));
  for (let part = 0; part < parts; part++) {
    await postPart(`/api/v1/jobs/${jobId}/parts/${part}`, file.slice(part * JOB_PART_BYTES, (part + 1) * JOB_PART_BYTES));
    told((part + 1) / parts);
  }
  await postJson(`/api/v1/jobs/${jobId}/go`, { parts });
  return jobId;
}
