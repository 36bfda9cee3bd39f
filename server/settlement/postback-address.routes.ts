/** The address of a buyer tier's postbacks: shown to who sets the tier up, and made anew when it got into wrong hands. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import { postbackAddressAnswer, postbackRenewedAnswer } from '#contract/settlement.ts';
import { buyerTier } from '#server/buyer/buyer.models.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { makeRecordToken } from '#server/kit/record-token.ts';
import { lockRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { nameOf } from '#server/record/record-model.ts';

const params = z.object({ id: z.string().max(60) });

export async function postbackAddressRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);

  app.get(
    '/api/console/buyer-tiers/:id/postback',
    { schema: { tags: ['console'], summary: 'Where a buyer tier sends its postbacks', params, response: { 200: postbackAddressAnswer } } },
    (request) => asPerson(request, (change) => addressOf(change, request.params.id)),
  );

  app.post(
    '/api/console/buyer-tiers/:id/postback/renew',
    {
      schema: {
        tags: ['console'],
        summary: 'Make a new address for postbacks; the one before opens nothing any more',
        params,
        response: { 200: postbackRenewedAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { tx, person, address, routing } = change;
        const { id } = request.params;
        const tier = await requireTier(change, id);
        await tx
          .updateTable('buyer_tier')
          .set(({ eb }) => ({ postback_epoch: eb('postback_epoch', '+', 1) }))
          .where('organization_id', '=', person.organizationId)
          .where('id', '=', id)
          .execute();
        const recordName = nameOf(buyerTier, tier);
        const after = { postbackAddress: 'made anew' };
        await insertChange(tx, person, {
          address,
          model: 'buyerTier',
          recordId: id,
          recordName,
          action: 'edit',
          before: {},
          after,
          rollsBack: null,
        });
        // Postbacks are let in by the plan.
        routing.isNew = true;
        return { ...(await addressOf(change, id)), msg: MESSAGES.postbackRenewed };
      }),
  );
}

async function addressOf(change: Change, id: string) {
  await requireTier(change, id);
  const { postback_epoch } = await change.tx
    .selectFrom('buyer_tier')
    .select('postback_epoch')
    .where('organization_id', '=', change.person.organizationId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { status: true as const, path: `/api/v1/postback/${makeRecordToken(change.keys(), 'postback', id, postback_epoch)}` };
}

async function requireTier({ tx, person }: Change, id: string) {
  const row = isId(id) && buyerTier.mayWrite(person) ? await lockRow(tx, buyerTier, person, id) : undefined;
  if (!row || row.status === 'archived') throw new HttpError(404, 'buyer_tier_unknown', 'There is no such buyer tier in your reach.');
  return row;
}
