/** The owner's side of the team: who is on it, what each may, and who comes and goes (account §2, §6). */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { Transaction } from 'kysely';
import { MESSAGES, type MessageKey } from '#contract/message.ts';
import { bindBody, doneAnswer, editPermissionsBody, handOverBody, inviteBody, memberBody, teamAnswer } from '#contract/team.ts';
import type { Database } from '#db/types.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { Config } from '#server/kit/config.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { beyondTenant, inTenant } from '#server/kit/tenant.ts';
import { takeTry } from '#server/kit/throttle.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { verifyPassword } from '#server/password/password.ts';
import { noteDone } from '#server/security-log/note.ts';
import { beginHere } from '#server/session/enter-organization.ts';
import { getUser, readBound, type SignedIn } from '#server/session/session.sql.ts';
import { requireOwnPage, requireSignedIn, sessionCookies } from '#server/session/signed-in.ts';
import { bindingColumns, nameCompanies, requireCompany, requireUnbound } from './bind-member.ts';
import { handOverOwnership } from './hand-over-ownership.ts';
import { inviteMember, sendInvitation } from './invite-member.ts';
import { readTree } from './permission-tree.ts';
import { logMember } from './team.log.ts';
import { requireChangeable, requireTeamRunner } from './team.policy.ts';
import { endEntrances, endSessionsOf, listMembers, listPlaces, lockMember, type MemberRow, setMember } from './team.sql.ts';
import { viewMember } from './team.view.ts';

export interface TeamRoutes {
  db: Db;
  config: Config;
  mailer: Mailer;
  addresses: Addresses;
}

const INVITATIONS = { limit: 100, windowMs: 3_600_000 };
const PASSWORD_TRIES = { limit: 10, windowMs: 15 * 60_000 };
const nameOf = (person: SignedIn) => `${person.firstName} ${person.lastName}`.trim() || person.email;
const done = (key: MessageKey) => ({ status: true as const, msg: MESSAGES[key] });

