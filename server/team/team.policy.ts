/** Who may do what to the team and the organization, in sentences. */
import { HttpError } from '#server/kit/http-error.ts';
import { mayEverything } from '#server/session/session.policy.ts';
import type { SignedIn } from '#server/session/session.sql.ts';
import type { MemberRow } from './team.sql.ts';

/** Account §6: the team page and all it does is the owner's. */
export function mayRunTeam(person: SignedIn): boolean {
  return mayEverything(person);
}

/** Account §6: organization and preferences are the owner's. */
export function mayRunOrganization(person: SignedIn): boolean {
  return mayEverything(person);
}

/** Everybody sees who is here; only who runs the team sees their e-mail and from where, and may end a session. */
export function mayEndSessions(person: SignedIn): boolean {
  return mayRunTeam(person);
}

export function requireTeamRunner(person: SignedIn): void {
  if (!mayRunTeam(person)) throw new HttpError(403, 'team_forbidden', 'Only the owner of the organization may do this. Ask them.');
}

/** Nobody disables, removes or limits the owner, and nobody does it to themselves. */
export function requireChangeable(person: SignedIn, member: MemberRow): void {
  if (member.userId === person.userId)
    throw new HttpError(409, 'member_is_self', 'You cannot do this to yourself. Hand the ownership over first.');
  if (member.role === 'owner')
    throw new HttpError(409, 'member_is_owner', 'This cannot be done to the owner. The ownership has to be handed over first.');
}
