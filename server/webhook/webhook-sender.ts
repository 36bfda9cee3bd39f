/**
 * Sends what webhooks are to be told. A call stays due until it was taken: a node that stops, or a system that is away, costs time and no call.
 * Tried again after waits that grow, for about a day; a webhook that has taken nothing for five days is paused.
 */
import { insertChange } from '#server/change-log/change-log.sql.ts';
import type { Outbound } from '#server/delivery/outbound.ts';
import type { Db } from '#server/kit/database.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { type Counting, NO_COUNTING } from '#server/metric/open-metrics.ts';
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
  planBook: Pick<PlanBook, 'find' | 'list'>;
  outbound: Outbound;
  clock: () => number;
  onError: (error: unknown) => void;
  everyMs?: number;
  metrics?: Counting;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** After each try that was not taken; after the last one it is given up. */
export const WAITS_MS = [5 * SECOND_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS, 5 * HOUR_MS, 10 * HOUR_MS, 10 * HOUR_MS];
export const TRY_TIME_MS = 15 * SECOND_MS;
export const PAUSED_AFTER_MS = 120 * HOUR_MS;
/** Whoever listens has several calls at once; whoever has taken nothing lately has one, on places of their own: they keep no other, however many. */
const LANES = [
  { failing: false, each: 4, places: 24 },
  { failing: true, each: 1, places: 8 },
] as const;
type Lane = (typeof LANES)[number];
/** A node that took a call up and died is waited for so long. */
const LEASE_MS = 60 * SECOND_MS;

export function openWebhookSender(options: WebhookSenderOptions): WebhookSender {
  const { db, planBook, clock, onError, everyMs = SECOND_MS } = options;
  const running = new Map<Promise<void>, { lane: Lane; webhookId: string }>();
  let looking: Promise<void> | undefined;
  let isClosing = false;

  async function look(lanes: readonly Lane[]): Promise<void> {
    for (const lane of lanes) {
      const most = lane.places - [...running.values()].filter((one) => one.lane === lane).length;
      if (isClosing || most <= 0) continue;
      const underWay: Record<string, number> = {};
      for (const { webhookId } of running.values()) underWay[webhookId] = (underWay[webhookId] ?? 0) + 1;
      const takenAt = performance.now();
      const organizationIds = planBook.list().map((one) => one.organizationId);
      const { failing, each } = lane;
      for (const call of await takeDueCalls(db, clock(), { organizationIds, failing, each, underWay, most, leaseMs: LEASE_MS })) {
        const told: Promise<void> = tell(options, call, takenAt)
          .catch(onError)
          .finally(() => {
            running.delete(told);
            // Its webhook may have more to hear.
            lookAt([lane]);
          });
        running.set(told, { lane, webhookId: call.webhookId });
      }
    }
  }

  function lookAt(lanes: readonly Lane[]): void {
    looking ??= look(lanes)
      .catch(onError)
      .finally(() => {
        looking = undefined;
      });
  }

  const timer = setInterval(() => lookAt(LANES), everyMs);
  timer.unref();
  return {
    async close() {
      isClosing = true;
      clearInterval(timer);
      await looking;
      await Promise.all(running.keys());
    },
  };
}

async function tell(options: WebhookSenderOptions, call: TakenCall, takenAt: number): Promise<void> {
  const { db, planBook, outbound, clock } = options;
  const organization = planBook.find(call.organizationId);
  if (!organization) return;
  const lead = await findLeadTold(db, call.organizationId, call.leadId);
  if (!lead) return void (await endTry(db, call, { state: 'failed', dueAt: clock(), at: clock(), ...GONE }));
  const event = { id: call.id, event: call.event, at: call.madeAt, leadId: call.leadId };
  const secret = webhookSecretOf(organization.keys, call.webhookId, call.secretEpoch);
  const message = messageOf(organization, event, lead);
  if (!message) return void (await endTry(db, call, { state: 'failed', dueAt: clock(), at: clock(), ...DAMAGED }));
  const request = requestOf(call.url, secret, event, message, clock());
  // A node that stood still meanwhile would call while the next one does.
  if (performance.now() - takenAt > LEASE_MS - TRY_TIME_MS) return;
  const said = saidBy(await outbound.call({ request, timeoutMs: TRY_TIME_MS, bulkhead: `webhook ${call.webhookId}` }));
  await note(options, call, said);
}

const DAMAGED: Omit<Said, 'taken'> = { statusCode: null, failure: 'What is kept of the lead cannot be opened.', elapsedMs: 0 };
const GONE: Omit<Said, 'taken'> = { statusCode: null, failure: 'The lead is not there any more.', elapsedMs: 0 };

async function note(options: WebhookSenderOptions, call: TakenCall, { taken, statusCode, failure, elapsedMs }: Said): Promise<void> {
  const { db, clock, metrics = NO_COUNTING } = options;
  const now = clock();
  const wait = WAITS_MS[call.tries - 1];
  const state = taken ? 'told' : wait === undefined ? 'failed' : 'due';
  metrics.add('sluice_webhook_calls_total', { outcome: { told: 'taken', due: 'refused', failed: 'failed' }[state] });
  if (!(await endTry(db, call, { state, dueAt: now + (state === 'due' ? wait! : 0), at: now, statusCode, failure, elapsedMs }))) return;
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
