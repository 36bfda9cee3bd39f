/** Samples beside the generic data calls: judged while an endpoint is written, and kept from a real attempt. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { attemptSampleAnswer, judgeSamplesAnswer, judgeSamplesBody, keepAttemptAnswer, keepAttemptBody } from '#contract/answer-sample.ts';
import { MESSAGES } from '#contract/message.ts';
import { requireEndpoint } from '#server/endpoint/endpoint-trial.routes.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import type { Tenants } from '#server/kit/tenant.ts';
import { requireOrganization } from '#server/lead/lead.console.routes.ts';
import { findLeadPlace, getLeadRecord } from '#server/lead/lead-view.sql.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { addRecord, forbidden } from '#server/record/record-change.ts';
import { mayReadLeads, maySetUpIn } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { judgeSamples } from './judge-sample.ts';
import { answerSample } from './sample.model.ts';
import { sampleOfAttempt } from './sample-of-attempt.ts';

const params = z.object({ id: z.string().max(60), attempt: z.coerce.number().int().min(0).max(1000) });

export async function sampleRoutes(instance: FastifyInstance, options: RecordParts & { tenants: Tenants }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary });

  app.post(
    '/api/console/endpoint/samples',
    {
      schema: { ...told('Whether an endpoint reads samples as it must'), body: judgeSamplesBody, response: { 200: judgeSamplesAnswer } },
    },
    (request) =>
      asPerson(request, async ({ person }) => {
        if (!answerSample.mayRead(person)) throw forbidden();
        const { endpoint, samples } = request.body;
        return { status: true as const, judgements: judgeSamples(requireEndpoint(endpoint), samples) };
      }),
  );

  app.get(
    '/api/console/leads/:id/attempts/:attempt/sample',
    {
      schema: { ...told('The answer to an attempt as a sample of its tier, masked'), params, response: { 200: attemptSampleAnswer } },
    },
    (request) =>
      asPerson(request, async ({ person }) => {
        const { buyerTierId: _tier, ...sample } = await attemptSample(person, request.params);
        return { status: true as const, ...sample };
      }),
  );

  app.post(
    '/api/console/leads/:id/attempts/:attempt/sample',
    {
      schema: {
        ...told('Keep the answer to an attempt as a sample of its tier, masked'),
        params,
        body: keepAttemptBody,
        response: { 200: keepAttemptAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const { buyerTierId, leg, answer } = await attemptSample(change.person, request.params);
        await addRecord(change, answerSample, { buyerTierId, leg, answer, ...request.body });
        return { status: true as const, msg: MESSAGES.sampleKept };
      }),
  );

  /** For who reads the lead and may set its vertical up. */
  async function attemptSample(person: SignedIn, { id, attempt }: z.infer<typeof params>) {
    const own = options.tenants.of(person.organizationId);
    const place = isId(id) ? await findLeadPlace(own, person.organizationId, id) : undefined;
    if (!place || !mayReadLeads(person, place.regionId, place.verticalId))
      throw new HttpError(404, 'lead_unknown', 'There is no lead with this id, or you may not see it.');
    if (!maySetUpIn(person, place.verticalId)) throw forbidden();
    const organization = requireOrganization(options.planBook, person.organizationId);
    return sampleOfAttempt(organization, await getLeadRecord(own, organization, id), attempt);
  }
}
