/** Sign-in, session bootstrap, hand-over between sub-domains, and sign-out (account §7, console §7). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { DOWNLOAD_FILE_URL } from '#contract/csv.ts';
import { plainEmail } from '#contract/email.ts';
import { MESSAGES } from '#contract/message.ts';
import { NOBODY } from '#contract/nobody.ts';
import { lastPageTimeStamp, type SessionView, sessionView } from '#contract/session.ts';
import {
  autoLoginBody,
  chooseOrganizationAnswer,
  chooseOrganizationBody,
  endSessionBody,
  saidAnswer,
  sessionListAnswer,
  teamLoginAnswer,
  teamLoginBody,
} from '#contract/sign-in.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import { networkOf } from '#server/kit/caller.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { isId } from '#server/kit/ids.ts';
import { verifyPassword } from '#server/password/password.ts';
import type { PlanBook } from '#server/plan/plan-book.ts';
import { noteBadLink, noteDone, noteSubject } from '#server/security-log/note.ts';
import { endTokens, findToken, type LivingSession, takeToken } from '#server/token/one-time-token.ts';
import { qrCodeOf } from '#server/two-factor/totp.ts';
import { beginSecret } from '#server/two-factor/two-factor.sql.ts';
import { knownDevice } from './device.ts';
import { beginHere, chooseOrganization, enterOrganization, notThisDomain, signInHere, type Visit } from './enter-organization.ts';
import { requireFreshProof } from './fresh-proof.ts';
import { NO_PROOF, type Proof, proofBy } from './proof.ts';
import {
  deleteSession,
  endSession,
  endSessions,
  findUser,
  findUserByEmail,
  findWaiting,
  type LastPage,
  listOrganizations,
  listSessions,
  type SignedIn,
  setLastPage,
  type UserRow,
} from './session.sql.ts';
import { viewOrganization, viewPermission, viewPerson, viewSessionRow, viewUser } from './session.view.ts';
import { passwordCounts, takeTries } from './sign-in-tries.ts';
import { type Cookies, clearSessionCookie, findSignedIn, requireAnybody, requireOwnPage, sessionCookies } from './signed-in.ts';

export interface SessionRoutes {
  db: Db;
  config: Config;
  planBook: PlanBook;
  addresses: Addresses;
}

export async function sessionRoutes(instance: FastifyInstance, options: SessionRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config } = options;
  const cookies = sessionCookies(config.appEnv);

  app.post(
    '/team-login',
    { schema: { tags: ['account'], summary: 'Sign in', body: teamLoginBody, response: { 200: teamLoginAnswer } } },
    async (request, reply) => {
      requireOwnPage(request);
      const visit = { request, reply, cookies };
      const user = await requirePassword(options, visit, request.body);
      // Told only to who knows the password: nobody else learns which accounts there are.
      if (!user.email_confirmed_at) throw new HttpError(403, 'user_not_activated', MESSAGES.userNotActivated);
      const isEnv = !config.twoFactor;
      const told = { status: true, isEnv, _id: user.id, user: viewUser(user) };
      if (config.twoFactor) return { ...told, ...(await askSecondFactor(options, visit, user)) };
      const entered = await enterOrganization(options, visit, user, proofBy('password'));
      return { ...told, ...entered, msg: MESSAGES.userLoggedInSuccess, Qrstatus: '' as const, qrCode: '', secret: '' };
    },
  );

  app.post(
    '/api/v1/session/auto-login',
    {
      schema: {
        tags: ['account'],
        summary: 'Take over a sign-in at the organization’s own sub-domain',
        body: autoLoginBody,
        response: { 200: saidAnswer },
      },
    },
    async (request, reply) => {
      requireOwnPage(request);
      const { userSessionId, orgId } = request.body;
      const handOver = await findToken(db, 'hand-over', userSessionId);
      const user = handOver && handOver.organizationId === orgId ? await findUser(db, handOver.userId) : undefined;
      const subDomain = options.addresses.subDomainOf(request.hostname);
      if (!handOver || !user) {
        noteBadLink(request, undefined);
        throw handOverEnded();
      }
      noteSubject(request, user.id, 'link');
      const organizations = await listOrganizations(db, { id: user.id, isSuperAdmin: user.is_super_admin });
      const organization = organizations.find((one) => one.id === orgId);
      if (!organization || (subDomain !== undefined && subDomain !== organization.sub_domain)) throw notThisDomain();
      const present = await findSignedIn(db, cookies, request, false);
      if (present && present.userId !== user.id)
        throw new HttpError(409, 'session_of_another', `${present.email} is signed in here. Sign out first to change to another account.`);
      // Used up last: a link that is refused for where it was opened is still good elsewhere.
      if (!(await takeToken(db, 'hand-over', userSessionId))) {
        noteBadLink(request, (await findToken(db, 'hand-over', userSessionId)) ?? handOver);
        throw handOverEnded();
      }
      // With the credentials it was made with: when they have changed since, nothing opens.
      const maker = { id: user.id, credential_epoch: handOver.credentialEpoch ?? user.credential_epoch };
      const { sessionExpiresAt: endsAt, proof } = handOver;
      await signInHere(options, { request, reply, cookies }, maker, { organizationId: organization.id, endsAt, proof });
      return { status: true, msg: MESSAGES.userLoggedInSuccess };
    },
  );

  app.post(
    '/api/v1/session/choose-organization',
    {
      schema: {
        tags: ['account'],
        summary: 'Enter one of several organizations, or change to another',
        body: chooseOrganizationBody,
        response: { 200: chooseOrganizationAnswer },
      },
    },
    async (request, reply) => {
      requireOwnPage(request);
      const { user, ...known } = await requireChooser(db, request, cookies);
      const entered = await chooseOrganization(options, { request, reply, cookies }, user, request.body.orgId, known);
      return { status: true, msg: MESSAGES.userLoggedInSuccess, ...entered };
    },
  );

  app.get(
    '/api/v1/teamMgmt/user/is-user-is-logged-in',
    {
      schema: {
        tags: ['account'],
        summary: 'Who is signed in, and what they may',
        querystring: z.object({ t: z.string().max(40).optional() }),
        response: { 200: sessionView },
      },
    },
    async (request) => {
      const person = await findSignedIn(db, cookies, request);
      if (!person) return { ...NOBODY, helpHost: options.config.helpHost ?? null };
      const organizations = await listOrganizations(db, { id: person.userId, isSuperAdmin: person.isSuperAdmin });
      return viewSession(options, person, organizations);
    },
  );

  app.post(
    '/api/v1/teamMgmt/team/change-status',
    { schema: { tags: ['account'], summary: 'The person is there', response: { 200: saidAnswer } } },
    async (request) => {
      requireOwnPage(request);
      await requireAnybody(db, cookies, request);
      return { status: true, msg: MESSAGES.userLoggedInSuccess };
    },
  );

  app.get(
    '/api/v1/session/list',
    { schema: { tags: ['account'], summary: 'The person’s own sessions', response: { 200: sessionListAnswer } } },
    async (request) => {
      const person = await requireAnybody(db, cookies, request);
      const rows = await listSessions(db, person.userId);
      return { status: true as const, sessions: rows.map((row) => viewSessionRow(row, person.sessionId)) };
    },
  );

  app.post(
    '/api/v1/session/end',
    {
      schema: {
        tags: ['account'],
        summary: 'End one of the own sessions, or all others; another one than this asks for a fresh proof',
        body: endSessionBody,
        response: { 200: saidAnswer },
      },
    },
    async (request) => {
      requireOwnPage(request);
      const person = await requireAnybody(db, cookies, request);
      if ('all' in request.body || request.body._id !== person.sessionId) requireFreshProof(person, config);
      if ('all' in request.body) await endSessions(db, person.userId, person.sessionId);
      else if (!isId(request.body._id) || !(await endSession(db, person.userId, request.body._id)))
        throw new HttpError(404, 'session_unknown', 'There is no such session of yours; it may have ended already.');
      noteDone(request, { kind: 'session-ended', userId: person.userId, organizationId: person.organizationId });
      return { status: true, msg: MESSAGES.sessionEnded };
    },
  );

  app.get(
    '/admin/logout',
    {
      schema: {
        tags: ['account'],
        summary: 'Sign out',
        querystring: z.object({
          t: z.string().max(40).optional(),
          lastURL: z.string().max(2000).optional(),
          timeStamp: z.string().max(500).optional(),
        }),
        response: { 200: saidAnswer },
      },
    },
    async (request, reply) => {
      // A link on a foreign page must not sign anybody out.
      const site = request.headers['sec-fetch-site'];
      if (site !== undefined && site !== 'same-origin' && site !== 'none')
        throw new HttpError(403, 'request_foreign', 'Sign out from the console itself.');
      const person = await findSignedIn(db, cookies, request, false);
      const token = request.cookies[cookies.name];
      // Whatever else fails, the session ends, with what it may have handed over.
      if (token) await deleteSession(db, token);
      if (person) await endTokens(db, 'hand-over', person.userId);
      clearSessionCookie(reply, cookies);
      if (person) noteDone(request, { kind: 'sign-out', userId: person.userId, organizationId: person.organizationId });
      const lastPage = readLastPage(request.query);
      if (person && lastPage) await setLastPage(db, person.userId, lastPage);
      return { status: true, msg: MESSAGES.userLoggedOutSuccess };
    },
  );
}

function handOverEnded(): HttpError {
  return new HttpError(401, 'session_handover_ended', 'This sign-in link is no longer good. Sign in again.');
}

/** Only a path of ours is kept: it is opened again after the next sign-in. */
function readLastPage({ lastURL, timeStamp }: { lastURL?: string | undefined; timeStamp?: string | undefined }): LastPage | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  if (!lastURL || !/^\/(?![/\\])/.test(lastURL) || /[\u0000-\u001f\\\ud800-\udfff]/.test(lastURL)) return undefined;
  return { url: lastURL, timeStamp: readTimeStamp(timeStamp) };
}

