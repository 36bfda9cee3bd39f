/** What portals ask for, for who sets up: listed, counted, approved or declined. Who asked is told by mail. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  approveBody,
  changeRequestsAnswer,
  changeRequestsQuery,
  declineBody,
  requestCountAnswer,
  requestDecidedAnswer,
} from '#contract/change-request.ts';
import { MESSAGES } from '#contract/message.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { beyondTenant, type Tenants } from '#server/kit/tenant.ts';
import { composeMail } from '#server/mail/compose-mail.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { openRecordCall, type RecordParts } from '#server/record/record-call.ts';
import type { Change } from '#server/record/record-change.ts';
import { requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { countRequests, findAsker, listRequests, type RequestRow } from './change-request.sql.ts';
import { viewChangeRequest } from './change-request.view.ts';
import { approveRequest, declineRequest, requireSetUp, standingOf } from './decide-request.ts';

const tags = ['console'];
const params = z.object({ id: z.string().max(60) });
const URL = '/api/console/change-requests';

export async function changeRequestRoutes(
  instance: FastifyInstance,
  options: RecordParts & { tenants: Tenants; mailer: Mailer; addresses: Addresses },
): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, tenants, mailer, addresses } = options;
  const cookies = sessionCookies(options.config.appEnv);
  const asPerson = openRecordCall(options);

  app.get(
    URL,
    {
      schema: {
        ...{ tags, summary: 'What portals ask to have changed: the open ones, or those that are decided' },
        querystring: changeRequestsQuery,
        response: { 200: changeRequestsAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        requireSetUp(change.person);
        const { rows, total } = await listRequests(change.tx, change.person, request.query);
        const told = [];
        for (const row of rows) told.push(viewChangeRequest(row, row.status === 'open' ? await standingOf(change, row) : undefined));
        return { status: true as const, rows: told, total };
      }),
  );

  app.get(
    `${URL}/count`,
    { schema: { tags, summary: 'How many requests wait', response: { 200: requestCountAnswer } } },
    async (request) => {
      // The menu asks by itself, now and then: that keeps nobody's session open.
      const person = await requireSignedIn(db, cookies, request, false);
      requireSetUp(person);
      return { status: true as const, open: await countRequests(tenants.of(person.organizationId), person) };
    },
  );

  app.post(
    `${URL}/:id/approve`,
    {
      schema: {
        ...{ tags, summary: 'Approve a request: the record is changed as if by hand' },
        params,
        body: approveBody,
        response: { 200: requestDecidedAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const row = await approveRequest(change, request.params.id, request.body);
        await tellAsker(change, row, 'approved', request.body.answer);
        return { status: true as const, msg: MESSAGES.requestApproved };
      }),
  );

  app.post(
    `${URL}/:id/decline`,
    {
      schema: {
        ...{ tags, summary: 'Decline a request, and say why' },
        params,
        body: declineBody,
        response: { 200: requestDecidedAnswer },
      },
    },
    (request) =>
      asPerson(request, async (change) => {
        const row = await declineRequest(change, request.params.id, request.body.answer);
        await tellAsker(change, row, 'declined', request.body.answer);
        return { status: true as const, msg: MESSAGES.requestDeclined };
      }),
  );

  async function tellAsker({ tx, person }: Change, row: RequestRow, word: 'approved' | 'declined', answer: string): Promise<void> {
    const asker = await findAsker(tx, row);
    if (!asker) return;
    const { name, sub_domain } = await tx
      .selectFrom('organization')
      .select(['name', 'sub_domain'])
      .where('id', '=', person.organizationId)
      .executeTakeFirstOrThrow();
    const what = row.model === 'leadReturn' ? `The return of ${row.record_name.toLowerCase()}` : `Your change of ${row.record_name}`;
    const content = composeMail({
      subject: `${what} is ${word}`,
      paragraphs: [
        `Hello ${asker.firstName},`,
        `${what}, which you asked ${name} for, is ${word}.`,
        ...(answer ? [`They say: ${answer}`] : []),
      ],
      button: { label: 'Open your portal', url: `${addresses.origin(sub_domain)}/setup/home-${row.buyer_id ? 'buyer' : 'publisher'}` },
      after: [],
    });
    await beyondTenant(tx, (all) => mailer.file(all, 'change-request', asker.email, content));
  }
}
