/** The address that a payment processor reports to: shown to who sets it up, and made anew when it got into wrong hands. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import { paymentAddressAnswer, paymentAddressRenewed } from '#contract/payment.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { makeRecordToken } from '#server/kit/record-token.ts';
import { lockRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { nameOf } from '#server/record/record-model.ts';
import { maySetUpIn } from '#server/session/session.policy.ts';
import { paymentProcessor } from './payment-processor.model.ts';

const params = z.object({ id: z.string().max(60) });

export async function paymentAddressRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);

  app.get(
    '/api/console/payment-processors/:id/address',
    { schema: { tags: ['console'], summary: 'Where a payment processor reports to', params, response: { 200: paymentAddressAnswer } } },
    (request) => asPerson(request, (change) => addressOf(change, request.params.id)),
  );

  app.post(
    '/api/console/payment-processors/:id/address/renew',
    {
      schema: {
        tags: ['console'],
        summary: 'Make a new address for its reports; the one before opens nothing any more',
        params,
        response: { 200: paymentAddressRenewed },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { tx, person, address, routing } = change;
        const { id } = request.params;
        const row = await requireProcessor(change, id);
        await tx
          .updateTable('payment_processor')
          .set(({ eb }) => ({ postback_epoch: eb('postback_epoch', '+', 1) }))
          .where('organization_id', '=', person.organizationId)
          .where('id', '=', id)
          .execute();
        await insertChange(tx, person, {
          ...{ address, model: 'paymentProcessor', recordId: id, recordName: nameOf(paymentProcessor, row), action: 'edit' },
          ...{ before: {}, after: { address: 'made anew' }, rollsBack: null },
        });
        // Reports are let in by the plan.
        routing.isNew = true;
        return { ...(await addressOf(change, id)), msg: MESSAGES.paymentAddressRenewed };
      }),
  );
}

async function addressOf(change: Change, id: string) {
  await requireProcessor(change, id);
  const { postback_epoch } = await change.tx
    .selectFrom('payment_processor')
    .select('postback_epoch')
    .where('organization_id', '=', change.person.organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { status: true as const, path: `/api/v1/payments/${makeRecordToken(change.keys(), 'payments', id, postback_epoch)}` };
}

async function requireProcessor({ tx, person }: Change, id: string) {
  const row = isId(id) && paymentProcessor.mayWrite(person) ? await lockRow(tx, paymentProcessor, person, id) : undefined;
  if (!row || row.status === 'archived' || !maySetUpIn(person, String(row.vertical_id)))
    throw new HttpError(404, 'payment_processor_unknown', 'There is no such payment processor in your reach.');
  return row;
}
