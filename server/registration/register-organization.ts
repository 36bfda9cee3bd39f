/** A new organization with its owner, its data key and the people invited at once (account §4 "Registration"). */
import type { Transaction } from 'kysely';
import { MESSAGES, type MessageKey } from '#contract/message.ts';
import type { RegisterBody } from '#contract/registration.ts';
import { plainSubDomain, subDomainProblem } from '#contract/sub-domain.ts';
import type { Database } from '#db/types.ts';
import type { Addresses } from '#server/kit/addresses.ts';
import type { Config } from '#server/kit/config.ts';
import { type MasterKey, newDataKey } from '#server/kit/crypto.ts';
import type { Db } from '#server/kit/database.ts';
import { HttpError } from '#server/kit/http-error.ts';
import { newId } from '#server/kit/ids.ts';
import { enterTenant } from '#server/kit/tenant.ts';
import type { Mailer } from '#server/mail/mail.ts';
import { isSubDomainTaken } from '#server/organization/sub-domain.sql.ts';
import { requirePassword } from '#server/password/require-password.ts';
import { sendActivation } from '#server/session/activation.ts';
import { requireAddress } from '#server/session/require-address.ts';
import { getInvitation, standingOf } from '#server/team/invitation.sql.ts';
import { inviteMember } from '#server/team/invite-member.ts';

export interface RegistrationParts {
  db: Db;
  config: Config;
  mailer: Mailer;
  addresses: Addresses;
}

export interface Registered {
  organizationId: string;
  userId: string;
  email: string;
}

type Tx = Transaction<Database>;

/** Everything or nothing. Of two who ask for one sub-domain at one moment, one has it and the other is told so. */
export async function registerOrganization(parts: RegistrationParts, body: RegisterBody): Promise<Registered> {
  const email = requireAddress(body.email);
  const subDomain = requireSubDomain(body.orgDetails.subDomain);
  const names = [body.first_name, body.last_name, body.orgDetails.name, subDomain];
  const passwordHash = await requirePassword(body.password, { email, names });
  const isConfirmed = !parts.config.twoFactor || (await provesAddress(parts.db, body, email));
  return parts.db.transaction().execute(async (tx) => {
    const organizationId = await insertOrganization(tx, parts.config.masterKey, body.orgDetails.name.trim(), subDomain);
    const userId = await insertOwner(tx, { email, firstName: body.first_name, lastName: body.last_name, passwordHash, isConfirmed });
    await tx
      .insertInto('team_member')
      .values({ organization_id: organizationId, id: newId(), user_id: userId, role: 'owner', status: 'active' })
      .execute();
    if (!isConfirmed) await sendActivation(tx, parts, { id: userId, email, first_name: body.first_name });
    await invitePeople(tx, parts, body, { organizationId, userId, email }, !isConfirmed);
    return { organizationId, userId, email };
  });
}

export function requireSubDomain(text: string): string {
  const plain = plainSubDomain(text);
  const problem = subDomainProblem(plain);
  if (problem) throw subDomainError(400, problem === 'subDomainReserved' ? 'sub_domain_reserved' : 'sub_domain_invalid', problem);
  return plain;
}

export function subDomainError(statusCode: number, code: string, key: MessageKey): HttpError {
  return new HttpError(statusCode, code, MESSAGES[key], { errors: [{ field: 'orgDetails.subDomain', message: MESSAGES[key] }] });
}

async function insertOrganization(tx: Tx, masterKey: MasterKey, name: string, subDomain: string): Promise<string> {
  const id = newId();
  if (await isSubDomainTaken(tx, subDomain)) throw subDomainError(409, 'sub_domain_taken', 'subDomainTaken');
  const inserted = await tx
    .insertInto('organization')
    .values({ id, name, sub_domain: subDomain, data_key: newDataKey(masterKey, id) })
    .onConflict((conflict) => conflict.column('sub_domain').doNothing())
    .executeTakeFirst();
  if (inserted.numInsertedOrUpdatedRows === 0n) throw subDomainError(409, 'sub_domain_taken', 'subDomainTaken');
  return id;
}

interface Owner {
  email: string;
  firstName: string;
  lastName: string;
  passwordHash: string;
  isConfirmed: boolean;
}

/** A new account, or the empty one of somebody who has only been invited so far. */
async function insertOwner(tx: Tx, { email, firstName, lastName, passwordHash, isConfirmed }: Owner): Promise<string> {
  const now = new Date();
  const row = {
    first_name: firstName.trim(),
    last_name: lastName.trim(),
    password_hash: passwordHash,
    password_changed_at: now,
    email_confirmed_at: isConfirmed ? now : null,
  };
  const kept = await tx
    .insertInto('app_user')
    .values({ id: newId(), email, ...row })
    .onConflict((conflict) =>
      conflict.column('email').doUpdateSet(row).where('app_user.password_hash', 'is', null).where('app_user.status', '=', 'active'),
    )
    .returning('id')
    .executeTakeFirst();
  if (!kept) {
    const errors = [{ field: 'email', message: MESSAGES.emailAlreadyTaken }];
    throw new HttpError(409, 'email_already_taken', MESSAGES.emailAlreadyTaken, { errors });
  }
  return kept.id;
}

async function invitePeople(tx: Tx, parts: RegistrationParts, body: RegisterBody, owner: Registered, isHeld: boolean): Promise<void> {
  await enterTenant(tx, owner.organizationId);
  const inviter = { userId: owner.userId, name: `${body.first_name} ${body.last_name}`.trim() };
  for (const [email, { first_name, last_name }] of peopleByEmail(body)) {
    if (email === owner.email) continue;
    const firstName = first_name?.trim() || email.split('@')[0]!.slice(0, 80);
    const lastName = last_name?.trim() ?? '';
    await inviteMember(tx, parts, { organizationId: owner.organizationId, inviter, email, firstName, lastName, permissions: [], isHeld });
  }
}

/** Each address once, in one order for everybody: two registrations that name the same people must not wait for each other. */
function peopleByEmail({ orgDetails }: RegisterBody) {
  const people = new Map(orgDetails.userDetail.map((one) => [requireAddress(one.email), one]));
  return [...people].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** A living invitation sent to this very address is proof enough that the address is the person's own. */
async function provesAddress(db: Db, { invitationData }: RegisterBody, email: string): Promise<boolean> {
  if (!invitationData) return false;
  const invitation = await getInvitation(db, invitationData.teamId);
  return invitation.email === email && standingOf(invitation) === null;
}
