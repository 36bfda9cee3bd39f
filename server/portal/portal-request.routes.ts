/** What a portal's member asks for: changes of the company's own records, and leads to give back. Each waits until it is decided. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { askBody, askedAnswer, portalRequestsAnswer, portalRequestsQuery, requestDecidedAnswer } from '#contract/change-request.ts';
import { MESSAGES } from '#contract/message.ts';
import { portalReturnAnswer, portalReturnBody } from '#contract/portal.ts';
import { nameOfChanger } from '#server/change-log/change-log.sql.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { takeTry } from '#server/kit/throttle.ts';
import { keptWords } from '#server/lead/person-gone.sql.ts';
import { logReturn } from '#server/return/log-return.ts';
import type { SoldLead } from '#server/return/return.sql.ts';
import { returnLead } from '#server/return/return-lead.ts';
import { requireOwnPage } from '#server/session/signed-in.ts';
import { askChange, askReturn, requireOwnSale } from './ask-change.ts';
import { closeRequest, listCompanyRequests, lockRequest, requireOpen } from './change-request.sql.ts';
import { viewPortalRequest } from './change-request.view.ts';
import { openPortalDoor, type PortalParts, type Visitor } from './portal-door.ts';

const tags = ['portal'];
const REQUESTS = '/api/console/portal/requests';
/** Of a company. Who has more to ask should call the organization. */
const ASKED = { limit: 200, windowMs: 3_600_000 };

export async function portalRequestRoutes(instance: FastifyInstance, options: PortalParts): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db } = options;
  const door = openPortalDoor(options);

  app.get(
    REQUESTS,
    {
      schema: {
        ...{ tags, summary: 'What was asked for, the open ones first' },
        querystring: portalRequestsQuery,
        response: { 200: portalRequestsAnswer },
      },
    },
    async (request) => {
      const { own, person } = await door.enter(request);
      const { rows, total } = await listCompanyRequests(own, person.organizationId, person.bound, request.query.page);
      return { status: true as const, rows: rows.map(viewPortalRequest), total };
    },
  );

  app.post(
    REQUESTS,
    { schema: { tags, summary: 'Ask for a change of a record of one’s own', body: askBody, response: { 200: askedAnswer } } },
    async (request) => {
      requireOwnPage(request);
      const visitor = await door.enter(request);
      await takeAsk(db, visitor);
      const row = await inTenant(db, visitor.person.organizationId, (tx) => askChange(tx, visitor, request.body));
      return { status: true as const, msg: MESSAGES.requestSent, request: viewPortalRequest(row) };
    },
  );

  app.post(
    `${REQUESTS}/:id/withdraw`,
    {
      schema: {
        ...{ tags, summary: 'Take a request back that is not decided' },
        params: z.object({ id: z.string().max(60) }),
        response: { 200: requestDecidedAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const { person } = await door.enter(request);
      const { id } = request.params;
      await inTenant(db, person.organizationId, async (tx) => {
        const row = isId(id) ? await lockRequest(tx, person.organizationId, id) : undefined;
        const owner = person.bound.kind === 'buyer' ? row?.buyer_id : row?.publisher_id;
        if (!row || owner !== person.bound.companyId) throw new HttpError(404, 'request_unknown', 'You have no such request.');
        requireOpen(row);
        await closeRequest(tx, row, { status: 'withdrawn', by: { userId: person.userId, name: nameOfChanger(person) }, answer: '' });
      });
      return { status: true as const, msg: MESSAGES.requestWithdrawn };
    },
  );

  app.post(
    '/api/console/portal/returns',
    {
      schema: {
        ...{ tags, summary: 'Give a lead back that the buyer bought, or ask for it where its tier wants that decided' },
        body: portalReturnBody,
        response: { 200: portalReturnAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const visitor = await door.enter(request, 'buyer');
      await takeAsk(db, visitor);
      const { person } = visitor;
      const isReturned = await inTenant(db, person.organizationId, async (tx) => {
        const sold = await requireOwnSale(tx, visitor, request.body);
        if (!(await isAtOnce(tx, person.organizationId, sold))) {
          await askReturn(tx, visitor, sold, request.body);
          return false;
        }
        const { reason, amount } = request.body;
        const note = await keptWords(tx, visitor.organization.keys, sold.leadId, request.body.note);
        const by = { userId: person.userId, userName: nameOfChanger(person) };
        const row = await returnLead(tx, person.organizationId, sold, { reason, note, amount, via: 'portal', by }, Date.now());
        await logReturn(tx, person, networkOf(request.ip), row);
        return true;
      });
      return { status: true as const, msg: isReturned ? MESSAGES.returnedAtOnce : MESSAGES.returnAsked, isReturned };
    },
  );
}

async function isAtOnce(tx: Db, organizationId: string, { buyerTierId }: SoldLead): Promise<boolean> {
  const { portal_returns } = await tx
    .selectFrom('buyer_tier')
    .select('portal_returns')
    .where('organization_id', '=', organizationId)
    .where('id', '=', buyerTierId)
    .executeTakeFirstOrThrow();
  return portal_returns;
}

async function takeAsk(db: Db, { company }: Visitor): Promise<void> {
  const waitMs = await takeTry(db, `requests of ${company._id}`, ASKED.limit, ASKED.windowMs);
  if (waitMs > 0)
    throw new HttpError(429, 'request_rate_limited', 'So much was asked for within the hour that more has to wait.', {
      retryAfterSeconds: Math.ceil(waitMs / 1000),
    });
}
