/** Beside the record of a webhook: its secret, what it was told, and a call to try it. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  WEBHOOK_CALLS_SHOWN,
  type WebhookCallView,
  webhookCallParams,
  webhookCallsAnswer,
  webhookCallsQuery,
  webhookParams,
  webhookRenewed,
  webhookSecret,
  webhookToldAgain,
  webhookTrial,
} from '#contract/webhook.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import type { Outbound } from '#server/delivery/outbound.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { requireTry } from '#server/kit/throttle.ts';
import { requireOrganization } from '#server/lead/lead.console.routes.ts';
import type { OrganizationPlan } from '#server/plan/plan-book.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import { WEBHOOK_PAGE } from './webhook.model.ts';
import { type CallRow, listCalls, tryAgain } from './webhook.sql.ts';
import { requestOf, saidBy, webhookSecretOf } from './webhook-message.ts';
import { TRY_TIME_MS } from './webhook-sender.ts';

const ok = { status: true as const };
/** Of one person: each is a call to an address of their choice. */
const TESTS = { limit: 10, windowMs: 60_000 };
const TOLD_AGAIN = { limit: 60, windowMs: 60_000 };

export async function webhookRoutes(instance: FastifyInstance, options: RecordParts & { outbound: Outbound }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, planBook, outbound } = options;
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary, params: webhookParams });

  app.get(
    '/api/console/webhooks/:id/secret',
    { schema: { ...told('The secret that a webhook’s calls are signed with'), response: { 200: webhookSecret } } },
    async (request) =>
      asPerson(request, async (change) => {
        const row = await requireWebhook(change, request.params.id);
        return { ...ok, secret: webhookSecretOf(change.keys(), row.id, row.secret_epoch) };
      }),
  );

  app.post(
    '/api/console/webhooks/:id/renew-secret',
    { schema: { ...told('Makes another secret; the one before signs nothing any more'), response: { 200: webhookRenewed } } },
    async (request) =>
      asPerson(request, async (change) => {
        const row = await requireWebhook(change, request.params.id);
        const { secret_epoch: epoch } = await change.tx
          .updateTable('webhook')
          .set((set) => ({ secret_epoch: set('secret_epoch', '+', 1) }))
          .where('organization_id', '=', change.person.organizationId)
          .where('id', '=', row.id)
          .returning('secret_epoch')
          .executeTakeFirstOrThrow();
        await insertChange(change.tx, change.person, {
          ...{ address: change.address, model: 'webhook', recordId: row.id, recordName: row.name, action: 'edit' as const },
          ...{ before: { secret: 'as it was' }, after: { secret: 'another one' }, rollsBack: null },
        });
        return { ...ok, secret: webhookSecretOf(change.keys(), row.id, epoch), msg: 'Calls are signed with the new secret from now on.' };
      }),
  );

  app.get(
    '/api/console/webhooks/:id/calls',
    {
      schema: {
        ...told('What a webhook was told in the last 30 days, and what it is to be told, newest first'),
        querystring: webhookCallsQuery,
        response: { 200: webhookCallsAnswer },
      },
    },
    async (request) =>
      asPerson(request, async ({ tx, person, ...change }) => {
        const row = await requireWebhook({ tx, person, ...change }, request.params.id);
        const rows = await listCalls(tx, person.organizationId, row.id, request.query.before, WEBHOOK_CALLS_SHOWN + 1);
        const calls = rows.slice(0, WEBHOOK_CALLS_SHOWN).map(viewCall);
        return { ...ok, calls, older: rows.length > calls.length ? calls.at(-1)!._id : null };
      }),
  );

  app.post(
    '/api/console/webhooks/:id/calls/:callId/again',
    {
      schema: {
        ...told('Tells it once more, from the first try on'),
        params: webhookCallParams,
        response: { 200: webhookToldAgain },
      },
    },
    async (request) =>
      asPerson(request, async (change) => {
        const row = await requireWebhook(change, request.params.id);
        const tells = `webhook calls told again by ${change.person.userId}`;
        await requireTry(db, tells, TOLD_AGAIN, 'webhook_again_rate_limited', 'Many calls were told again.');
        const done = await tryAgain(change.tx, change.person.organizationId, row.id, request.params.callId, Date.now());
        if (done === 'unknown') throw unknown();
        if (done === 'underWay')
          throw new HttpError(409, 'webhook_call_under_way', 'It is being told at this moment. Look again in a minute.');
        return { ...ok, msg: 'It is told again within seconds.' };
      }),
  );

  app.post(
    '/api/console/webhooks/:id/test',
    {
      schema: { ...told('Sends a made-up event to the webhook’s address, now, and says what came back'), response: { 200: webhookTrial } },
    },
    async (request) => {
      const { row, organization } = await asPerson(request, async (change) => {
        const row = await requireWebhook(change, request.params.id);
        const tests = `webhook tests of ${change.person.userId}`;
        await requireTry(db, tests, TESTS, 'webhook_test_rate_limited', 'Many test calls were made.');
        return { row, organization: requireOrganization(planBook, change.person.organizationId) };
      });
      const event = { id: newId(), event: 'test' };
      const message = { ...event, at: new Date().toISOString(), lead: madeUp(organization, row.vertical_id) };
      const secret = webhookSecretOf(organization.keys, row.id, row.secret_epoch);
      const call = requestOf(row.url, secret, event, message, Date.now());
      const said = saidBy(await outbound.call({ request: call, timeoutMs: TRY_TIME_MS, bulkhead: `webhook ${row.id}` }));
      return { ...ok, ...said };
    },
  );
}

