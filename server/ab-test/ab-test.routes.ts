/** The calls of the page of A/B tests (product.md, key 28). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  abTestAdd,
  abTestAnswer,
  abTestBoard,
  abTestBoardQuery,
  abTestChanged,
  abTestEdit,
  abTestPromote,
  abTestStep,
} from '#contract/ab-test.ts';
import { MESSAGES } from '#contract/message.ts';
import { forbidden } from '#server/lead/lead.console.routes.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import type { AbTestRow } from './ab-test.sql.ts';
import { viewBoard, viewTest } from './ab-test.view.ts';
import { addTest, discardTest, editTest, promoteVariant, requireTest, startTest, stopTest, type TestedCampaign } from './change-test.ts';

const params = z.object({ id: z.string().max(60) });
const BASE = '/api/console/ab-tests';

export async function abTestRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);
  const told = (summary: string) => ({ tags: ['console'], summary });
  const changed = (summary: string) => ({ ...told(summary), params, response: { 200: abTestChanged } });

  const view = (change: Change, test: AbTestRow, campaign: TestedCampaign) =>
    viewTest(change, test, campaign, options.planBook.find(change.person.organizationId));

  /** The test as it is after the change. */
  async function answer(change: Change, id: string, msg: string) {
    const { test, campaign } = await requireTest(change, id, false);
    return { ...(await view(change, test, campaign)), msg };
  }

  app.get(
    BASE,
    {
      schema: {
        ...told('The A/B tests of a vertical, and the campaigns that can be tested'),
        querystring: abTestBoardQuery,
        response: { 200: abTestBoard },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const place = await requirePlace(change.tx, change.person, request.query);
        if (!mayOpenPage(change.person, 'ab-testing', place.regionId, place.verticalId)) throw forbidden();
        return viewBoard(change, place.verticalId);
      }),
  );

  app.get(
    `${BASE}/:id`,
    { schema: { ...told('An A/B test with what came of each variant'), params, response: { 200: abTestAnswer } } },
    (request) =>
      asPerson(request, async (change) => {
        const { test, campaign } = await requireTest(change, request.params.id, false);
        return view(change, test, campaign);
      }),
  );

  app.post(BASE, { schema: { ...told('Make an A/B test, as a draft'), body: abTestAdd, response: { 200: abTestChanged } } }, (request) =>
    asPerson(request, async (change) => answer(change, await addTest(change, request.body), MESSAGES.testSaved)),
  );

  app.post(`${BASE}/:id`, { schema: { ...changed('Change the draft of an A/B test'), body: abTestEdit } }, (request) =>
    asPerson(request, async (change) => {
      await editTest(change, request.params.id, request.body);
      return answer(change, request.params.id, MESSAGES.testSaved);
    }),
  );

  app.post(
    `${BASE}/:id/start`,
    { schema: { ...changed('Start an A/B test: consumers are split from the next lead on'), body: abTestStep } },
    (request) =>
      asPerson(request, async (change) => {
        await startTest(change, request.params.id, request.body.version);
        return answer(change, request.params.id, MESSAGES.testStarted);
      }),
  );

  app.post(`${BASE}/:id/stop`, { schema: { ...changed('Stop an A/B test for good'), body: abTestStep } }, (request) =>
    asPerson(request, async (change) => {
      await stopTest(change, request.params.id, request.body.version);
      return answer(change, request.params.id, MESSAGES.testStopped);
    }),
  );

  app.post(`${BASE}/:id/discard`, { schema: { ...changed('Throw the draft of an A/B test away'), body: abTestStep } }, (request) =>
    asPerson(request, async (change) => {
      await discardTest(change, request.params.id, request.body.version, 'archived');
      return answer(change, request.params.id, MESSAGES.testDiscarded);
    }),
  );

  app.post(`${BASE}/:id/restore`, { schema: { ...changed('Take a draft back that was thrown away'), body: abTestStep } }, (request) =>
    asPerson(request, async (change) => {
      await discardTest(change, request.params.id, request.body.version, 'draft');
      return answer(change, request.params.id, MESSAGES.testRestored);
    }),
  );

  app.post(
    `${BASE}/:id/promote`,
    { schema: { ...changed('Make what a variant changes the campaign’s own; a running test stops with it'), body: abTestPromote } },
    (request) =>
      asPerson(request, async (change) => {
        const { variantId, version, state } = request.body;
        await promoteVariant(change, request.params.id, variantId, version, state);
        return answer(change, request.params.id, MESSAGES.testPromoted);
      }),
  );
}
