import { MESSAGES } from '#contract/message.ts';
import { readNext } from '../next-page.ts';

/** The parameters of the landing and of the app root (account §2). */
export interface LandingSearch {
  isInvitationSuccess?: 1 | 2 | 3 | 4 | undefined;
  isUser?: boolean | undefined;
  teamId?: string | undefined;
  isOpenLoginModal?: boolean | undefined;
  email?: string | undefined;
  next?: string | undefined;
  isAutoLogin?: boolean | undefined;
  userSessionId?: string | undefined;
  orgId?: string | undefined;
}

const isTrue = (value: unknown): boolean => value === true || value === 'true' || value === '1' || value === 1;
const text = (value: unknown, length: number): string | undefined =>
  typeof value === 'string' && value !== '' ? value.slice(0, length) : undefined;

/**
 * Whatever is not one of ours falls away. Every name has its key, if only without a value: the router keeps what the address says
 * of a name that is not answered here.
 */
export function readLandingSearch(raw: Record<string, unknown>): LandingSearch {
  const result = [1, 2, 3, 4].find((one) => String(one) === String(raw.isInvitationSuccess)) as LandingSearch['isInvitationSuccess'];
  return {
    isInvitationSuccess: result,
    isUser: raw.isUser === undefined ? undefined : isTrue(raw.isUser),
    teamId: text(raw.teamId, 200),
    isOpenLoginModal: isTrue(raw.isOpenLoginModal) || undefined,
    email: text(raw.email, 254),
    next: readNext(raw.next),
    isAutoLogin: isTrue(raw.isAutoLogin) || undefined,
    userSessionId: text(raw.userSessionId, 200),
    orgId: text(raw.orgId, 60),
  };
}

/** Account §2: what became of an invitation, as the landing says it. */
export const invitationResult: Record<1 | 2 | 3 | 4, string> = {
  1: MESSAGES.invitaionAlreadyAccepted,
  2: MESSAGES.invitaionAcceptSuccess,
  3: MESSAGES.invitaionAlreadyRejected,
  4: MESSAGES.invitaionDeleted,
};

/** Account §2: somebody who accepted and has no account yet goes on to register; the token, or nothing. */
export const memberToRegister = ({ isInvitationSuccess, isUser, teamId }: LandingSearch): string | undefined =>
  isInvitationSuccess === 2 && isUser === false ? teamId : undefined;
