/** Which webhooks are told that a lead has ended. Pure. */
import type { WebhookEvent } from '#contract/webhook.ts';
import type { Decision } from '#engine/decision.ts';
import { newId } from '#server/kit/ids.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';

/** A ping is no end of a lead. */
const EVENTS: Readonly<Record<Decision['status'], WebhookEvent | undefined>> = {
  ...{ sold: 'lead.sold', held: 'lead.held', bid: undefined, noBid: undefined },
  ...{ unsold: 'lead.notSold', invalid: 'lead.notSold', rejected: 'lead.notSold', duplicate: 'lead.notSold', error: 'lead.notSold' },
};

/** Tests are told to nobody. */
export function callsOf(
  { webhooks, plan }: OrganizationPlan,
  publisherTierId: string,
  test: boolean,
  status: Decision['status'],
  now: number,
): { id: string; webhookId: string; event: WebhookEvent }[] {
  const event = EVENTS[status];
  if (test || !event || webhooks.length === 0) return [];
  const verticalId = plan.publisherTiers.get(publisherTierId)?.campaign.config.verticalId;
  return webhooks
    .filter((one) => one.verticalId === verticalId && one.events.includes(event))
    .map((one) => ({ id: newId(now), webhookId: one.id, event }));
}