/** A lead that there is not, with all that a call says of one. */
function madeUp({ plan }: OrganizationPlan, verticalId: string): Record<string, unknown> {
  const vertical = plan.verticals.get(verticalId)?.config;
  const party = { id: newId(), name: 'Example', tierId: newId(), tierName: 'Example tier' };
  const money = { revenue: '20.0000', payout: '12.0000' };
  return {
    ...{ leadId: newId(), region: vertical?.regionSlug ?? '', vertical: vertical?.slug ?? '', subId: '', status: 'sold', reason: null },
    ...{ ...money, margin: '8.0000', currency: plan.currency, publisher: party, campaign: { id: newId(), name: 'Example' } },
    sales: [
      { buyerId: newId(), buyerName: 'Example', buyerTierId: newId(), buyerTierName: 'Example tier', ...money, buyerReference: null },
    ],
    returns: [],
  };
}

export const viewCall = (row: CallRow): WebhookCallView => ({
  _id: row.id,
  event: row.event,
  leadId: row.lead_id,
  madeAt: row.made_at.toISOString(),
  state: row.state as WebhookCallView['state'],
  tries: row.tries,
  lastAt: row.last_at?.toISOString() ?? null,
  nextAt: row.state === 'due' ? row.due_at.toISOString() : null,
  statusCode: row.status_code,
  failure: row.failure,
  elapsedMs: row.elapsed_ms,
});

export async function requireWebhook({ tx, person }: Pick<Change, 'tx' | 'person'>, id: string) {
  const row = await tx
    .selectFrom('webhook as w')
    .innerJoin('vertical as v', (join) => join.onRef('v.organization_id', '=', 'w.organization_id').onRef('v.id', '=', 'w.vertical_id'))
    .select(['w.id', 'w.name', 'w.url', 'w.vertical_id', 'w.secret_epoch', 'v.region_id'])
    .where('w.organization_id', '=', person.organizationId)
    .where('w.id', '=', id)
    .executeTakeFirst();
  if (!row || !mayOpenPage(person, WEBHOOK_PAGE, row.region_id, row.vertical_id)) throw unknown();
  return row;
}

const unknown = () => new HttpError(404, 'webhook_unknown', 'There is no such webhook or call, or it is not open to you.');
