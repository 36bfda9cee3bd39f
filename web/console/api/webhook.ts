import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { WebhookCallsAnswer, WebhookTrial } from '#contract/webhook.ts';
import { getJson, postJson } from './client.ts';

const at = (id: string) => `/api/console/webhooks/${id}`;

export const webhookSecretQuery = (id: string) =>
  queryOptions({ queryKey: ['webhook', id, 'secret'], queryFn: () => getJson<{ secret: string }>(`${at(id)}/secret`) });

export const webhookCallsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['webhook', id, 'calls'],
    queryFn: ({ pageParam }) => getJson<WebhookCallsAnswer>(`${at(id)}/calls${pageParam ? `?before=${pageParam}` : ''}`),
    initialPageParam: '',
    getNextPageParam: (last) => last.older,
  });

export const renewWebhookSecret = (id: string) => postJson<{ secret: string; msg: string }>(`${at(id)}/renew-secret`, {});
export const tellWebhookAgain = (id: string, callId: string) => postJson<{ msg: string }>(`${at(id)}/calls/${callId}/again`, {});
export const tryWebhook = (id: string) => postJson<WebhookTrial>(`${at(id)}/test`, {});
