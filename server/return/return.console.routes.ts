/** Returns that people enter: one lead on its page, or a buyer's file, in which each line stands for itself. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { keptReference } from '#contract/buyer-reference.ts';
import { type ReturnLine, returnBody, returnedAnswer, returnFileAnswer, returnFileBody } from '#contract/lead-return.ts';
import { fillModule, MESSAGES } from '#contract/message.ts';
import { formatMoney } from '#engine/money.ts';
import { nameOfChanger } from '#server/change-log/change-log.sql.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { OrganizationKeys } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { traceOf } from '#server/kit/error-trace.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { type ConsoleRoutes, decidingForbidden, forbidden, requireOrganization } from '#server/lead/lead.console.routes.ts';
import { findLeadPlace } from '#server/lead/lead-view.sql.ts';
import { keptWords } from '#server/lead/person-gone.sql.ts';
import { requirePlace } from '#server/region/region.routes.ts';
import { mayDecideLeads, mayReadLeads } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { logReturn } from './log-return.ts';
import { findSales, type ReturnRow, requireOne, type SoldLead, viewReturn } from './return.sql.ts';
import { type FileLine, readReturnFile } from './return-file.ts';
import { returnLead } from './return-lead.ts';

export async function returnConsoleRoutes(instance: FastifyInstance, options: ConsoleRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants } = options;
  const cookies = sessionCookies(options.config.appEnv);

  const enter = async (request: FastifyRequest): Promise<{ person: SignedIn; own: Db }> => {
    requireOwnPage(request);
    const person = await requireSignedIn(db, cookies, request);
    return { person, own: tenants.of(person.organizationId) };
  };

  app.post(
    '/api/console/leads/:id/return',
    {
      schema: {
        tags: ['console'],
        summary: 'Return a lead for its buyer, in whole or in part',
        params: z.object({ id: z.string().max(60) }),
        body: returnBody,
        response: { 200: returnedAnswer },
      },
    },
    async (request) => {
      const { person, own } = await enter(request);
      const { id: leadId } = request.params;
      const place = isId(leadId) ? await findLeadPlace(own, person.organizationId, leadId) : undefined;
      if (!place || !mayReadLeads(person, place.regionId, place.verticalId)) throw unknownLead();
      if (!mayDecideLeads(person, place.regionId, place.verticalId)) throw decidingForbidden();
      const { saleIndex, ...order } = request.body;
      const { keys } = requireOrganization(options.planBook, person.organizationId);
      const [sold] = await findSales(own, person.organizationId, { leadId, saleIndex });
      if (!sold) throw new HttpError(409, 'return_lead_unsold', 'This lead was not sold to that buyer, so there is nothing to give back.');
      const row = await inTenant(db, person.organizationId, (tx) =>
        returnAs(tx, keys, person, request.ip, sold, { ...order, via: 'console' }),
      );
      return { status: true as const, msg: MESSAGES.leadReturned, returned: viewReturn(row) };
    },
  );

  app.post(
    '/api/console/returns',
    {
      schema: {
        tags: ['console'],
        summary: 'Return the leads of a buyer’s CSV file; each line is told what became of it',
        body: returnFileBody,
        response: { 200: returnFileAnswer },
      },
    },
    async (request) => {
      const { person, own } = await enter(request);
      const { buyerId, text } = request.body;
      const place = await requirePlace(own, person, request.body);
      if (!mayReadLeads(person, place.regionId, place.verticalId)) throw forbidden();
      if (!mayDecideLeads(person, place.regionId, place.verticalId)) throw decidingForbidden();
      if (!isId(buyerId)) throw new HttpError(404, 'buyer_unknown', 'There is no such buyer.');
      const from = { buyerId, verticalId: place.verticalId };
      const { keys } = requireOrganization(options.planBook, person.organizationId);
      const lines: ReturnLine[] = [];
      // One after the other, each in a transaction of its own: a line that is refused keeps no other from being returned.
      for (const line of readReturnFile(text)) lines.push(await returnLine({ db, own, keys }, person, request, from, line));
      const returned = lines.filter((line) => line.isReturned).length;
      const msg = fillModule(MESSAGES.fileReturned, `${returned} of ${lines.length}`);
      return { status: true as const, msg, returned, lines };
    },
  );
}

const unknownLead = (): HttpError => new HttpError(404, 'lead_unknown', 'There is no lead with this id, or you may not see it.');

type Order = Omit<Parameters<typeof returnLead>[3], 'by'>;

async function returnAs(tx: Db, keys: OrganizationKeys, person: SignedIn, ip: string, sold: SoldLead, order: Order): Promise<ReturnRow> {
  const by = { userId: person.userId, userName: nameOfChanger(person) };
  const note = await keptWords(tx, keys, sold.leadId, order.note);
  const row = await returnLead(tx, person.organizationId, sold, { ...order, note, by }, Date.now());
  await logReturn(tx, person, networkOf(ip), row);
  return row;
}

async function returnLine(
  { db, own, keys }: { db: Db; own: Db; keys: OrganizationKeys },
  person: SignedIn,
  { ip, log }: Pick<FastifyRequest, 'ip' | 'log'>,
  from: { buyerId: string; verticalId: string },
  { line, lead, reason, amount, note }: FileLine,
): Promise<ReturnLine> {
  try {
    const sold = await requireSale(own, person.organizationId, from, lead);
    const order = { reason, note, amount: amount === '' ? undefined : amount, via: 'csv' as const };
    const row = await inTenant(db, person.organizationId, (tx) => returnAs(tx, keys, person, ip, sold, order));
    return { line, lead, leadId: row.leadId, isReturned: true, code: null, msg: 'Returned.', revenue: formatMoney(row.revenue) };
  } catch (error) {
    const refused = { line, lead, leadId: null, isReturned: false, revenue: null };
    if (error instanceof HttpError) return { ...refused, code: error.code, msg: error.message };
    // The lines before it stand, and those behind it are not kept waiting.
    log.error({ err: traceOf(error) }, 'a line of returns failed');
    return { ...refused, code: 'return_line_failed', msg: 'It failed on our side. Try this line again.' };
  }
}

/** A sale of the file's buyer in the vertical, by our lead id or by the buyer's reference. */
async function requireSale(
  own: Db,
  organizationId: string,
  from: { buyerId: string; verticalId: string },
  lead: string,
): Promise<SoldLead> {
  const name = isId(lead.toLowerCase()) ? { leadId: lead.toLowerCase() } : { reference: keptReference(lead) };
  return requireOne(await findSales(own, organizationId, name, from.buyerId, from.verticalId));
}
