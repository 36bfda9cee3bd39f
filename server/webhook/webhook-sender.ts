/**
 * Sends what webhooks are to be told. A call stays due until it was taken: a node that stops, or a system that is away, costs time and no call.
 * Tried again after waits that grow, for about a day; a webhook that has taken nothing for five days is paused.
 */
import { insertChange } from '#server/change-log/change-log.sql.ts';
import type { Outbound } from '#server/delivery/outbound.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { announceConfiguration } from '#server/plan/configuration.sql.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { endTry, findLeadTold, noteFailing, type TakenCall, takeDueCalls } from './webhook.sql.ts';
import { messageOf, requestOf, type Said, saidBy, webhookSecretOf } from './webhook-message.ts';

export interface WebhookSender {
  /** Lets those on their way come to an end. */
  close(): Promise<void>;
}

export interface WebhookSenderOptions {
  db: Db;
  planBook: Pick<PlanBook, 'find'>;
  outbound: Outbound;
  clock: () => number;
  onError: (error: unknown) => void;
  everyMs?: number;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After each try that was not taken; after the last one it is given up. */
export const WAITS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
export const TRY_TIME_MS = 15 * SECOND_MS;
export const PAUSED_AFTER_MS = 120 * HOUR_MS;
const EACH = 4;
const AT_ONCE = 32;
/** A node that took a call up and died is waited for so long. */
const LEASE_MS = 60 * SECOND_MS;

export function openWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { db, clock, onError, everyMs = SECOND_MS } = options;
  const running = new Set<Promise<void>>();
  let looking: Promise<void> | undefined;
  let isClosing = false;

  async function look(): Promise<void> {
    if (isClosing || running.size >= AT_ONCE) return;
    for (const call of await takeDueCalls(db, clock(), { each: EACH, most: AT_ONCE - running.size, leaseMs: LEASE_MS })) {
      const told: Promise<void> = tell(options, call)
        .catch(onError)
        .finally(() => running.delete(told));
      running.add(told);
    }
  }

  const timer = setInterval(() => {
    looking ??= look()
      .catch(onError)
      .finally(() => {
        looking = undefined;
      });
  }, everyMs);
  timer.unref();
  return {
    async close() {
      isClosing = true;
      clearInterval(timer);
      await looking;
      await Promise.all(running);
    },
  };
}

async function tell(options: WebhookSenderOptions, call: TakenCall): Promise<void> {
  const { db, planBook, outbound, clock } = options;
  const organization = planBook.find(call.organizationId);
  // Its keys are not here yet; the call comes up again when its lease is over.
  if (!organization) return;
  const lead = await findLeadTold(db, call.organizationId, call.leadId);
  if (!lead) return endTry(db, call, { state: 'failed', dueAt: clock(), at: clock(), ...GONE });
  const event = { id: call.id, event: call.event, at: call.madeAt, leadId: call.leadId };
  const secret = webhookSecretOf(organization.keys, call.webhookId, call.secretEpoch);
  const request = requestOf(call.url, secret, event, messageOf(organization, event, lead), clock());
  const said = saidBy(await outbound.call({ request, timeoutMs: TRY_TIME_MS, bulkhead: `webhook ${call.webhookId}` }));
  await note(options, call, said);
}

const GONE: Omit<Said, 'taken'> = { statusCode: null, failure: 'The lead is not there any more.', elapsedMs: 0 };

async function note(options: WebhookSenderOptions, call: TakenCall, { taken, statusCode, failure, elapsedMs }: Said): Promise<void> {
  const { db, clock } = options;
  const now = clock();
  const wait = WAITS_MS[call.tries - 1];
  const state = taken ? 'told' : wait === undefined ? 'failed' : 'due';
  await endTry(db, call, { state, dueAt: now + (state === 'due' ? wait! : 0), at: now, statusCode, failure, elapsedMs });
  if (taken) return call.failingSince === null ? undefined : noteFailing(db, call, null);
  if (call.failingSince === null) return noteFailing(db, call, new Date(now));
  if (now - call.failingSince.getTime() >= PAUSED_AFTER_MS) await pause(db, call);
}

/** What it was to be told waits for whoever puts it right and lets it go on. */
async function pause(db: Db, { organizationId, webhookId }: TakenCall): Promise<void> {
  await inTenant(db, organizationId, async (tx) => {
    const row = await tx
      .updateTable('webhook')
      .set((set) => ({ status: 'paused', version: set('version', '+', 1), updated_at: new Date() }))
      .where('organization_id', '=', organizationId)
      .where('id', '=', webhookId)
      .where('status', '=', 'active')
      .returning('name')
      .executeTakeFirst();
    if (!row) return;
    const changer = { organizationId, userId: organizationId, firstName: 'Nothing taken for five days', lastName: '', email: '' };
    await insertChange(tx, changer, {
      ...{ address: '', model: 'webhook', recordId: webhookId, recordName: row.name, action: 'edit' as const },
      ...{ before: { status: 'active' }, after: { status: 'paused' }, rollsBack: null },
    });
    await announceConfiguration(tx, organizationId);
  });
}
