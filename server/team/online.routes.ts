/** Who is here now (account §2: /monitor/online-users): sessions of this organization seen within five minutes. */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { MESSAGES } from '#contract/message.ts';
import { doneAnswer, memberBody, onlineUsersAnswer } from '#contract/team.ts';
import type { Config } from '#server/kit/config.ts';
import { sha256 } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { inTenant } from '#server/kit/tenant.ts';
import { noteDone } from '#server/security-log/note.ts';
import { requireFreshProof } from '#server/session/fresh-proof.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { mayEndSessions, requireTeamRunner } from './team.policy.ts';
import { viewOnline } from './team.view.ts';

const ONLINE_MS = 5 * 60_000;

export async function onlineRoutes(instance: FastifyInstance, options: { db: Db; config: Config }): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config } = options;
  const cookies = sessionCookies(config.appEnv);

  app.get(
    '/api/v1/teamMgmt/monitor/online-users',
    { schema: { tags: ['account'], summary: 'Who is signed in now', response: { 200: onlineUsersAnswer } } },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      const mine = await ownSessionId(request);
      const rows = await inTenant(db, person.organizationId, (tx) => listOnline(tx, person.organizationId));
      const mayEnd = mayEndSessions(person);
      return { status: true as const, users: rows.map((row) => viewOnline(row, mine, mayEnd)), mayEnd };
    },
  );

  app.post(
    '/api/v1/teamMgmt/monitor/end-session',
    {
      schema: {
        tags: ['account'],
        summary: 'End a session of the organization; one of your own other than this asks for a fresh proof',
        body: memberBody,
        response: { 200: doneAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const person = await requireSignedIn(db, cookies, request);
      requireTeamRunner(person);
      const { _id } = request.body;
      // One's own on another device ends as on the page of one's sessions.
      const endsOwn = () => _id !== person.sessionId && requireFreshProof(person, config);
      const userId = isId(_id)
        ? await inTenant(db, person.organizationId, async (tx) => {
            if ((await whoseSession(tx, person.organizationId, _id)) === person.userId) endsOwn();
            return endSession(tx, person.organizationId, _id);
          })
        : undefined;
      if (!userId) throw new HttpError(404, 'session_unknown', 'There is no such session in your organization; it may have ended.');
      noteDone(request, { kind: 'session-ended', userId, organizationId: person.organizationId, byUserId: person.userId });
      return { status: true as const, msg: MESSAGES.sessionEnded };
    },
  );

  async function ownSessionId(request: FastifyRequest): Promise<string | undefined> {
    const token = request.cookies[cookies.name];
    if (!token) return undefined;
    return (await db.selectFrom('session').select('id').where('token_hash', '=', sha256(token)).executeTakeFirst())?.id;
  }
}

function listOnline(tx: Db, organizationId: string) {
  return tx
    .selectFrom('session as s')
    .innerJoin('app_user as u', 'u.id', 's.user_id')
    .select(['s.id', 's.user_id', 's.address', 's.user_agent', 's.created_at', 's.seen_at', 'u.first_name', 'u.last_name', 'u.email'])
    .where('s.organization_id', '=', organizationId)
    .where('s.stage', '=', 'full')
    .where('s.expires_at', '>', new Date())
    .where('s.seen_at', '>', new Date(Date.now() - ONLINE_MS))
    .orderBy('s.seen_at', 'desc')
    .limit(500)
    .execute();
}

async function whoseSession(tx: Db, organizationId: string, id: string): Promise<string | undefined> {
  const session = await tx
    .selectFrom('session')
    .select('user_id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .executeTakeFirst();
  return session?.user_id;
}

/** Whose it was; undefined when there is no such session. */
async function endSession(tx: Db, organizationId: string, id: string): Promise<string | undefined> {
  const ended = await tx
    .deleteFrom('session')
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('user_id')
    .executeTakeFirst();
  return ended?.user_id;
}
