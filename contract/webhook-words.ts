/** What webhooks are told of and what became of it, on pages and in files, without their schemas. */
import type { WebhookCallView } from './webhook.ts';

/** Events for people. */
export const EVENT_LABELS: Readonly<Record<string, string>> = {
  'lead.sold': 'sold leads',
  'lead.notSold': 'leads nobody bought',
  'lead.held': 'held leads',
  'lead.settled': 'settled leads',
  'lead.returned': 'returned leads',
};

export const CALL_STATE_WORDS: Readonly<Record<WebhookCallView['state'], string>> = { due: 'Waits', told: 'Told', failed: 'Given up' };
