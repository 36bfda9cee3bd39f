/** A breaker is closed by hand, by whoever may set the tier up; the change log says who. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import { noteByHand, requireTierByHand } from '#server/buyer/change-by-hand.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
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
      const organizationId = await asPerson(request, async (change) => {
        const { tx, person } = change;
        const { id } = request.params;
        const row = await requireTierByHand(change, id);
        const open = await findOpen(tx, person.organizationId, id);
        if (!open)
          throw new HttpError(409, 'breaker_closed', 'The breaker is closed already: the tier gets leads. Load the page again to see it.');
        await resetBreaker(tx, person.organizationId, id);
        await noteByHand(change, row, { breakerState: sayBreaker(open, Date.now()) }, { breakerState: 'Closed by hand.' });
        return person.organizationId;
      });
      // The next call to this node finds it closed; the others hear of it a moment later.
      await options.breakers.reload(organizationId).catch(() => {});
      return { status: true as const, msg: MESSAGES.breakerClosed };
    },
  );
}
