/** POST /api/v1/returns: a buyer gives back a lead that it bought, with its own key. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { returnCall, returnCallAnswer } from '#contract/lead-return.ts';
import { formatMoney } from '#engine/money.ts';
import { networkOf } from '#server/kit/caller.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { type ConsoleRoutes, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { keptWords } from '#server/lead/person-gone.sql.ts';
import { logReturn } from './log-return.ts';
import { findSales, requireOne } from './return.sql.ts';
import { requireKeyBuyer } from './return-key.ts';
import { returnLead } from './return-lead.ts';

export async function returnRoutes(
  instance: FastifyInstance,
  { db, tenants, planBook }: Pick<ConsoleRoutes, 'db' | 'tenants' | 'planBook'>,
): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  app.post(
    '/api/v1/returns',
    {
      schema: {
        tags: ['buyers'],
        summary: 'Return a lead you bought, with a reason',
        security: [{ returnKey: [] }],
        body: returnCall,
        response: { 200: returnCallAnswer },
      },
      // Who calls is asked before what: a stranger learns nothing of the shape of a return.
      preValidation: async (request) => void (await requireKeyBuyer(db, request.headers.authorization, Date.now())),
    },
    async (request) => {
      const { organizationId, buyerId, buyerName } = await requireKeyBuyer(db, request.headers.authorization, Date.now());
      const { leadId, reference, reason, amount } = request.body;
      const { keys } = requireOrganization(planBook, organizationId);
      const own = tenants.of(organizationId);
      const name = leadId === undefined ? { reference: reference! } : { leadId: leadId.toLowerCase() };
      const sold = requireOne('leadId' in name && !isId(name.leadId) ? [] : await findSales(own, organizationId, name, buyerId));
      const { currency } = await own
        .selectFrom('organization')
        .select('currency')
        .where('id', '=', organizationId)
        .executeTakeFirstOrThrow();
      const row = await inTenant(db, organizationId, async (tx) => {
        const note = await keptWords(tx, keys, sold.leadId, request.body.note);
        const done = await returnLead(tx, organizationId, sold, { reason, note, amount, via: 'api' }, Date.now());
        const changer = { organizationId, userId: buyerId, firstName: buyerName, lastName: '(buyer)', email: '' };
        await logReturn(tx, changer, networkOf(request.ip), done);
        return done;
      });
      return {
        status: true as const,
        leadId: row.leadId,
        reason: row.reason,
        amount: formatMoney(row.revenue),
        currency,
        returnedAt: new Date(row.returnedAt).toISOString(),
      };
    },
  );
}