function readTimeStamp(text: string | undefined): LastPage['timeStamp'] {
  try {
    return lastPageTimeStamp.parse(JSON.parse(text ?? ''));
  } catch {
    return null;
  }
}

async function requirePassword(
  { db, config }: SessionRoutes,
  { request, cookies }: Visit,
  body: { email: string; password: string },
): Promise<UserRow> {
  const email = plainEmail(body.email);
  const user = await findUserByEmail(db, email);
  if (user) noteSubject(request, user.id, 'password');
  const device = user && knownDevice(request, cookies, config.masterKey, user);
  const giveBack = await takeTries(db, passwordCounts(email, networkOf(request.ip), device));
  const matches = await verifyPassword(user?.password_hash ?? undefined, body.password).catch(async (error) => {
    await giveBack();
    throw error;
  });
  if (!user || !matches) throw new HttpError(401, 'session_refused', MESSAGES.wrongCredentials);
  await giveBack();
  return user;
}

/** The password was right: a session that opens nothing but the second factor. */
async function askSecondFactor(options: SessionRoutes, visit: Visit, user: UserRow) {
  const { db, config } = options;
  const isNew = user.mfa_enabled_at === null;
  const secret = isNew ? await beginSecret(db, config.masterKey, user.id) : '';
  const stage = isNew ? 'mfa-setup' : 'mfa-code';
  const userToken = await beginHere(options, visit, user, { organizationId: null, stage, proof: NO_PROOF });
  noteDone(visit.request, { kind: 'sign-in', outcome: 'next-step', userId: user.id, factors: 'password' });
  return {
    msg: isNew ? MESSAGES.scanCode : MESSAGES.enterCode,
    Qrstatus: isNew ? ('1' as const) : ('2' as const),
    qrCode: isNew ? qrCodeOf(secret, user.email) : '',
    secret,
    autoLoginToken: '',
    userSessionId: '',
    organizations: [],
    redirectUrl: null,
    userToken,
  };
}

