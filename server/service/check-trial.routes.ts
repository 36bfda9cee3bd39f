/** Trying a ready-made check while it is set up. Nothing of it is stored. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { tryCheckAnswer, tryCheckBody } from '#contract/pre-check.ts';
import { normaliseLead } from '#engine/field.ts';
import { judgePreCheck } from '#engine/pre-check.ts';
import { isId } from '#server/kit/ids.ts';
import { requireVerticalPlan } from '#server/plan/check-tier.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import { forbidden, unknown } from '#server/record/record-change.ts';
import { maySetUpIn } from '#server/session/session.policy.ts';
import { requireCheckable } from './require-checkable.ts';
import { service } from './service.models.ts';

export async function checkTrialRoutes(instance: FastifyInstance, options: RecordParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const asPerson = openRecordCall(options);

  app.post(
    '/api/console/service/try-check',
    {
      schema: {
        tags: ['console'],
        summary: 'What a ready-made check says of a lead',
        body: tryCheckBody,
        response: { 200: tryCheckAnswer },
      },
    },
    (request) =>
      asPerson(request, async ({ tx, person }) => {
        const { verticalId, check, lead } = request.body;
        if (!service.mayRead(person)) throw forbidden();
        if (!isId(verticalId)) throw unknown();
        const { config } = await requireVerticalPlan(tx, person.organizationId, verticalId);
        if (!maySetUpIn(person, verticalId)) throw forbidden();
        requireCheckable(check, config);
        const { outcome, reason } = judgePreCheck(check, normaliseLead(config, lead, true).fields, Date.now());
        return {
          status: true as const,
          outcome: outcome === 'passed' ? ('passed' as const) : ('refused' as const),
          reason: reason ?? null,
        };
      }),
  );
}
