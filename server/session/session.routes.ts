/** Sign-in, session bootstrap and sign-out (account §7, console §7). */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { NOBODY } from '#contract/nobody.ts';
import { type SessionView, sessionView, teamLoginAnswer, teamLoginBody } from '#contract/session.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { GateFull } from '#server/kit/gate.ts';
import { HttpError } from '#server/kit/http-error.ts';
import type { RateLimiter } from '#server/kit/rate-limiter.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { verifyPassword } from './password.ts';
import { globalPermission, mayEverything, pageStatePermission } from './session.policy.ts';
import { deleteSession, findUserByEmail, insertSession, listOrganizations, type SignedIn } from './session.sql.ts';
import { viewOrganization, viewPerson, viewUser } from './session.view.ts';
import { clearSessionCookie, findSignedIn, requireOwnPage, sessionCookies, setSessionCookie, startOf } from './signed-in.ts';

export interface SessionRoutes {
  db: Db;
  config: Config;
  planBook: PlanBook;
  limiter: RateLimiter;
}

const logoutAnswer = z.object({ status: z.boolean(), msg: z.string() });

const TRIES_PER_ACCOUNT = 10;
const TRIES_PER_ADDRESS = 60;
const PER_MS = 60_000;

export async function sessionRoutes(instance: FastifyInstance, options: SessionRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config, limiter } = options;
  const cookies = sessionCookies(config.appEnv);

  app.post(
    '/team-login',
    { schema: { tags: ['account'], summary: 'Sign in (account §7)', body: teamLoginBody, response: { 200: teamLoginAnswer } } },
    async (request, reply) => {
      requireOwnPage(request);
      const email = plainEmail(request.body.email);
      const giveBack = takeTry(limiter, email, request.ip);
      const { user, matches } = await checkPassword(db, email, request.body.password).catch((error) => {
        giveBack();
        throw error instanceof GateFull ? tooManySignIns() : error;
      });
      const organizations = user && matches ? await listOrganizations(db, user.id) : [];
      const first = organizations.find((one) => `${one.sub_domain}.${config.rootDomain}` === request.hostname) ?? organizations[0];
      if (!user || !matches || !first) throw new HttpError(401, 'session_refused', 'The e-mail address or the password is not right.');
      giveBack();
      const old = request.cookies[cookies.name];
      if (old) await deleteSession(db, old);
      setSessionCookie(reply, cookies, await insertSession(db, user.id, first.id, startOf(request)));
      return {
        status: true,
        msg: 'You are signed in.',
        isEnv: config.appEnv !== 'production',
        _id: user.id,
        user: viewUser(user),
        organizations: organizations.map(viewOrganization),
      };
    },
  );

  app.get(
    '/api/v1/teamMgmt/user/is-user-is-logged-in',
    {
      schema: {
        tags: ['account'],
        summary: 'Who is signed in, and what they may (account §7)',
        querystring: z.object({ t: z.string().max(40).optional() }),
        response: { 200: sessionView },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const person = await findSignedIn(db, cookies, request);
      return person ? viewSession(options, person, await listOrganizations(db, person.userId)) : NOBODY;
    },
  );

  app.get(
    '/admin/logout',
    {
      schema: {
        tags: ['account'],
        summary: 'Sign out (console §7)',
        querystring: z.object({
          t: z.string().optional(),
          lastURL: z.string().max(2000).optional(),
          timeStamp: z.string().max(500).optional(),
        }),
        response: { 200: logoutAnswer },
      },
    },
    async (request, reply) => {
      // A link on a foreign page must not sign anybody out.
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none')
        throw new HttpError(403, 'request_foreign', 'Sign out from the console itself.');
      const token = request.cookies[cookies.name];
      if (token) await deleteSession(db, token);
      clearSessionCookie(reply, cookies);
      return { status: true, msg: 'You are signed out.' };
    },
  );
}

/** One account in one spelling: it is looked up and counted by this. */
function plainEmail(text: string): string {
  return text.normalize('NFKC').trim().toLowerCase().normalize('NFKC');
}

/**
 * Counts a try before it is looked at, so that tries at the same moment cannot pass together. Returns how to undo it: only
 * tries that failed count, and who knows the password is never kept out by signing in often.
 */
function takeTry(limiter: RateLimiter, email: string, address: string): () => void {
  const now = Date.now();
  const taken: string[] = [];
  const giveBack = () => {
    for (const name of taken.splice(0)) limiter.giveBack(name, PER_MS, now);
  };
  const counts = [
    [`login from ${networkOf(address)}`, TRIES_PER_ADDRESS],
    [`login ${email}`, TRIES_PER_ACCOUNT],
  ] as const;
  for (const [name, limit] of counts) {
    const waitMs = limiter.take(name, limit, PER_MS, now);
    if (waitMs > 0) {
      giveBack();
      const seconds = Math.ceil(waitMs / 1000);
      throw new HttpError(429, 'session_rate_limited', `Too many tries. Try again in ${seconds} s.`, { retryAfterSeconds: seconds });
    }
    taken.push(name);
  }
  return giveBack;
}

async function checkPassword(db: Db, email: string, password: string) {
  const user = await findUserByEmail(db, email);
  return { user, matches: await verifyPassword(user?.password_hash ?? undefined, password) };
}

function tooManySignIns(): HttpError {
  return new HttpError(429, 'session_busy', 'Too many people are signing in. Try again in a second.', { retryAfterSeconds: 1 });
}

function viewSession(options: SessionRoutes, person: SignedIn, organizations: Awaited<ReturnType<typeof listOrganizations>>): SessionView {
  const views = organizations.map(viewOrganization);
  const plan = options.planBook.find(person.organizationId);
  const vertical = plan && [...plan.plan.verticals.values()][0];
  return {
    ...NOBODY,
    status: true,
    user: viewPerson(person),
    organization: views.find((one) => one._id === person.organizationId) ?? null,
    organizations: views,
    permissionObj: {
      isSuperAdmin: person.isSuperAdmin,
      isOwner: mayEverything(person) && person.role === 'owner',
      isRestricted: person.isRestricted,
      globalPermission: globalPermission(person),
      permissions: mayEverything(person) ? [] : person.permissions,
      pageStatePermission: pageStatePermission(person),
    },
    verticalPrimaryField: vertical?.config.primaryField ?? null,
  };
}
