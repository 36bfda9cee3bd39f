/** What rules of keeping would take away, before somebody saves them. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { RETENTION_COUNTED, retentionPreview, retentionPreviewBody } from '#contract/retention.ts';
import { type ConsoleRoutes, forbidden } from '#server/lead/lead.console.routes.ts';
import { mayOpenPage } from '#server/session/session.policy.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { RETENTION_PAGE } from './retention.model.ts';
import { callDays, countDue, countDueCalls, keptFrom, type RetentionRule } from './retention.sql.ts';

const FIRST = '00000000-0000-0000-0000-000000000000';

export async function retentionRoutes(instance: FastifyInstance, { db, tenants, planBook, config }: ConsoleRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const cookies = sessionCookies(config.appEnv);
  app.post(
    '/api/console/retention/preview',
    {
      schema: {
        tags: ['console'],
        summary: `How many leads and refused calls of a vertical such rules would take something from today; of each rule ${RETENTION_COUNTED} are looked at`,
        body: retentionPreviewBody,
        response: { 200: retentionPreview },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const person = await requireSignedIn(db, cookies, request);
      const { verticalId, unsoldDays, soldDays, wireDays } = request.body;
      const own = tenants.of(person.organizationId);
      const place = planBook.find(person.organizationId)?.verticals.get(verticalId);
      if (!place || !mayOpenPage(person, RETENTION_PAGE, place.regionId, verticalId)) throw forbidden();
      const row = await own
        .selectFrom('retention')
        .select(['unsold_after', 'sold_after', 'wires_after', 'calls_after'])
        .where('organization_id', '=', person.organizationId)
        .where('vertical_id', '=', verticalId)
        .executeTakeFirst();
      const countCalls = async () => {
        const before = keptFrom(callDays(unsoldDays, wireDays), Date.now());
        const span = { organizationId: person.organizationId, verticalId, after: row?.calls_after ?? FIRST };
        return before === undefined ? { calls: 0, isMore: false } : countDueCalls(own, { ...span, before }, RETENTION_COUNTED);
      };
      const count = async (rule: RetentionRule, days: number | null, after = FIRST) => {
        const before = keptFrom(days, Date.now());
        const span = { organizationId: person.organizationId, verticalId, after };
        return before === undefined ? { leads: 0, isMore: false } : countDue(own, { ...span, before }, rule, RETENTION_COUNTED);
      };
      const [unsold, sold, wires, refused] = await Promise.all([
        count('unsold', unsoldDays, row?.unsold_after),
        count('sold', soldDays, row?.sold_after),
        count('wires', wireDays, row?.wires_after),
        countCalls(),
      ]);
      const isMore = [unsold, sold, wires, refused].some((one) => one.isMore);
      return { status: true as const, unsold: unsold.leads, sold: sold.leads, wires: wires.leads, refused: refused.calls, isMore };
    },
  );
}
