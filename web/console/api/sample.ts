import { queryOptions } from '@tanstack/react-query';
import { type AttemptSample, SAMPLES_MOST, type SampleExpected, type SampleJudgement, type SampleView } from '#contract/answer-sample.ts';
import type { JsonObject } from '../endpoint/endpoint-draft.ts';
import { getJson, postJson } from './client.ts';
import { recordsQuery } from './record.ts';

export const samplesQuery = (buyerTierId: string) =>
  recordsQuery<SampleView>({ model: 'answerSample', condition: { buyerTierId }, sort: [{ field: 'name' }], limit: SAMPLES_MOST });

type Judged = Pick<SampleView, 'leg' | 'answer' | 'expected'>;
export const judgeSamples = (endpoint: JsonObject, samples: readonly Judged[]) =>
  postJson<{ judgements: SampleJudgement[] }>('/api/console/endpoint/samples', {
    endpoint,
    samples: samples.map(({ leg, answer, expected }) => ({ leg, answer, expected })),
  });

const attemptPath = (leadId: string, attempt: number) => `/api/console/leads/${leadId}/attempts/${attempt}/sample`;

export const attemptSampleQuery = (leadId: string, attempt: number) =>
  queryOptions({
    queryKey: ['attempt-sample', leadId, attempt],
    queryFn: () => getJson<AttemptSample>(attemptPath(leadId, attempt)),
    retry: false,
    // The endpoint that reads it may have been changed since.
    staleTime: 0,
  });

export const keepAttempt = (leadId: string, attempt: number, kept: { name: string; expected: SampleExpected }) =>
  postJson<{ msg: string }>(attemptPath(leadId, attempt), kept);
