/** A breaker is closed by hand, by whoever may set the tier up; the change log says who. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import { buyerTier } from '#server/buyer/buyer.models.ts';
import { insertChange } from '#server/change-log/change-log.sql.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { lockRow } from '#server/record/record.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { nameOf } from '#server/record/record-model.ts';
import { findOpen, resetBreaker } from './breaker.sql.ts';
import type { BreakerBook } from './breaker-book.ts';
import { sayBreaker } from './say-breaker.ts';

const answer = z.object({ status: z.literal(true), msg: z.string() });

export async function breakerRoutes(instance: FastifyInstance, options: RecordParts & { breakers: BreakerBook }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);

  app.post(
    '/api/console/buyer-tiers/:id/close-breaker',
    {
      schema: {
        tags: ['console'],
        summary: 'Close the breaker of a buyer tier: leads are sent to it again at once',
        params: z.object({ id: z.string().max(60) }),
        response: { 200: answer },
      },
    },
    async (request) => {
      const organizationId = await asPerson(request, async ({ tx, person, address }) => {
        const { id } = request.params;
        const row = isId(id) && buyerTier.mayWrite(person) ? await lockRow(tx, buyerTier, person, id) : undefined;
        if (!row || row.status === 'archived') throw new HttpError(404, 'buyer_tier_unknown', 'There is no such buyer tier in your reach.');
        const open = await findOpen(tx, person.organizationId, id);
        if (!open)
          throw new HttpError(409, 'breaker_closed', 'The breaker is closed already: the tier gets leads. Load the page again to see it.');
        await resetBreaker(tx, person.organizationId, id);
        await insertChange(tx, person, {
          address,
          model: 'buyerTier',
          recordId: id,
          recordName: nameOf(buyerTier, row),
          action: 'edit',
          before: { breakerState: sayBreaker(open, Date.now()) },
          after: { breakerState: 'Closed by hand.' },
          rollsBack: null,
        });
        return person.organizationId;
      });
      // The next call to this node finds it closed; the others hear of it a moment later.
      await options.breakers.reload(organizationId).catch(() => {});
      return { status: true as const, msg: MESSAGES.breakerClosed };
    },
  );
}
