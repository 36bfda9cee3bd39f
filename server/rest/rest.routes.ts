/** A rest is ended by hand, by whoever may set the tier up: somebody has spoken with the buyer. The change log says who. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '#contract/message.ts';
import { noteByHand, requireTierByHand } from '#server/buyer/change-by-hand.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { endRest } from './rest.sql.ts';
import type { RestBook } from './rest-book.ts';

const answer = z.object({ status: z.literal(true), msg: z.string() });

export async function restRoutes(instance: FastifyInstance, options: RecordParts & { rests: RestBook }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);

  app.post(
    '/api/console/buyer-tiers/:id/end-rest',
    {
      schema: {
        tags: ['console'],
        summary: 'End the rest that the buyer of a tier asked for: leads are sent to it again at once',
        params: z.object({ id: z.string().max(60) }),
        response: { 200: answer },
      },
    },
    async (request) => {
      const organizationId = await asPerson(request, async (change) => {
        const { tx, person } = change;
        const { id } = request.params;
        const row = await requireTierByHand(change, id);
        const until = await endRest(tx, person.organizationId, id);
        if (until === undefined || until <= Date.now())
          throw new HttpError(409, 'rest_over', 'The buyer is asked already: the tier gets leads. Load the page again to see it.');
        await noteByHand(change, row, { restsUntil: new Date(until).toISOString() }, { restsUntil: null });
        return person.organizationId;
      });
      // The next call to this node finds it over; the others hear of it a moment later.
      await options.rests.reload(organizationId).catch(() => {});
      return { status: true as const, msg: MESSAGES.restEnded };
    },
  );
}