export async function teamRoutes(instance: FastifyInstance, options: TeamRoutes): Promise<void> {
  const app = instance.withTypeProvider<ZodTypeProvider>();
  const { db, config, mailer } = options;
  const cookies = sessionCookies(config.appEnv);
  const told = (summary: string, body: typeof memberBody) => ({ tags: ['account'], summary, body, response: { 200: doneAnswer } });

  app.get(
    '/api/v1/teamMgmt/team/members',
    { schema: { tags: ['account'], summary: 'The team, and where permissions are ticked', response: { 200: teamAnswer } } },
    async (request) => {
      const person = await requireSignedIn(db, cookies, request);
      requireTeamRunner(person);
      return inTenant(db, person.organizationId, async (tx) => {
        const rows = await listMembers(tx, person.organizationId);
        const companies = await nameCompanies(tx, person.organizationId, rows.map(readBound));
        return {
          status: true as const,
          members: rows.map((row) => viewMember(row, person.userId, companies)),
          ...(await listPlaces(tx, person.organizationId)),
        };
      });
    },
  );

  app.post(
    '/api/v1/teamMgmt/team/invite',
    { schema: { tags: ['account'], summary: 'Invite somebody to the team', body: inviteBody, response: { 200: doneAnswer } } },
    async (request) => {
      const person = await enter(request);
      await takeInvitation(person);
      const { email, first_name, last_name, permissions, bound = null } = request.body;
      await inTenant(db, person.organizationId, async (tx) => {
        const memberId = await inviteMember(tx, options, {
          organizationId: person.organizationId,
          inviter: { userId: person.userId, name: nameOf(person) },
          email,
          firstName: first_name,
          lastName: last_name,
          permissions: bound ? [] : await readTree(tx, person.organizationId, permissions),
          bound: await requireCompany(tx, person.organizationId, bound),
        });
        await logMember(tx, person, request.ip, memberId, null);
      });
      return { status: true as const, msg: mailer.told(MESSAGES.invitationSent) };
    },
  );

  app.post('/api/v1/teamMgmt/team/resend-invitation', { schema: told('Send an invitation again', memberBody) }, async (request) => {
    const person = await enter(request);
    await takeInvitation(person);
    await onMember(person, request, async (tx, member) => {
      requireStatus(member, 'invited');
      await setMember(tx, person.organizationId, member.id, { invited_by: person.userId, invited_at: new Date() });
      const { organizationId } = person;
      await beyondTenant(tx, (all) =>
        sendInvitation(all, options, { organizationId, memberId: member.id, userId: member.userId, inviter: nameOf(person) }),
      );
    });
    return { status: true as const, msg: mailer.told(MESSAGES.invitationResent) };
  });

  app.post('/api/v1/teamMgmt/team/delete-invitation', { schema: told('Take an invitation back', memberBody) }, async (request) => {
    const person = await enter(request);
    await onMember(person, request, async (tx, member) => {
      if (member.status !== 'invited' && member.status !== 'rejected') throw notInStatus();
      await removeMember(tx, person, member);
    });
    return done('invitationWithdrawn');
  });

  app.post(
    '/api/v1/teamMgmt/team/edit-permissions',
    {
      schema: {
        tags: ['account'],
        summary: 'What a member may, per region, vertical and page',
        body: editPermissionsBody,
        response: { 200: doneAnswer },
      },
    },
    async (request) => {
      const person = await enter(request);
      await onMember(person, request, async (tx, member) => {
        requireChangeable(person, member);
        requireUnbound(member);
        const permissions = await readTree(tx, person.organizationId, request.body.permissions);
        await setMember(tx, person.organizationId, member.id, { permissions });
        return endSessionsOf(tx, person.organizationId, member.userId);
      });
      return done('permissionsSaved');
    },
  );

  app.post(
    '/api/v1/teamMgmt/team/bind',
    {
      schema: {
        tags: ['account'],
        summary: 'Bind a member to the portal of one buyer or publisher, or take the binding off; what was ticked goes either way',
        body: bindBody,
        response: { 200: doneAnswer },
      },
    },
    async (request) => {
      const person = await enter(request);
      await onMember(person, request, async (tx, member) => {
        requireChangeable(person, member);
        const bound = await requireCompany(tx, person.organizationId, request.body.bound);
        await setMember(tx, person.organizationId, member.id, { permissions: [], ...bindingColumns(bound) });
        return endSessionsOf(tx, person.organizationId, member.userId);
      });
      return done(request.body.bound ? 'memberBound' : 'memberUnbound');
    },
  );

  app.post('/api/v1/teamMgmt/team/disable', { schema: told('Disable a member', memberBody) }, async (request) => {
    const person = await enter(request);
    await onMember(person, request, async (tx, member) => {
      requireChangeable(person, member);
      requireStatus(member, 'active');
      await setMember(tx, person.organizationId, member.id, { status: 'disabled' });
      return shutOut(tx, person, member);
    });
    return done('memberDisabled');
  });

  app.post('/api/v1/teamMgmt/team/enable', { schema: told('Enable a disabled member', memberBody) }, async (request) => {
    const person = await enter(request);
    await onMember(person, request, async (tx, member) => {
      requireStatus(member, 'disabled');
      await setMember(tx, person.organizationId, member.id, { status: 'active' });
    });
    return done('memberEnabled');
  });

  app.post('/api/v1/teamMgmt/team/remove', { schema: told('Remove a member', memberBody) }, async (request) => {
    const person = await enter(request);
    await onMember(person, request, async (tx, member) => {
      requireChangeable(person, member);
      return removeMember(tx, person, member);
    });
    return done('memberRemoved');
  });

  app.post(
    '/api/v1/teamMgmt/team/hand-over-ownership',
    {
      schema: {
        tags: ['account'],
        summary: 'Hand the ownership over; asks for the password',
        body: handOverBody,
        response: { 200: doneAnswer },
      },
    },
    async (request, reply) => {
      const person = await enter(request);
      await requireOwnPassword(person, request.body.password);
      await inTenant(db, person.organizationId, (tx) => handOverOwnership(tx, mailer, person, request.body._id, request.ip));
      if (!person.isSuperAdmin || person.role !== null)
        await beginHere({ db }, { request, reply, cookies }, await getUser(db, person.userId), {
          organizationId: person.organizationId,
          proof: person.proof,
        });
      return done('ownershipHandedOver');
    },
  );

  async function enter(request: FastifyRequest): Promise<SignedIn> {
    requireOwnPage(request);
    const person = await requireSignedIn(db, cookies, request);
    requireTeamRunner(person);
    return person;
  }

  /** `change` may say how many sessions of the member it ended: that is told by the security log, what was changed by the change log. */
  async function onMember(
    person: SignedIn,
    request: FastifyRequest<{ Body: { _id: string } }>,
    change: (tx: Transaction<Database>, member: MemberRow) => Promise<number | undefined>,
  ): Promise<void> {
    const { organizationId, userId: byUserId } = person;
    const { userId, ended } = await inTenant(db, organizationId, async (tx) => {
      const member = await lockMember(tx, organizationId, request.body._id);
      const ended = await change(tx, member);
      await logMember(tx, person, request.ip, member.id, member);
      return { userId: member.userId, ended };
    });
    if (ended) noteDone(request, { kind: 'session-ended', userId, organizationId, byUserId });
  }

  async function takeInvitation(person: SignedIn): Promise<void> {
    const waitMs = await takeTry(db, `invitations of ${person.organizationId}`, INVITATIONS.limit, INVITATIONS.windowMs);
    if (waitMs > 0)
      throw new HttpError(429, 'invitation_rate_limited', 'So many invitations were sent within the hour that more have to wait.', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
  }

  async function requireOwnPassword(person: SignedIn, password: string): Promise<void> {
    const waitMs = await takeTry(db, `own password ${person.userId}`, PASSWORD_TRIES.limit, PASSWORD_TRIES.windowMs);
    if (waitMs > 0)
      throw new HttpError(429, 'password_rate_limited', 'Too many tries. Wait a few minutes.', {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      });
    const user = await db.selectFrom('app_user').select('password_hash').where('id', '=', person.userId).executeTakeFirst();
    if (await verifyPassword(user?.password_hash ?? undefined, password)) return;
    const message = 'This is not your password.';
    throw new HttpError(403, 'password_wrong', message, { errors: [{ field: 'password', message }] });
  }
}

async function removeMember(tx: Transaction<Database>, person: SignedIn, member: MemberRow): Promise<number> {
  await setMember(tx, person.organizationId, member.id, { status: 'removed', permissions: [], ...bindingColumns(null) });
  return shutOut(tx, person, member);
}

/** Sessions and links of the member end at once. Returns how many sessions there were. */
async function shutOut(tx: Transaction<Database>, person: SignedIn, member: MemberRow): Promise<number> {
  const ended = await endSessionsOf(tx, person.organizationId, member.userId);
  await beyondTenant(tx, (all) => endEntrances(all, person.organizationId, member.userId));
  return ended;
}

function requireStatus(member: MemberRow, status: MemberRow['status']): void {
  if (member.status !== status) throw notInStatus();
}

function notInStatus(): HttpError {
  return new HttpError(409, 'member_status', 'The member’s status has changed meanwhile. Load the page again.');
}