/** Somebody whose sign-in waits for a choice, or who is signed in and changes to another organization. */
async function requireChooser(
  db: Db,
  request: FastifyRequest,
  cookies: Cookies,
): Promise<{ user: UserRow; session: LivingSession | null; proof: Proof }> {
  const token = request.cookies[cookies.name];
  const waiting = token ? await findWaiting(db, token) : undefined;
  if (waiting && waiting.stage !== 'full') throw new HttpError(401, 'session_code_missing', MESSAGES.enterCode);
  const person = waiting ? null : await requireAnybody(db, cookies, request);
  const user = await findUser(db, waiting?.userId ?? person!.userId);
  if (waiting) noteSubject(request, waiting.userId);
  if (!user) throw new HttpError(401, 'session_missing', 'You are not signed in, or your session has ended. Sign in again.');
  // Going over to another organization is no new sign-in: the session there ends when this one would have.
  const session = person && { id: person.sessionId, expiresAt: person.expiresAt };
  return { user, session, proof: waiting?.proof ?? person?.proof ?? NO_PROOF };
}

function viewSession(options: SessionRoutes, person: SignedIn, organizations: Awaited<ReturnType<typeof listOrganizations>>): SessionView {
  const plan = options.planBook.find(person.organizationId);
  const vertical = plan && [...plan.plan.verticals.values()][0];
  const views = organizations.map(viewOrganization);
  return {
    ...NOBODY,
    status: true,
    user: viewPerson(person),
    organization: views.find((one) => one._id === person.organizationId) ?? null,
    organizations: views,
    permissionObj: viewPermission(person),
    verticalPrimaryField: person.bound ? null : (vertical?.config.primaryField ?? null),
    downloadFileUrl: DOWNLOAD_FILE_URL,
    helpHost: options.config.helpHost ?? null,
  };
}
