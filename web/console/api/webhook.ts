import { infiniteQueryOptions } from '@tanstack/react-query';
import type { WebhookCallsAnswer, WebhookTrial } from '#contract/webhook.ts';
import { getJson, postJson } from './client.ts';

export const webhookAt = (id: string) => `/api/console/webhooks/${id}`;

export const webhookCallsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhook', id, 'calls'],
    queryFn: ({ pageParam }) => getJson<WebhookCallsAnswer>(`${webhookAt(id)}/calls${pageParam ? `?before=${pageParam}` : ''}`),
    initialPageParam: '',
    getNextPageParam: (last) => last.older,
  });

export const tellWebhookAgain = (id: string, callId: string) => postJson<{ msg: string }>(`${webhookAt(id)}/calls/${callId}/again`, {});
export const tryWebhook = (id: string) => postJson<WebhookTrial>(`${webhookAt(id)}/test`, {});
